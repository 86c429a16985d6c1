import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { makeCacheFolder } from "../harness/cache-folder.js";
import { makeWorkspace, manifest } from "../harness/disk-workspace.js";
import { needProgram } from "../harness/need.js";
import { runs, wholeTest } from "../harness/tier.js";

/** One of the processors that this process may use. */
function aProcessor(): string {
  const status = readFileSync("/proc/self/status", "utf8");
  return /^Cpus_allowed_list:\s+(\d+)/m.exec(status)?.[1] ?? "0";
}

/** Runs the installed command with a home of its own, on some processors or on all. */
function run(
  args: readonly string[],
  home: string,
  { processors, ...env }: { readonly processors?: string | undefined; readonly NODE_OPTIONS?: string } = {},
) {
  const command = [join(inject("installed"), "node_modules/.bin/agentform"), ...args];
  const [file = "", ...rest] = processors === undefined ? command : ["taskset", "-c", processors, ...command];
  const { PATH } = process.env;
  const { status, stdout, stderr } = spawnSync(file, rest, {
    encoding: "utf8",
    env: { PATH, HOME: home, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, stdout, stderr };
}

function kept(home: string): string[] {
  const folder = join(home, ".cache/agentform");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".pack"));
}

describe("the cache of the command line", () => {
  const agent = (name: string) =>
    `{apiVersion: agentform/v1, kind: Agent, metadata: {name: ${name}}, spec: {name: ${name}, system_prompt: Help.}}`;

  test("is in the user's cache folder, and changes nothing that is printed", () => {
    const home = makeCacheFolder();
    const { directory, write } = makeWorkspace({ "agents/a.yaml": agent("a") });
    const plan = () => run(["plan", "-C", directory, "--format", "json"], home);
    const plain = run(["plan", "-C", directory, "--format", "json", "--no-cache"], home);
    expect(plain).toMatchObject({ status: 0, stderr: "" });
    expect(kept(home)).toEqual([]);
    expect(plan()).toEqual(plain);
    // The files, and the names of the environments, of the workspace and of its state.
    expect(kept(home)).toHaveLength(4);
    expect(plan()).toEqual(plain);
    write({ "agents/a.yaml": agent("b") });
    expect(plan().stdout).toContain("agent:b");
  });

  test("is left alone where it would be inside the workspace, and where others could write to it", () => {
    const { directory } = makeWorkspace({ "agents/a.yaml": agent("a") });
    expect(run(["plan", "-C", directory], directory).status).toBe(0);
    expect(kept(directory)).toEqual([]);
    const home = makeCacheFolder();
    mkdirSync(join(home, ".cache/agentform"), { recursive: true, mode: 0o777 });
    chmodSync(join(home, ".cache/agentform"), 0o777);
    expect(run(["plan", "-C", directory], home).status).toBe(0);
    expect(kept(home)).toEqual([]);
  });

  test("is not needed: without a home there is none", () => {
    const { directory } = makeWorkspace({ "agents/a.yaml": agent("a") });
    expect(run(["plan", "-C", directory], "")).toMatchObject({ status: 0 });
  });
});

describe("more text than one thread should parse", () => {
  const text = (index: number, filling: string) =>
    `apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: agent-${index}}\nspec:\n  name: Agent ${index}\n  system_prompt: "${filling}"\n`;

  function largeWorkspace(count: number) {
    const { directory } = makeWorkspace({ "agentform.yaml": `${manifest}  include: [agents]\n` });
    mkdirSync(join(directory, "agents"));
    const filling = "You answer customers in their own language. ".repeat(4000);
    for (let file = 0; file < count; file++) {
      writeFileSync(join(directory, `agents/${String(file).padStart(3, "0")}.yaml`), text(file, filling));
    }
    return directory;
  }

  test("is parsed in a second thread, where there is a second processor", () => {
    needProgram("taskset", "needs one processor of several, which takes `taskset` of util-linux");
    const directory = largeWorkspace(runs("large files", 110, 160));
    const NODE_OPTIONS = `--import=${join(import.meta.dirname, "count-threads.mjs")}`;
    const threads = (processors?: string) =>
      run(["validate", "--no-cache", "-C", directory], "", { processors, NODE_OPTIONS }).stderr;
    expect(threads(aProcessor())).toBe("");
    if (availableParallelism() > 1) expect(threads()).toContain("a thread began\n");
  });

  wholeTest(
    "gives the same results in the same order on one processor and on several, with all that is wrong",
    () => {
      needProgram("taskset", "needs one processor of several, which takes `taskset` of util-linux");
      const directory = largeWorkspace(160);
      const home = makeCacheFolder();
      const both = (...args: string[]) => {
        const all = run([...args, "--no-cache", "-C", directory], home);
        expect(run([...args, "--no-cache", "-C", directory], home, { processors: aProcessor() })).toEqual(
          all,
        );
        return all;
      };
      expect(both("plan", "--format", "json").status).toBe(0);
      for (const [file, broken] of [
        ["050", "apiVersion: ["],
        ["110", text(110, "${var:none}")],
        ["130", text(130, "${policy:none}")],
        ["150", text(7, "twice")],
        ["159", "kind: Agnet\n"],
      ] as const) {
        writeFileSync(join(directory, `agents/${file}.yaml`), broken);
      }
      const { status, stdout } = both("validate", "--format", "json");
      expect(status).toBe(1);
      for (const code of ["yaml-syntax", "variable-unknown", "reference-unknown", "document-duplicate"]) {
        expect(stdout).toContain(code);
      }
      expect(run(["validate", "--format", "json", "-C", directory], home).stdout).toBe(stdout);
      expect(run(["validate", "--format", "json", "-C", directory], home).stdout).toBe(stdout);
    },
  );
});
