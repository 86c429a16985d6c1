import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { withoutActions } from "../../src/core/expression/expression.js";
import { parseEditFile } from "../../src/core/lock-edit/lock-edit-file.js";
import { checkOperations } from "../../src/core/resources/service-operations.js";
import { deadText } from "../../src/render/words/log-text.js";
import { documentText, makeWorkspace, manifest } from "../harness/disk-workspace.js";
import { sample, wholeTest } from "../harness/tier.js";
import { runCommand } from "./run-command.js";

// A pattern with a group that repeats has a place of the engine's stack for each repeat, and about 64 MB for all.
const many = 6_000_000;

describe("millions of equal pieces in one text do not end a command", () => {
  const texts = [
    {
      name: "doubled quotes of a cell",
      run: () => parseEditFile(`address,id\nagent:a,"${'""'.repeat(many)}"`, "ids.csv").entries[0]?.value,
      gives: '"'.repeat(many),
    },
    {
      name: "parts of a name in an expression of another program",
      run: () => withoutActions(`\${{ secrets.${"a.".repeat(many)}KEY }}`),
      gives: "${env:KEY}",
    },
    {
      name: "characters of a path",
      run: () => {
        const read = `GET /${"a".repeat(many)}%2/{id}`;
        const { message } = checkOperations(
          {
            apiVersion: "agentform/v1",
            kind: "Workspace",
            metadata: { name: "desk" },
            spec: { service: { operations: { agent: { read } } } },
          },
          (path) => ({ file: "agentform.yaml", path }),
        )[0] ?? { message: "" };
        return message.endsWith("cannot be sent as written");
      },
      gives: true,
    },
    {
      name: "characters in a command for the log of a job that cannot be seen",
      run: () => deadText(`#${"\u0301".repeat(many)}#[error]`).startsWith("\\x23"),
      gives: true,
    },
  ];
  test.each(sample("texts of millions of pieces", texts, 0))("$name", ({ run, gives }) => {
    // A failure must not print them.
    expect(run() === gives).toBe(true);
  });
});

describe("a path of a hundred thousand characters is not looked for", () => {
  const path = `${"a/".repeat(50_000)}a.yaml`;
  const places = [
    ["agentform.yaml", manifest.replace("spec:", `spec:\n  include: [${path}]`)],
    ["agents/one.yaml", documentText("Agent", "one", { name: "One", system_prompt: `\${file:${path}}` })],
    ["agents/one.yaml", documentText("Agent", "one", { name: "One", system_prompt: `\${template:${path}}` })],
  ] as const;
  test.each(sample("places of long paths", places, 2))("in %s", async (file, text) => {
    const { directory } = makeWorkspace({ "agentform.yaml": manifest, [file]: text });
    const { code, stdout } = await runCommand(["validate"], { cwd: directory });
    expect(stdout).toContain("error[file-missing]: a path must not have more than 4,096 characters");
    expect(code).toBe(1);
  });
});

test("no pattern of a schema repeats a group without a bound", () => {
  const texts = readdirSync("schemas", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .map((file) => readFileSync(`schemas/${file}`, "utf8"));
  const found: string[] = texts.flatMap((text) => text.match(/"pattern": ".*?(?<!\\)"/g) ?? []);
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter((pattern) => /\)[*+]/.test(pattern))).toEqual([]);
});

wholeTest("a place in an answer with millions of parts is refused or taken like any other", async () => {
  const place = (id: string) => `spec: {service: {id_pointers: {policy: "${id}"}}}`;
  const text = (id: string) =>
    `apiVersion: agentform/v1\nkind: Workspace\nmetadata: {name: desk}\n${place(id)}\n`;
  const run = async (id: string) =>
    await runCommand(["validate"], { cwd: makeWorkspace({ "agentform.yaml": text(id) }).directory });
  const { code, stdout } = await run(`${"/a".repeat(many / 2)}~2`);
  expect(stdout.slice(0, 10_000)).toContain("which is not a JSON pointer");
  expect(code).toBe(1);
  expect((await run("/a".repeat(many / 2))).stdout.slice(0, 10_000)).not.toContain("JSON pointer");
});

describe("an edit of a text of millions of equal pieces is planned", () => {
  const edits = [
    ["accents that come", "Short", `#${"\u0301".repeat(many)}#[x]`],
    ["markers of lists that go", "- ".repeat(many), "Short"],
    ["signs of which none ends a sentence", `${".;".repeat(many)}a\n- Never lie.`, "Short"],
  ] as const;
  test.each(sample("edits of long texts", edits, 0))("of %s", async (_, before, after) => {
    const text = (description: string): string => documentText("Agent", "one", { name: "One", description });
    const file = "agents/one.yaml";
    const { directory, write } = makeWorkspace({ "agentform.yaml": manifest, [file]: text(before) });
    const run = async (...args: string[]) => await runCommand([...args, "--emulator"], { cwd: directory });
    expect((await run("apply", "--yes")).code).toBe(0);
    write({ [file]: text(after) });
    const { code, stdout, stderr } = await run("plan");
    expect(code, stderr.slice(0, 1000)).toBe(0);
    expect(stdout.includes("1 to update")).toBe(true);
  });
});
