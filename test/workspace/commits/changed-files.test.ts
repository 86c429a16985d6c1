import { execFileSync, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Plan } from "../../../src/generated/plan.js";
import { changedFiles } from "../../../src/workspace/commits/changed-files.js";
import { manifestAt, openDesk, runIn } from "../../cli/desk.js";
import { documentText, makeWorkspace } from "../../harness/disk-workspace.js";
import { needFile, needProgram } from "../../harness/need.js";
import { git } from "../../store/git-medium.js";
import { wholeTest } from "../../harness/tier.js";

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

wholeTest(
  "what lost a patch, or has another value from a file of variables, has changed since a commit",
  async () => {
    const spec = (more: string) =>
      `${manifestAt("http://127.0.0.1:9")}  environments: {staging: {}}\n${more}`;
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
  },
);

test("what a link leads to, a repository inside of this one, and what was committed with other line ends, has changed", async () => {
  const part = makeWorkspace({ "p.md": "one\n" });
  const desk = makeWorkspace({
    "real/a.md": "one\n",
    "real/inner/b.md": "one\n",
    "other/c.md": "one\n",
    "kept/d.md": "one\n",
    "lines.md": "one\ntwo\n",
  });
  const { directory } = desk;
  symlinkSync("real/a.md", join(directory, "file-link"));
  symlinkSync("real", join(directory, "folder-link"));
  symlinkSync("../other", join(directory, "real/nested-link"));
  symlinkSync("kept", join(directory, "kept-link"));
  symlinkSync("missing", join(directory, "broken-link"));
  for (const { directory: each } of [part, desk]) {
    git(each, "init", "-q");
    git(each, "config", "core.autocrlf", "false");
    git(each, "add", ".");
    git(each, "commit", "-q", "-m", "first");
  }
  expect(await changedFiles(directory, "HEAD")).toEqual(new Set());
  desk.write({ "real/a.md": "two\n" });
  expect(await changedFiles(directory, "HEAD")).toEqual(new Set(["real/a.md", "file-link", "folder-link"]));
  desk.write({ "real/a.md": "one\n", "other/c.md": "two\n" });
  expect(await changedFiles(directory, "HEAD")).toEqual(
    new Set(["other/c.md", "real/nested-link", "folder-link"]),
  );
  desk.write({ "other/c.md": "one\n", "lines.md": "one\r\ntwo\r\n" });
  expect(await changedFiles(directory, "HEAD")).toEqual(new Set());
  git(directory, "commit", "-qam", "second");
  expect(await changedFiles(directory, "HEAD~1")).toEqual(new Set(["lines.md"]));
  expect(await changedFiles(directory, "HEAD")).toEqual(new Set());
  git(directory, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", part.directory, "part");
  git(directory, "commit", "-qm", "third");
  expect(await changedFiles(directory, "HEAD")).toEqual(new Set(["part"]));
  git(directory, "clone", "-q", part.directory, "clones/one");
  expect(await changedFiles(directory, "HEAD")).toEqual(new Set(["part", "clones/one"]));
});

test("a document in a clone inside of the repository has changed since any commit", async () => {
  const desk = makeWorkspace({ "agents/a.yaml": documentText("Agent", "a", { name: "a" }) });
  const clone = makeWorkspace({ "b.yaml": documentText("Agent", "b", { name: "b" }) });
  for (const [{ directory }, files] of [
    [desk, "."],
    [clone, "b.yaml"],
  ] as const) {
    git(directory, "init", "-q", "-b", "main");
    git(directory, "add", files);
    git(directory, "commit", "-qm", "first");
  }
  git(desk.directory, "clone", "-q", clone.directory, "agents/clone");
  const { out } = await runIn(desk.directory, ["plan", "--changed-since", "HEAD", "--format", "json"]);
  expect((JSON.parse(out) as Plan).actions.map(({ address }) => address)).toEqual(["agent:b"]);
});

wholeTest(
  "changed since a commit is also what no document names any more, and what is behind a link",
  async () => {
    const agents = (...names: string[]) =>
      names.map((name) => documentText("Agent", name, { name })).join("\n---\n");
    const made = `apiVersion: agentform/v1
kind: Agent
metadata: {name: "s-\${each:key}"}
for_each: \${file:../keys.yaml}
spec: {name: S}
`;
    const desk = await openDesk({
      "agents/a.yaml": agents("a", "b", "c"),
      "agents/made.yaml": made,
      "keys.yaml": "de: {}\nfr: {}\n",
      "prompts/real/p.md": "one\n",
      "agents/linked.yaml": documentText("Agent", "linked", {
        name: "linked",
        system_prompt: "${file:../prompts/behind/p.md}",
      }),
    });
    const { directory } = desk.workspace;
    symlinkSync("real", join(directory, "prompts/behind"));
    git(directory, "init", "-q", "-b", "main");
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    const commit = () => {
      git(directory, "add", ".");
      git(directory, "commit", "-qm", "next");
    };
    const planned = async () => {
      const { out } = await desk.run("plan", "--changed-since", "HEAD", "--format", "json");
      return (JSON.parse(out) as Plan).actions.map(({ action, address }) => `${action} ${address}`);
    };
    commit();
    // A move alone changes no lock, which then names a file that is gone, or that has others.
    desk.workspace.remove("agents/a.yaml");
    desk.workspace.remove("agents/made.yaml");
    desk.workspace.write({
      "agents/a.yaml": agents("a"),
      "agents/b.yaml": agents("b", "c"),
      "agents/m.yaml": made,
    });
    expect(await planned()).toEqual([]);
    commit();
    desk.workspace.write({ "agents/b.yaml": agents("b") });
    expect(await planned()).toEqual(["forget agent:c"]);
    desk.workspace.write({ "keys.yaml": "de: {}\n" });
    expect(await planned()).toEqual(["forget agent:c", "forget agent:s-fr"]);
    desk.workspace.write({ "keys.yaml": "{}\n", "prompts/real/p.md": "two\n" });
    const gone = ["forget agent:c", "forget agent:s-de", "forget agent:s-fr"];
    expect(await planned()).toEqual(["update agent:linked", ...gone]);
  },
);

test("a value of a variable that no commit has counts where it is used, and nowhere else", async () => {
  const prompt = "${template:../prompts/p.md}";
  const desk = await openDesk({
    "agentform.yaml": "",
    ".gitignore": "local/\n",
    "local/values.yaml": "model: small-1\n",
    "agents/used.yaml": documentText("Agent", "used", { name: "used", model: "${var:model}" }),
    "agents/included.yaml": documentText("Agent", "included", { name: "included", system_prompt: prompt }),
    "agents/other.yaml": documentText("Agent", "other", { name: "other", model: "${var:other}" }),
    "prompts/p.md": "${var:model}\n",
  });
  const manifest = (other: string) =>
    manifestAt(desk.emulator.url, `  variables: {model: small-1, other: ${other}}\n`);
  desk.workspace.write({ "agentform.yaml": manifest("x") });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  const { directory } = desk.workspace;
  desk.workspace.write({ "agentform.yaml": manifest("y") });
  git(directory, "init", "-q", "-b", "main");
  git(directory, "add", ".");
  git(directory, "commit", "-qm", "first");
  const planned = async (...options: string[]) => {
    const { out } = await desk.run("plan", "--changed-since", "HEAD", ...options, "--format", "json");
    return (JSON.parse(out) as Plan).actions.map(({ address }) => address);
  };
  const users = ["agent:included", "agent:used"];
  expect(await planned()).toEqual([]);
  expect(await planned("--var", "model=large-2")).toEqual(users);
  desk.workspace.write({ "local/values.yaml": "model: large-2\n" });
  expect(await planned("--var-file", "local/values.yaml")).toEqual(users);
  const outside = makeWorkspace({ "values.yaml": "model: large-2\n" });
  expect(await planned("--var-file", join(outside.directory, "values.yaml"))).toEqual(users);
  // What a commit of another repository has says nothing of this one's.
  git(outside.directory, "init", "-q", "-b", "main");
  git(outside.directory, "add", ".");
  git(outside.directory, "commit", "-qm", "first");
  git(directory, "clone", "-q", outside.directory, "clone");
  expect(await planned("--var-file", "clone/values.yaml")).toEqual(users);
});

/** A committed workspace with an agent whose model is a variable without a value. */
async function committedWithVariable() {
  const { run, workspace } = await openDesk({
    "agents/a.yaml": documentText("Agent", "a", { name: "a", model: "${var:model}" }),
  });
  workspace.write({ "agentform.yaml": manifestAt("http://127.0.0.1:9", "  variables: {model: {}}\n") });
  const { directory } = workspace;
  git(directory, "init", "-q", "-b", "main");
  git(directory, "add", ".");
  git(directory, "commit", "-qm", "first");
  return { run, directory };
}

test("a file of variables may be a pipe, which is read once", async () => {
  needProgram("mkfifo");
  const { run } = await committedWithVariable();
  const pipe = join(makeWorkspace({}).directory, "pipe");
  execFileSync("mkfifo", [pipe]);
  const writer = spawn("sh", ["-c", 'echo "model: large-2" > "$1"; while : > "$1"; do :; done', "sh", pipe], {
    stdio: "ignore",
  });
  onTestFinished(() => void writer.kill());
  const { out } = await run("plan", "--changed-since", "HEAD", "--var-file", pipe);
  expect(out).toContain("Plan: 1 to create.");
});

test("a file of variables may have no name, as a pipe that a shell makes", async () => {
  needFile("/proc/self/fd");
  const { directory } = await committedWithVariable();
  const values = makeWorkspace({ "values.yaml": "model: large-2\n" });
  const fd = openSync(join(values.directory, "values.yaml"), "r");
  onTestFinished(() => closeSync(fd));
  values.remove("values.yaml");
  const options = ["--changed-since", "HEAD", "--var-file", `/proc/self/fd/${fd}`];
  const { out } = await runIn(directory, ["plan", ...options]);
  expect(out).toContain("Plan: 1 to create.");
});

test("a clone without the earlier contents has a narrow plan, with all that is gone", async () => {
  const agent = (name: string, more = {}) => documentText("Agent", name, { name, ...more });
  const desk = await openDesk({
    "agents/a.yaml": agent("a"),
    "agents/b.yaml": agent("b"),
    "agents/c.yaml": agent("c"),
  });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  // What differs already is no part of it.
  desk.workspace.write({ "agents/b.yaml": agent("b", { model: "large-2" }) });
  const { directory } = desk.workspace;
  git(directory, "init", "-q", "-b", "main");
  git(directory, "config", "uploadpack.allowFilter", "true");
  git(directory, "add", ".");
  git(directory, "commit", "-qm", "first");
  desk.workspace.remove("agents/c.yaml");
  desk.workspace.write({ "agents/a.yaml": agent("a", { model: "large-2" }) });
  git(directory, "add", ".");
  git(directory, "commit", "-qm", "second");
  const clone = join(makeWorkspace({}).directory, "clone");
  git(directory, "clone", "-q", "--filter=blob:none", `file://${directory}`, clone);
  const options = ["--changed-since", "HEAD~1", "--format", "json"];
  const { out } = await runIn(clone, ["plan", ...options]);
  const planned = (JSON.parse(out) as Plan).actions.map(({ action, address }) => `${action} ${address}`);
  expect(planned).toEqual(["update agent:a", "forget agent:c"]);
});
