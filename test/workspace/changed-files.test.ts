import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Plan } from "../../src/generated/plan.js";
import { changedFiles } from "../../src/workspace/changed-files.js";
import { manifestAt, runIn } from "../cli/desk.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { git } from "../store/git-medium.js";

const names = ["changed", "deleted", "kept", "linked", "windows", "folder/a", "behind/a"];

test("contents are compared as they are, files that came, went and became links with them", async () => {
  const { directory, write } = makeWorkspace({});
  const desk = join(directory, "desk");
  write(Object.fromEntries(names.map((name) => [`desk/${name}`, "one\ntwo\n"])));
  git(directory, "init", "-q");
  git(directory, "add", ".");
  git(directory, "commit", "-q", "-m", "first");
  expect(await changedFiles(desk, "HEAD")).toEqual(new Set());

  write({
    "desk/changed": "one\nthree\n",
    "desk/windows": "one\r\ntwo\r\n",
    "desk/new": "new\n",
    "desk/.gitignore": "ignored\n",
    "desk/ignored": "ignored\n",
    "elsewhere/a": "one\ntwo\n",
    outside: "outside\n",
  });
  rmSync(join(desk, "deleted"));
  rmSync(join(desk, "linked"));
  symlinkSync("kept", join(desk, "linked"));
  rmSync(join(desk, "behind"), { recursive: true });
  symlinkSync("../elsewhere", join(desk, "behind"));
  renameSync(join(desk, "folder"), join(desk, "renamed"));
  git(directory, "add", "desk/renamed");
  const changed = ["changed", "deleted", "linked", "new", ".gitignore", "folder/a", "renamed/a"];
  expect(await changedFiles(desk, "HEAD")).toEqual(new Set([...changed, "behind", "behind/a"]));
  expect(await changedFiles(directory, "HEAD")).toEqual(
    new Set(
      [...changed, "behind", "behind/a"].map((name) => `desk/${name}`).concat("elsewhere/a", "outside"),
    ),
  );
});

test("a file in the place of a folder, and a folder in that of a file, are no end of it", async () => {
  const { directory, write } = makeWorkspace({ file: "text\n", "folder/a": "text\n" });
  git(directory, "init", "-q");
  git(directory, "add", ".");
  git(directory, "commit", "-q", "-m", "first");
  rmSync(join(directory, "folder"), { recursive: true });
  rmSync(join(directory, "file"));
  mkdirSync(join(directory, "file"));
  writeFileSync(join(directory, "folder"), "text\n");
  write({ "file/b": "text\n" });
  expect(await changedFiles(directory, "HEAD")).toEqual(new Set(["file", "file/b", "folder", "folder/a"]));
});

test("what lost a patch, or has another value from a file of variables, has changed since a commit", async () => {
  const spec = (more: string) => `${manifestAt("http://127.0.0.1:9")}  environments: {staging: {}}\n${more}`;
  const agent = (name: string, more: object) => documentText("Agent", name, { name, ...more });
  const desk = makeWorkspace({
    "agentform.yaml": spec("  variables: {model: {}}\n"),
    "agents/a.yaml": agent("a", { temperature: 0.1 }),
    "agents/b.yaml": agent("b", { temperature: 0.1 }),
    "agents/c.yaml": agent("c", { model: "${var:model}" }),
    "environments/staging/a.yaml": documentText("Agent", "a", { temperature: 0.9 }),
    "environments/staging/b.yaml": documentText("Agent", "b", { temperature: 0.9 }),
    "values/staging.yaml": "model: small-1\n",
  });
  const { directory } = desk;
  const planned = async () => {
    const options = ["-e", "staging", "--var-file", "values/staging.yaml", "--changed-since", "HEAD"];
    const { out } = await runIn(directory, ["plan", ...options, "--format", "json"]);
    return (JSON.parse(out) as Plan).actions.map(({ address }) => address);
  };
  git(directory, "init", "-q", "-b", "main");
  git(directory, "add", ".");
  git(directory, "commit", "-qm", "first");
  expect(await planned()).toEqual([]);
  desk.remove("environments/staging/a.yaml");
  expect(await planned()).toEqual(["agent:a"]);
  desk.write({ "environments/staging/b.yaml": documentText("Agent", "c", { temperature: 0.9 }) });
  expect(await planned()).toEqual(["agent:a", "agent:b", "agent:c"]);
  git(directory, "add", ".");
  git(directory, "commit", "-qm", "second");
  desk.write({ "values/staging.yaml": "model: large-2\n" });
  expect(await planned()).toEqual(["agent:a", "agent:b", "agent:c"]);
  const lead = (to: string) => {
    desk.remove("values/staging.yaml");
    symlinkSync(to, join(directory, "values/staging.yaml"));
  };
  desk.write({ "values/one.yaml": "model: small-1\n", "values/two.yaml": "model: large-2\n" });
  lead("one.yaml");
  git(directory, "add", ".");
  git(directory, "commit", "-qm", "third");
  expect(await planned()).toEqual([]);
  lead("two.yaml");
  expect(await planned()).toEqual(["agent:a", "agent:b", "agent:c"]);
});
