import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { documentText, makeWorkspace, type DiskWorkspace } from "../../harness/disk-workspace.js";
import { openDesk, policyText, runIn, type Desk } from "../desk.js";

const manifest = `apiVersion: agentform/v1
kind: Workspace
metadata: {name: desk}
spec:
  service: {base_url: "http://127.0.0.1:1"}
  environments:
    default: {}
    production: {}
    staging: {}
`;

const onlyInStaging = documentText("Agent", "trial", { name: "Trial" }, { environments: ["staging"] });

let workspace: DiskWorkspace;
let home: DiskWorkspace;
beforeEach(() => {
  workspace = makeWorkspace({
    "agentform.yaml": manifest,
    "agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
    "agents/trial.yaml": onlyInStaging,
  });
  home = makeWorkspace({});
});

const run = (...args: readonly string[]) =>
  runIn(workspace.directory, args, { XDG_CACHE_HOME: home.directory });

async function complete(...line: readonly string[]): Promise<string[]> {
  const { code, out, err } = await run("completion", "zsh", "--", ...line);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const [type, ...words] = out.split("\n").slice(0, -1);
  expect(type).toBe("words");
  return words;
}

const addresses = (...options: readonly string[]) => complete("graph", ...options, "--around", "agent:");

describe("names of a workspace", () => {
  test("are known once a command has read it, by environment", async () => {
    expect(await addresses()).toEqual([]);
    expect((await run("validate")).code).toBe(0);
    expect(await addresses()).toEqual(["agent:support"]);
    expect(await addresses("-e", "staging")).toEqual(["agent:support", "agent:trial"]);
    expect(await addresses("--environment=production")).toEqual(["agent:support"]);
    expect(await addresses("-e", "nonsense")).toEqual([]);
    expect(await complete("plan", "-e", "")).toEqual(["default", "production", "staging"]);
  });

  test("are those of the folder that the line names", async () => {
    await run("validate");
    const other = makeWorkspace({});
    const from = (...line: readonly string[]) =>
      runIn(other.directory, ["completion", "zsh", "--", ...line], { XDG_CACHE_HOME: home.directory });
    const { out } = await from("graph", "-C", workspace.directory, "--around", "agent:");
    expect(out).toBe("words\nagent:support\n");
    expect((await from("graph", "--around", "agent:")).out).toBe("words\n");
  });

  test("are neither kept nor read with --no-cache", async () => {
    await run("validate", "--no-cache");
    expect(await addresses()).toEqual([]);
    await run("validate");
    expect(await addresses("--no-cache")).toEqual([]);
    expect(await addresses()).toEqual(["agent:support"]);
  });

  test("stay as they were while the workspace has errors, or is gone", async () => {
    await run("validate");
    workspace.write({ "agents/support.yaml": "kind: [" });
    expect((await run("validate")).code).toBe(1);
    expect(await addresses()).toEqual(["agent:support"]);
    workspace.write({ "agentform.yaml": "{" });
    expect((await run("validate")).code).toBe(1);
    expect(await addresses()).toEqual(["agent:support"]);
    expect(await complete("plan", "-e", "p")).toEqual(["production"]);
  });

  test("are not taken from a cache that a pull request could have brought, or that others can write", async () => {
    await run("validate");
    const before = home;
    const inside = join(workspace.directory, "cache");
    mkdirSync(inside);
    symlinkSync(join(before.directory, "agentform"), join(inside, "agentform"));
    home = { ...before, directory: workspace.directory };
    expect((await run("validate")).code).toBe(0);
    expect(await addresses()).toEqual([]);
    home = before;
    expect(await addresses()).toEqual(["agent:support"]);
    chmodSync(join(before.directory, "agentform"), 0o777);
    expect(await addresses()).toEqual([]);
  });

  test("are not taken from a file of another user, who has put a folder in the place of the cache", async (context) => {
    if (process.getuid?.() !== 0) context.skip("only root can give a file to another user");
    await run("validate");
    const folder = join(home.directory, "agentform");
    expect(await addresses()).toEqual(["agent:support"]);
    for (const name of readdirSync(folder)) chownSync(join(folder, name), 65_534, 65_534);
    expect(await addresses()).toEqual([]);
    expect((await run("validate")).code).toBe(0);
    expect(await addresses()).toEqual(["agent:support"]);
  });

  test("are looked up without a write", async () => {
    await addresses();
    expect(existsSync(join(home.directory, "agentform"))).toBe(false);
    expect(readdirSync(workspace.directory).toSorted()).toEqual(["agentform.yaml", "agents"]);
  });
});

describe("names of a state", () => {
  async function applied(): Promise<Desk> {
    const desk = await openDesk();
    workspace = desk.workspace;
    const { code } = await run("apply", "--yes");
    expect(code).toBe(0);
    return desk;
  }

  test("are the IDs that an apply has left behind, for `prune`", async () => {
    const desk = await applied();
    const old = String(desk.lock().resources["policy:strict"]?.["id"]);
    expect(await complete("prune", "")).toEqual([]);
    workspace.write({ "policies/strict.yaml": policyText(["drugs"]) });
    expect((await run("apply", "--yes")).code).toBe(0);
    expect(await complete("prune", "")).toEqual([old]);
    expect(await complete("prune", "--emulator", "")).toEqual([]);
  });

  test("are the addresses in the lock beside those of the workspace", async () => {
    await applied();
    workspace.remove("agents/support.yaml");
    expect((await run("plan")).code).toBe(0);
    expect(await complete("lock", "show", "agent:")).toEqual(["agent:support"]);
    workspace.write({ "agentform.lock": "{" });
    expect((await run("plan")).code).toBe(1);
    expect(await complete("lock", "show", "agent:")).toEqual(["agent:support"]);
  });
});

test("a shell that is not known is an error, and a script is printed without a workspace", async () => {
  workspace = makeWorkspace({});
  const { code, err } = await run("completion", "tcsh");
  expect(code).toBe(64);
  expect(err).toContain("bash, zsh, fish");
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code: fine, out } = await run("completion", shell);
    expect({ fine, isScript: out.includes(`agentform completion ${shell} -- `) }).toEqual({
      fine: 0,
      isScript: true,
    });
  }
});
