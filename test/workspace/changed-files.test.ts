import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { changedFiles } from "../../src/workspace/changed-files.js";
import { makeWorkspace } from "../harness/disk-workspace.js";
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
