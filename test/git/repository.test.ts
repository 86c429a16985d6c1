import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { filesIn } from "../../src/git/commit-files.js";
import { GitError } from "../../src/git/git-process.js";
import { ignoredNames } from "../../src/git/listed-names.js";
import { findRepository, repositoryFolder } from "../../src/git/repository.js";
import { openRepository } from "../../src/git/run-git.js";
import { needProgram } from "../harness/need.js";
import { git, gitCallsOf, makeGitMedium } from "../store/git-medium.js";

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentform-repository-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function makeRepository(folder: string): string {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "-q");
  git(folder, "commit", "-q", "--allow-empty", "-m", "first");
  return folder;
}

/** Writes what git takes for a bare repository. */
function makeBareShape(folder: string): string {
  for (const name of ["objects", "refs"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(folder, "config"), "[core]\n\trepositoryformatversion = 0\n");
  return folder;
}

test("the nearest folder with a .git is the top, and what looks like a bare repository is only a folder", () => {
  const root = makeRepository(join(makeFolder(), "desk"));
  const folder = makeBareShape(join(root, "fleet", "desk"));
  const gitDir = join(root, ".git");
  expect(findRepository(folder)).toEqual({ root, gitDir, commonDir: gitDir });
  expect(repositoryFolder(folder)).toBe("fleet/desk/");
  expect(findRepository(makeBareShape(join(makeFolder(), "alone")))).toBeUndefined();
});

// The second is that of a home folder that is in git.
test.each(["no repository", "a repository"])(
  "below %s, a work tree beside the first, one of a bare repository and a submodule are found",
  (around) => {
    const folder = makeFolder();
    if (around === "a repository") makeRepository(folder);
    const main = makeRepository(join(folder, "main"));
    const beside = join(folder, "beside");
    git(main, "worktree", "add", "-q", beside);
    expect(findRepository(beside)).toEqual({
      root: beside,
      gitDir: join(main, ".git/worktrees/beside"),
      commonDir: join(main, ".git"),
    });

    const project = join(folder, "project");
    git(folder, "clone", "-q", "--bare", main, join(project, ".bare"));
    writeFileSync(join(project, ".git"), "gitdir: ./.bare\n");
    git(project, "worktree", "add", "-q", join(project, "tree"), "HEAD");
    expect(findRepository(join(project, "tree"))?.commonDir).toBe(join(project, ".bare"));

    git(main, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", project, "sub");
    expect(findRepository(join(main, "sub"))?.gitDir).toBe(join(main, ".git/modules/sub"));
  },
);

test.each(["gitdir: evil", "gitdir: ../evil", "gitdir: .", "gitdir: nowhere", "gitdir: ", "", "[core]"])(
  "a .git file `%s` leads to no folder that a commit could have brought",
  (text) => {
    const root = makeRepository(makeFolder());
    makeBareShape(join(root, "evil"));
    const desk = makeBareShape(join(root, "desk"));
    makeBareShape(join(desk, "evil"));
    writeFileSync(join(desk, ".git"), `${text}\n`);
    expect(findRepository(desk)).toBeUndefined();
  },
);

test("what git ignores and does not track is told by its name from the folder", () => {
  const root = makeRepository(makeFolder());
  const desk = join(root, "desk");
  for (const folder of ["build", "kept"]) mkdirSync(join(desk, folder), { recursive: true });
  const files = [
    "kept.txt",
    ":(glob)*secret.txt",
    "tracked.txt",
    "build/a",
    "build/b",
    "kept/a",
    "kept/secret.txt",
  ];
  for (const file of files) writeFileSync(join(desk, file), "text\n");
  writeFileSync(join(root, ".gitignore"), "*secret.txt\ntracked.txt\nbuild/\n");
  git(root, "add", "--force", "desk/tracked.txt");
  expect(ignoredNames(desk)).toEqual(new Set([":(glob)*secret.txt", "build", "kept/secret.txt"]));
  expect(ignoredNames(root)).toEqual(
    new Set(["desk/:(glob)*secret.txt", "desk/build", "desk/kept/secret.txt"]),
  );
  expect(ignoredNames(makeFolder())).toEqual(new Set());
});

test("where a folder is ignored as a whole, nothing in it is told; what is tracked there changes that", () => {
  const root = makeRepository(makeFolder());
  const desk = join(root, "desk");
  mkdirSync(desk);
  for (const file of ["a", "b"]) writeFileSync(join(desk, file), "text\n");
  writeFileSync(join(root, ".gitignore"), "desk/\n");
  expect(ignoredNames(desk)).toEqual(new Set());
  git(root, "add", "--force", "desk/a");
  expect(ignoredNames(desk)).toEqual(new Set(["b"]));
});

test("a `.git` that is a link to nothing is not taken for none", () => {
  needProgram("git");
  const root = makeFolder();
  symlinkSync("../nowhere", join(root, ".git"));
  expect(findRepository(root)).toBeUndefined();
  expect(() => ignoredNames(root)).toThrow(GitError);
});

test("where git refuses to answer, that is not taken for nothing", () => {
  needProgram("git");
  const root = makeFolder();
  mkdirSync(join(root, ".git"));
  expect(() => ignoredNames(root)).toThrow("git cannot list the files that it ignores");
});

test("what a commit has is listed once, and that of another one anew", async () => {
  const directory = makeGitMedium().clone("desk");
  const commit = (file: string) => {
    writeFileSync(join(directory, file), "");
    git(directory, "add", file);
    git(directory, "commit", "-q", "-m", file);
    return git(directory, "rev-parse", "HEAD");
  };
  const [first, second] = [commit("one"), commit("two")];
  const namesIn = async (id: string, ...paths: readonly string[]) =>
    (await filesIn(directory, id, paths)).map(({ file }) => file);
  expect(await namesIn(first)).toEqual(["one"]);
  const calls = await gitCallsOf(async () => expect(await namesIn(first)).toEqual(["one"]));
  expect(calls).toEqual([""]);
  expect(await namesIn(second)).toEqual(["one", "two"]);
  expect(await namesIn(second, "two")).toEqual(["two"]);
});

test("git is asked once who owns a work tree, and anew of another one with the same git folder", async () => {
  const directory = makeGitMedium().clone("desk");
  const other = makeFolder();
  mkdirSync(join(directory, "inside"));
  writeFileSync(join(other, ".git"), `gitdir: ${join(directory, ".git")}\n`);
  const asked = async (folder: string) => {
    const calls = await gitCallsOf(async () => openRepository(folder));
    return calls.filter((call) => call.includes("--absolute-git-dir")).length;
  };
  expect([await asked(directory), await asked(join(directory, "inside")), await asked(other)]).toEqual([
    1, 0, 1,
  ]);
});
