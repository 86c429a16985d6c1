import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandFacts } from "../../src/cli/command-effects.js";
import { explainedDiagnostics, explainedNotes } from "../../src/generated/explanations.js";
import { schemas } from "../../src/generated/schemas.js";
import { loadCommands } from "../docs/command-reference.js";
import { makeWorkspace } from "../harness/disk-workspace.js";
import { sample } from "../harness/tier.js";
import { openDesk, runIn } from "./desk.js";
import { prepare } from "./help/example-site.js";
import { expectOf, expectOutput } from "./json-schemas.js";

// A protocol, and scripts of shells.
const notJson = ["completion", "language-server"];

// These end with a signal, an editor or a job of a forge; their answers have tests of their own.
const notRun = ["emulator", "language-server", "comment"];

// Words that its examples do not have.
const moreLines: Readonly<Record<string, readonly string[]>> = {
  apply: ["agentform apply"],
  prune: ["agentform prune"],
  import: ["agentform import --all"],
  explain: [
    "agentform explain",
    "agentform explain example",
    `agentform explain ${explainedNotes[0]?.code}`,
    `agentform explain ${explainedDiagnostics[0]?.code}`,
    "agentform explain agent",
    "agentform explain policy.spec.banned_topics",
  ],
  help: ["agentform help", "agentform help lock", "agentform help exit-codes", "agentform help lock resolve"],
  plan: [
    "agentform plan --out /nonexistent/plan.json",
    "agentform plan --max-bytes 3000 --replace agent:support",
  ],
  output: ["agentform output --out ids.json"],
};

const leaves = await loadCommands();

const required: Readonly<Record<string, readonly string[]>> = {
  comment: ["--plan", "plan.json"],
  "lock move": ["--to", "git"],
};

describe("every command", () => {
  test("has its facts, and its result a schema", () => {
    expect(Object.keys(commandFacts).toSorted()).toEqual(leaves.map(({ name }) => name).toSorted());
    for (const { schema } of Object.values(commandFacts)) {
      if (schema !== null) expect(Object.keys(schemas)).toContain(schema);
    }
  });

  test("has JSON, but for protocols and scripts", () => {
    const without = leaves.filter(({ formats }) => !formats.includes("json")).map(({ name }) => name);
    expect(without.toSorted()).toEqual(notJson);
  });

  test.each(leaves)("$name with a wrong command line is one document", async ({ name, path }) => {
    for (const format of [["--format", "json"], ["--format=json"]]) {
      const { code, out, err } = await runIn("/nonexistent", [
        ...path,
        ...(required[name] ?? []),
        "--no-such-option",
        ...format,
      ]);
      expect(code).toBe(64);
      expect(err).toContain("--no-such-option");
      expectOf("diagnostics", JSON.parse(out));
      expect(JSON.parse(out)).toMatchObject({ diagnostics: [{ code: "command-line" }] });
    }
  });
});

test("a command that does not exist is one document", async () => {
  const { code, out } = await runIn("/nonexistent", ["plam", "--format", "json"]);
  expect(code).toBe(64);
  expect(JSON.parse(out)).toMatchObject({ diagnostics: [{ code: "command-line" }] });
});

test.each([["--version"], ["-V"]])("%s is one document", async (option) => {
  for (const format of [["--format", "json"], ["--format=json"]]) {
    const { code, out } = await runIn("/nonexistent", [option, ...format]);
    expect(code).toBe(0);
    expectOf("version", JSON.parse(out));
  }
  expect((await runIn("/nonexistent", [option])).out).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
});

test("what comes after `--`, and a value of another option, asks for nothing", async () => {
  expect((await runIn("/nonexistent", ["plan", "--no-such-option", "--", "--format", "json"])).out).toBe("");
});

const needsWorkspace = leaves.filter(
  ({ name }) =>
    !["init", "show", "comment", "emulator", "schema", "help", "explain", ...notJson].includes(name),
);
const missingArguments: Readonly<Record<string, readonly string[]>> = {
  import: ["--all"],
  "lock show": ["agent:a"],
  "lock resolve": ["agent:a", "--not-created"],
  "lock move": ["--to", "git"],
  "lock unlock": ["0123456789abcdef"],
};

describe("without a workspace", () => {
  test.each(needsWorkspace)("$name gives one document", async ({ name, path }) => {
    const { directory, remove } = makeWorkspace({});
    remove("agentform.yaml");
    const words = [...path, ...(missingArguments[name] ?? [])];
    const { code, out } = await runIn(directory, [...words, "--format", "json"]);
    expect(code).toBe(1);
    const { schema } = commandFacts[name] ?? {};
    const documents = expectOutput(schema === "apply" ? "apply" : "diagnostics", out);
    expect(JSON.stringify(documents)).toContain("agentform init");
  });
});

test("init that is refused gives one document", async () => {
  const { directory } = makeWorkspace({});
  const { code, out } = await runIn(directory, ["init", "--format", "json"]);
  expect(code).toBe(1);
  expectOf("diagnostics", JSON.parse(out));
  mkdirSync(join(directory, "sub"));
  const below = await runIn(join(directory, "sub"), ["init", "--format", "json"]);
  expect(JSON.parse(below.out)).toMatchObject({ diagnostics: [{ code: "init-refused" }] });
});

const runs = leaves
  .filter(({ name }) => !notRun.includes(name) && !notJson.includes(name) && commandFacts[name]?.schema)
  .flatMap(({ name, lines }) =>
    [...lines, ...(moreLines[name] ?? [])]
      .filter(
        (line) =>
          line.startsWith(`agentform ${name}`) &&
          !line.includes("--watch") &&
          !line.includes("--layers") &&
          !line.includes("{store"),
      )
      .map((line) => ({ name, line })),
  );

/** The schema of the result of a command line: an option may give another than the command has. */
function schemaOf(name: string, words: readonly string[]): string {
  const { schema, optionSchemas = {} } = commandFacts[name] ?? {};
  const option = words.find((word) => Object.hasOwn(optionSchemas, word));
  return (option === undefined ? schema : optionSchemas[option]) ?? "";
}

describe("the result of", () => {
  test.each(sample("results as JSON", runs, 30))("$line is as its schema says", async ({ name, line }) => {
    const { directory, words } = await prepare(name, line);
    const { code, out } = await runIn(directory, asJson(words));
    const schema = schemaOf(name, words);
    const isRefused = out.includes('"agentform/diagnostics/v1"') && schema !== "diagnostics";
    expectOutput(isRefused ? "diagnostics" : schema, out);
    if (isRefused) expect(code).toBe(1);
  });
});

test("a refused plan that was to be saved is nothing but the refusal", async () => {
  const { run } = await openDesk();
  const { code, out } = await run("plan", "--out", "missing/plan.json", "--format", "json");
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ diagnostics: [{ code: "output-unwritten" }] });
});

function asJson(words: readonly string[]): string[] {
  const at = words.indexOf("--format");
  const others = at === -1 ? words : [...words.slice(0, at), ...words.slice(at + 2)];
  return [...others, "--format", "json"];
}
