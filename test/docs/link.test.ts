import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const files = [
  ...readdirSync(".").filter((file) => file.endsWith(".md")),
  ...["docs", "examples", "schemas"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md"))
      .map((file) => join(folder, file)),
  ),
];

test("there are documents", () => {
  expect(files).toEqual(
    expect.arrayContaining(["README.md", "ARCHITECTURE.md", join("docs", "reference", "cli.md")]),
  );
});

test.each(files)("every link of %s leads to a file, and every heading that it names is there", (file) => {
  const text = readFileSync(file, "utf8");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const broken = links.filter((link) => !/^https?:/.test(link) && !leadsSomewhere(file, link));
  expect(broken).toEqual([]);
});

// What a document calls by its path is easily left behind when the file is renamed.
test.each(files.filter((file) => !/CHANGELOG|^examples|decisions/.test(file)))(
  "every path that %s names in backticks exists",
  (file) => {
    const text = readFileSync(file, "utf8");
    const named = [...text.matchAll(/`((?:src|test|docs|scripts|schemas|examples)\/[\w./-]+)`/g)];
    const missing = named.map(([, path = ""]) => path).filter((path) => !existsSync(path));
    expect(missing).toEqual([]);
  },
);

test("every script that the documents run is one", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const texts = ["README.md", "CONTRIBUTING.md"].map((file) => readFileSync(file, "utf8")).join("\n");
  const run = [...texts.matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name);
  expect(run.length).toBeGreaterThan(0);
  expect(run.filter((name) => !(name in scripts))).toEqual([]);
});

// `npm ci` refuses a folder without one; in a clone, one that git ignores is not there.
test("every folder in which the documents run `npm ci` has a lockfile", () => {
  const texts = files.map((file) => readFileSync(file, "utf8")).join("\n");
  const folders = [...texts.matchAll(/npm ci [^\n]*--prefix ([\w./-]+)/g)].map(([, folder = ""]) => folder);
  expect(folders.length).toBeGreaterThan(0);
  expect(folders.filter((folder) => !existsSync(join(folder, "package-lock.json")))).toEqual([]);
});

function leadsSomewhere(from: string, link: string): boolean {
  const [path = "", heading] = link.split("#");
  const target = path === "" ? from : join(dirname(from), path);
  if (!existsSync(target)) return false;
  return heading === undefined || headings(readFileSync(target, "utf8")).includes(heading);
}

function headings(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("the list of decisions has all of them", () => {
  const folder = join("docs", "project", "decisions");
  const index = readFileSync(join(folder, "README.md"), "utf8");
  const records = readdirSync(folder).filter((name) => name !== "README.md");
  expect(records.length).toBeGreaterThan(5);
  expect(records.filter((name) => !index.includes(`(${name})`))).toEqual([]);
});

// Measurements name the same thing more than once.
test.each(files.filter((file) => !file.endsWith("performance.md")))(
  "no table of %s has a row twice",
  (file) => {
    const tables = readFileSync(file, "utf8").split(/\n(?!\|)/);
    const doubled = tables.flatMap((table) => {
      const names = table.split("\n").map((line) => /^\| (.+?) (?<!\\)\|/.exec(line)?.[1]);
      return names.filter((name, index) => name !== undefined && names.indexOf(name) < index);
    });
    expect(doubled).toEqual([]);
  },
);
