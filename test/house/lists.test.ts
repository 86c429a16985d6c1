import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { kinds } from "../../src/core/kind/kinds.js";

/** The words for each of several things, by its name. */
type Words = Readonly<Record<string, readonly string[]>>;

const schema = JSON.parse(readFileSync("schemas/workspace.schema.json", "utf8"));
const stores: readonly string[] = schema.properties.spec.properties.lock.properties.store.enum;

const kindWords: Words = Object.fromEntries(
  Object.values(kinds).map(({ name, document, noun, folder }) => [name, [name, document, ...noun, folder]]),
);

// What is beside the manifest is often the rest, or the default.
const storeWords: Words = Object.fromEntries(
  stores.filter((store) => store !== "file").map((store) => [store, [store, `${store}ql`]]),
);

const folders = ["docs", "src", "ci", "scripts", "bench", "test", "examples", "site/.vitepress"];
const others = ["README.md", "ARCHITECTURE.md", "package.json", "action.yml"];
// What others wrote or write, what is made, and what was decided once.
const notOurs =
  /(^|\/)(node_modules|fixtures|generated|peers|dist|cache|decisions|interface\.md|lists\.test\.ts)(\/|$)/u;

const files = [
  ...others,
  ...folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  ),
]
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => /\.(?:md|tsx?|m?js|json|ya?ml|sh|css|html)$/u.test(path) && !notOurs.test(path));

// What stands between the parts of a list: signs, and small words.
const between = /^(?:[\s,;|/:"'`(){}[\]$^<>*?=-]|\b(?:and|or|an?|its|their|the|as|const|true|false)\b)*$/iu;

/**
 * Gives the lists of a text that name three or more of the things, one after the other, or four in one line, where the
 * lines that hold them do not name all, or all but one that is apart.
 */
function incompleteIn(text: string, words: Words, apart: readonly string[]): string[] {
  const names = Object.keys(words);
  const groups = Object.values(words).map((each) => `(${each.join("|")})`);
  const word = new RegExp(String.raw`(?<![\w-])(?:${groups.join("|")})(?![\w-])`, "giu");
  const namesIn = (part: string) =>
    new Set(Array.from(part.matchAll(word), ([, ...found]) => names[found.findIndex(Boolean)]));
  const runs: { start: number; end: number }[] = [];
  for (const { index, 0: found } of text.matchAll(word)) {
    const last = runs.at(-1);
    if (last && between.test(text.slice(last.end, index))) last.end = index + found.length;
    else runs.push({ start: index, end: index + found.length });
  }
  return runs.flatMap(({ start, end }) => {
    const lineEnd = text.indexOf("\n", end);
    const lines = text.slice(text.lastIndexOf("\n", start) + 1, lineEnd === -1 ? undefined : lineEnd);
    const named = namesIn(lines);
    const isList = named.size > 3 || namesIn(text.slice(start, end)).size > 2;
    const missing = names.filter((name) => !named.has(name)).join();
    if (!isList || ["", ...apart].includes(missing)) return [];
    return [(named.size > 3 ? lines : text.slice(start, end)).trim().replaceAll(/\s+/gu, " ")];
  });
}

/** Gives the first two columns of each table of a page as lists. */
function columnsOf(page: string): string {
  const tables = page.match(/(?:^\|.*\n)+/gmu) ?? [];
  return tables
    .flatMap((table) => [1, 2].map((cell) => table.split("\n").map((row) => row.split("|")[cell] ?? "")))
    .map((cells) => cells.map((cell) => cell.replaceAll(/\b(?:in|on|over|ref|store)\b/gu, "")).join(","))
    .join("\n\n");
}

function incompleteLists(words: Words, apart: readonly string[]): string[] {
  const found = files.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const lists = [text, ...(file.endsWith(".md") ? [columnsOf(text)] : [])];
    return lists.flatMap((each) => incompleteIn(each, words, apart).map((list) => `${file}: ${list}`));
  });
  return [...new Set(found)];
}

// What is new is asked for wherever all that there was is named.
describe("a list of three or more names all, but for these few:", () => {
  test("kinds, where policies are apart, which guard, or tool sets, which have several IDs", () => {
    expect(incompleteLists(kindWords, ["policy", "toolset"])).toEqual([
      'test/review/desk.ts: agents, policies, toolsets] = (["agent", "policy", "toolset',
      "test/review/desk.ts: agents, policies, toolsets",
      "test/review/planted-plan.ts: agents, policies, toolsets",
      'test/rules/edited-lock.test.ts: policies", "toolsets", "credentials',
    ]);
  });

  test("stores on a server", () => {
    expect(incompleteLists(storeWords, [])).toEqual([
      "bench/stores.mjs: http, s3, postgres",
      'test/cli/begun-elsewhere.test.ts: http", "s3"], ["s3", "git',
      'test/trust/state-place.test.ts: http", "[git]", "{}", "postgres',
    ]);
  });
});
