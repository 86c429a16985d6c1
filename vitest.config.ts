import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { pageForVite } from "./scripts/build-page.mjs";
import { generate } from "./scripts/generated.mjs";
import { validatorsForVite } from "./scripts/validators.mjs";
import { memoryFolder } from "./test/harness/memory-folder.js";
import { SkipReporter } from "./test/harness/skip-reporter.js";

await generate();

// With further certificates Node takes more than twice as long to start, and the tests start thousands of processes, which ask servers of their own.
delete process.env["NODE_EXTRA_CA_CERTS"];
// To start one takes as long as its parent is large, so what a worker frees is to go back to the system (glibc).
process.env["MALLOC_MMAP_THRESHOLD_"] ??= "32768";

const plugins = [pageForVite(), validatorsForVite()];

// No test may fail because the machine is slow; a test that hangs ends some time all the same.
const halfAnHour = 1_800_000;

// Tests that change the process they run in (its environment, its clock, modules of the source), or are changed by one.
const alone = [
  "test/cli/{effects,progress}.test.ts",
  "test/forge/limits.test.ts",
  "test/service/{ca-file,connection,deadline,proxy,tls}.test.ts",
  "test/soak/{model,two-hands.whole}.test.ts",
  "test/store/{conformance-*,ceph.whole,pgbouncer.whole,git-journal,git-remote}.test.ts",
  "test/workspace/file-cache.test.ts",
];

// Tests of the installed package, or of many processes of it.
const packaged = ["package", "crash", "ci", "trust", "history", "soak"];

/** Begins in each project with the files that take longest: the last one would leave all processors but one idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = super.sort.bind(this);
    const sorted = await usual(files);
    const isLong = ({ moduleId }: TestSpecification) => /\.whole\.test\.ts$|\/(fuzz|scale)\//.test(moduleId);
    return [...new Set(sorted.map(({ project }) => project))].flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}

// `--mode all` runs every sweep whole; see test/harness/tier.ts.
export default defineConfig(({ mode }) => {
  const left = mode === "all" ? [] : wholeFiles();
  // The tests write and sync thousands of small files: on a disk, a quarter of the time is spent waiting for it.
  const folder = memoryFolder();
  if (folder !== undefined) process.env["TMPDIR"] ??= folder;
  const common = commonTo(mode);
  return {
    test: {
      reporters: ["default", new SkipReporter(left)],
      sequence: { sequencer: LongestFirst },
      // Most of the time is spent in processes that the tests start, and some of it in waiting; whole sweeps wait more.
      maxWorkers: availableParallelism() + (mode === "all" ? 4 : 2),
      projects: [
        {
          plugins,
          test: {
            ...common,
            name: "source",
            include: ["test/**/*.test.ts"],
            exclude: [`test/{${[packaged, "browser"].join()}}/**`, ...alone, ...left],
          },
        },
        {
          plugins,
          test: {
            ...common,
            name: "alone",
            isolate: true,
            include: alone,
            exclude: left,
            globalSetup: ["test/store/programs.ts"],
          },
        },
        {
          plugins,
          test: {
            ...common,
            name: "package",
            include: [`test/{${packaged.join()}}/**/*.test.ts`],
            exclude: [...alone, ...left],
            globalSetup: ["test/package/install.ts"],
          },
        },
        {
          plugins,
          test: {
            ...common,
            name: "browser",
            include: ["test/browser/**/*.test.ts"],
            exclude: left,
            globalSetup: ["test/browser/chromium.ts"],
          },
        },
      ],
    },
  };
});

// Node 20 has one compiler that optimizes, which took a fifth of the time; newer ones have a light one before it.
const optimizesLater = process.versions.v8.startsWith("11.") ? ["--interrupt-budget=500000"] : [];

/** What all projects have. */
function commonTo(mode: string) {
  return {
    testTimeout: halfAnHour,
    hookTimeout: halfAnHour,
    expect: { poll: { timeout: halfAnHour } },
    provide: { tier: mode === "all" ? ("all" as const) : ("sample" as const) },
    // A sample may leave out all tests of a suite.
    passWithNoTests: mode !== "all",
    // A process for each file, and loading the source in each, would take as long as the tests.
    isolate: false,
    execArgv: optimizesLater,
    // The four projects, and the next run, share what is transformed, by its content.
    experimental: { fsModuleCache: true },
  };
}

// A file of which a sample would leave out everything costs the time to load it, and the page a browser.
function wholeFiles(): string[] {
  const files = readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".whole.test.ts"))
    .map((file) => `test/${file.replaceAll("\\", "/")}`);
  return ["test/browser/**", ...files.filter((file) => !file.startsWith("test/browser/")).toSorted()];
}
