import { defineConfig } from "vitest/config";
import { pageForVite } from "./scripts/build-page.mjs";
import { validatorsForVite } from "./scripts/validators.mjs";
import { SkipReporter } from "./test/harness/skip-reporter.js";

const plugins = [pageForVite(), validatorsForVite()];

// No test may fail because the machine is slow; a test that hangs ends some time all the same.
const halfAnHour = 1_800_000;

// `--mode all` runs every sweep whole; see test/harness/tier.ts.
export default defineConfig(({ mode }) => {
  const common = {
    testTimeout: halfAnHour,
    hookTimeout: halfAnHour,
    expect: { poll: { timeout: halfAnHour } },
    provide: { tier: mode === "all" ? ("all" as const) : ("sample" as const) },
  };
  return {
    test: {
      reporters: ["default", new SkipReporter()],
      // Most of the time is spent in processes that the tests start, so as many tests as processors run at once.
      maxWorkers: "100%",
      projects: [
        {
          plugins,
          test: {
            ...common,
            name: "source",
            // Most of these are short, and loading the source anew for each file would take longer than they do.
            isolate: false,
            include: ["test/**/*.test.ts"],
            exclude: [
              "test/soak/**",
              "test/package/**",
              "test/crash/**",
              "test/ci/**",
              "test/trust/**",
              "test/history/**",
              "test/browser/**",
            ],
          },
        },
        {
          plugins,
          test: {
            ...common,
            name: "package",
            include: ["test/{package,crash,ci,trust,history,soak}/**/*.test.ts"],
            globalSetup: ["test/package/install.ts"],
          },
        },
        {
          plugins,
          test: {
            ...common,
            name: "browser",
            include: ["test/browser/**/*.test.ts"],
            globalSetup: ["test/browser/chromium.ts"],
          },
        },
      ],
    },
  };
});
