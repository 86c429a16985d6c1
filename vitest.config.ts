import { defineConfig } from "vitest/config";
import { pageForVite } from "./scripts/build-page.mjs";
import { validatorsForVite } from "./scripts/validators.mjs";

const plugins = [pageForVite(), validatorsForVite()];
const common = { testTimeout: 60_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    projects: [
      {
        plugins,
        test: {
          ...common,
          name: "source",
          include: ["test/**/*.test.ts"],
          exclude: [
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
          include: ["test/{package,crash,ci,trust,history}/**/*.test.ts"],
          globalSetup: ["test/package/install.ts"],
        },
      },
      {
        plugins,
        test: {
          ...common,
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
        },
      },
    ],
  },
});
