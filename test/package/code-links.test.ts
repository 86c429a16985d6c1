import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { sample } from "../harness/tier.js";
import { runInTerminal } from "./run-in-terminal.js";

const link = /\u001b\]8;;(file:[^\u001b]*)\u001b\\([^\u001b]*)\u001b\]8;;\u001b\\/g;

/** A workspace with a document of an unknown kind, whose name is the escape sequence of a link. */
function openBroken(): string {
  const kind = "\u001b]8;;https://example.net\u001b\\error[yaml-syntax]";
  return makeWorkspace({ "agents/a.yaml": documentText(kind, "a", { name: "A" }) }).directory;
}

async function run(words: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { ended, written } = runInTerminal(openBroken(), words, env);
  await ended;
  return written();
}

test.each(sample("links", ["validate", "plan"], 1))("%s links codes to the installed page", async (words) => {
  const written = await run(words, { FORCE_HYPERLINK: "1" });
  const [[, address = "", shown] = [], ...others] = [...written.matchAll(link)];
  expect(others).toEqual([]);
  expect(shown).toBe("document-kind");
  const url = new URL(address);
  expect({ host: url.hostname, hash: url.hash }).toEqual({
    host: hostname().toLowerCase(),
    hash: "#document-kind",
  });
  url.hostname = "";
  url.hash = "";
  expect(readFileSync(fileURLToPath(url), "utf8")).toContain('<h3 id="document-kind">');
  // Without the links it is what a terminal without links gets, to the byte.
  expect(written.replaceAll(link, "$2")).toBe(await run(words));
});

test("a terminal that takes links is known by its own variables", async () => {
  expect(await run("validate", { VTE_VERSION: "6003" })).toMatch(link);
});

const without = [
  { words: "validate", env: {} },
  { words: "validate | cat", env: { FORCE_HYPERLINK: "1" } },
  { words: "plan 2>&1 >/dev/null | cat", env: { FORCE_HYPERLINK: "1", FORCE_COLOR: "1" } },
  { words: "validate --no-color", env: { FORCE_HYPERLINK: "1" } },
  { words: "validate", env: { FORCE_HYPERLINK: "1", NO_COLOR: "1" } },
  { words: "validate", env: { FORCE_HYPERLINK: "1", CI: "true" } },
  { words: "validate", env: { FORCE_HYPERLINK: "1", TERM: "dumb" } },
  { words: "validate", env: { FORCE_HYPERLINK: "0", VTE_VERSION: "6003" } },
  { words: "validate --format json", env: { FORCE_HYPERLINK: "1" } },
];

test.each(sample("outputs without links", without, 3))(
  "$words with $env has no links",
  async ({ words, env }) => {
    const written = await run(words, env);
    expect(written).toContain("document-kind");
    expect(written).not.toContain("\u001b]8");
  },
);
