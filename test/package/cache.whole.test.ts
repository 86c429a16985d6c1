import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { makeCacheFolder } from "../harness/cache-folder.js";
import { makeWorkspace } from "../harness/disk-workspace.js";

/** Runs the installed command with a home of its own. */
function run(args: readonly string[], home: string) {
  const command = join(inject("installed"), "node_modules/.bin/agentform");
  const { PATH } = process.env;
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: "utf8",
    env: { PATH, HOME: home },
  });
  return { status, stdout, stderr };
}

function kept(home: string): string[] {
  const folder = join(home, ".cache/agentform");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
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
