import { chownSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { makeCacheFolder } from "../harness/cache-folder.js";
import { makeWorkspace, type DiskWorkspace } from "../harness/disk-workspace.js";
import { git } from "../store/git-medium.js";
import { documents, runIn } from "./desk.js";

const said = (path: string) => `note: the workspace is ${path}, and its files are named from there\n`;

let workspace: DiskWorkspace;
let agents: string;

beforeEach(() => {
  workspace = makeWorkspace(documents);
  agents = join(workspace.directory, "agents");
});

test("in a subfolder the workspace above is meant, and said on standard error alone", async () => {
  const above = await runIn(workspace.directory, ["plan", "--format", "json"]);
  const below = await runIn(agents, ["plan", "--format", "json"]);
  expect(below.out).toBe(above.out);
  expect([above.err, below.err]).toEqual(["", said("..")]);
  const deep = join(workspace.directory, "notes", "old");
  mkdirSync(deep, { recursive: true });
  expect(await runIn(deep, ["validate"])).toEqual({
    code: 0,
    out: "The workspace is valid.\n",
    err: said("../.."),
  });
});

test("files on the command line stay relative to where the user stands", async () => {
  workspace.write({ "agents/own.yaml.txt": "x: y\n" });
  await runIn(agents, ["plan", "--out", "plan.json"]);
  expect(existsSync(join(agents, "plan.json"))).toBe(true);
  expect((await runIn(agents, ["show", "plan.json"])).code).toBe(0);
  const { out } = await runIn(agents, ["plan", "--var-file", "own.yaml.txt"]);
  expect(out + (await runIn(agents, ["plan", "--var-file", "own.yaml.txt"])).err).toContain("`x`");
  const applied = await runIn(agents, ["apply", "--emulator", "--yes"]);
  expect(applied.code).toBe(0);
  await runIn(agents, ["output", "--emulator", "--out", "ids.json"]);
  expect(readFileSync(join(agents, "ids.json"), "utf8")).toContain("agent:support");
  expect(existsSync(join(workspace.directory, ".agentform"))).toBe(true);
});

test("the nearest workspace is meant, and `-C` is taken as it is", async () => {
  workspace.write({ "agents/inner/agentform.yaml": workspace.read("agentform.yaml") });
  mkdirSync(join(agents, "inner", "agents"));
  expect((await runIn(join(agents, "inner", "agents"), ["validate"])).err).toBe(said(".."));
  const named = await runIn(agents, ["validate", "-C", "."]);
  expect([named.code, named.err]).toEqual([1, ""]);
  expect(named.out).toContain("error[workspace-missing]");
  expect(named.out).toContain("hint: choose one below with `-C DIR`: `inner`");
});

test("nothing above the top of the repository is looked at, nor above the home folder outside of one", async () => {
  const checkout = join(workspace.directory, "checkout");
  mkdirSync(join(checkout, ".git"), { recursive: true });
  mkdirSync(join(checkout, "docs"));
  const inRepository = await runIn(join(checkout, "docs"), ["validate"]);
  expect([inRepository.code, inRepository.err]).toEqual([1, ""]);
  const home = join(workspace.directory, "home");
  mkdirSync(join(home, "docs"), { recursive: true });
  const atHome = await runIn(join(home, "docs"), ["validate"], { HOME: home, USERPROFILE: home });
  expect([atHome.code, atHome.err]).toEqual([1, ""]);
  const elsewhere = await runIn(agents, ["validate"], { HOME: home, USERPROFILE: home });
  expect(elsewhere.err).toBe(said(".."));
});

test("a manifest that somebody else left above is not used unless it is named", async (context) => {
  if (process.getuid?.() !== 0) return context.skip("only root can give a file to somebody else");
  chownSync(join(workspace.directory, "agentform.yaml"), 12345, 12345);
  const { code, err } = await runIn(agents, ["validate"]);
  expect(code).toBe(1);
  expect(err).toBe(
    "note: the workspace .. belongs to a different user, so it is not used; if you trust it, name it with `-C ..`\n",
  );
  expect((await runIn(agents, ["validate", "-C", ".."])).code).toBe(0);
  // A job that stands in somebody else's checkout does so in all of its folders.
  for (const folder of [".", "agents"]) chownSync(join(workspace.directory, folder), 12345, 12345);
  expect((await runIn(agents, ["validate"])).code).toBe(0);
});

test("a manifest with another name is named as the mistake, also from a subfolder", async () => {
  for (const name of ["agentform.yml", "Agentform.YAML", "agentforms.yaml"]) {
    renameSync(join(workspace.directory, "agentform.yaml"), join(workspace.directory, name));
    for (const folder of [workspace.directory, agents]) {
      const { code, out } = await runIn(folder, ["validate"]);
      expect(code).toBe(1);
      expect(out).toContain(
        `there is no \`agentform.yaml\` in the workspace, but \`${name}\`, which is not read`,
      );
      expect(out).toContain("hint: rename it to `agentform.yaml`");
    }
    expect(await runIn(workspace.directory, ["init"])).toEqual({
      code: 1,
      out: "",
      err: `error: ${name} is not read: rename it to agentform.yaml; nothing was written\n`,
    });
    renameSync(join(workspace.directory, name), join(workspace.directory, "agentform.yaml"));
  }
});

test("init in a subfolder makes no workspace unless the folder is named, and its jobs are those of the one above", async () => {
  git(workspace.directory, "init", "-q");
  const notes = join(workspace.directory, "notes");
  mkdirSync(notes);
  const refused = await runIn(notes, ["init"]);
  expect(refused.code).toBe(1);
  expect(refused.err).toBe(
    "error: .. is a workspace already, and nothing was written; `agentform init .` makes one more, in this folder\n",
  );
  expect(existsSync(join(notes, "agentform.yaml"))).toBe(false);
  const jobs = await runIn(notes, ["init", "--ci", "github"]);
  expect([jobs.code, jobs.err]).toEqual([0, said("..")]);
  expect(existsSync(join(workspace.directory, ".github/workflows/agentform-plan.yml"))).toBe(true);
  expect((await runIn(notes, ["init", "."])).code).toBe(0);
  expect(existsSync(join(notes, "agentform.yaml"))).toBe(true);
});

test("a half-typed line is completed with the names of the workspace above", async () => {
  const cache = { XDG_CACHE_HOME: makeCacheFolder() };
  await runIn(workspace.directory, ["validate"], cache);
  const { out } = await runIn(agents, ["completion", "zsh", "--", "graph", "--around", "agent:"], cache);
  expect(out).toContain("support");
});
