import { defineConfig } from "vitest/config";

const common = { testTimeout: 60_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: "source",
          include: ["test/**/*.test.ts"],
          exclude: ["test/package/**", "test/crash/**"],
        },
      },
      {
        test: {
          ...common,
          name: "package",
          include: ["test/{package,crash}/**/*.test.ts"],
          globalSetup: ["test/package/install.ts"],
        },
      },
    ],
  },
});
