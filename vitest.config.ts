import { defineConfig } from "vitest/config";
import { pageForVite } from "./scripts/build-page.mjs";

const common = { testTimeout: 60_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [pageForVite()],
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
        test: {
          ...common,
          name: "package",
          include: ["test/{package,crash,ci,trust,history}/**/*.test.ts"],
          globalSetup: ["test/package/install.ts"],
        },
      },
      {
        plugins: [pageForVite()],
        test: {
          ...common,
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
        },
      },
    ],
  },
});
