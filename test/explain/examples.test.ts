import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { rules } from "../../src/core/guardrails/rules.js";
import { codes } from "../../src/generated/codes.js";
import { explainedNotes } from "../../src/generated/explanations.js";
import { runIn } from "../cli/desk.js";
import { makeWorkspace } from "../harness/disk-workspace.js";
import { sample } from "../harness/tier.js";
import { assemble } from "./assemble.js";
import { explained, type Example, type Lines } from "./example.js";

const manifest = "agentform.yaml";

const large = "the file that has it is large";
const git = "it comes from a git repository and its history";
const service = "it comes from an answer of the service";
const sending = "it comes when an apply begins to send";
const machine = "it comes from the machine or its disk";
const store = "it comes from a store on a network";
const keyed = "it depends on the key of a seal, which is no file";
const narrowed = "it comes when an option leaves out resources";
const beside = "it is of a command line or its surroundings, not of a workspace";
const steps = "it takes several commands, or two at once";

/** The codes without an example that can be run, each with the reason. */
const withoutExample: Readonly<Record<string, string>> = {
  "git-failed": git,
  "file-unreadable": machine,
  "file-too-large": large,
  "file-encoding": "an example is a text, and this file is none",
  "yaml-alias-limit": large,
  "yaml-too-large": large,
  "too-deep": large,
  "too-many-documents": large,
  "document-too-large": large,
  "first-apply": steps,
  "for-each-too-large": large,
  "too-many-findings": large,
  "expansion-too-large": large,
  "openapi-too-large": large,
  "reference-tool-unmapped": service,
  "secret-missing": sending,
  "api-key-missing": sending,
  "api-key-invalid": sending,
  "certificate-invalid": sending,
  "proxy-invalid": sending,
  "object-unreadable": service,
  "object-not-compared": service,
  "service-rejected": service,
  "tool-ids-unsettled": service,
  "uses-cycle": git,
  "uses-other-service": git,
  "lock-history-cut": git,
  "base-unread": git,
  "lock-behind": git,
  "lock-too-large": large,
  "environment-gone": store,
  "workspace-removed": git,
  "lock-absent": store,
  "lock-held": steps,
  "lock-moving": store,
  "lock-occupied": store,
  "lock-left-behind": store,
  "lock-disagrees": store,
  "lock-history-none": git,
  "lock-changed": steps,
  "lock-medium": machine,
  "state-tracked": git,
  "seal-wrong": keyed,
  "seal-missing": keyed,
  "seal-unverified": keyed,
  "seal-key": keyed,
  "journal-foreign": steps,
  "journal-damaged": machine,
  "service-unread": service,
  "drift-unwritten": service,
  "file-unwritten": machine,
  "import-left-out": service,
  "import-incomplete": service,
  "import-unwritten": service,
  "import-unfinished": steps,
  "output-unfit": service,
  "plan-foreign": steps,
  "command-line": beside,
  "init-refused": beside,
  "forge-refused": beside,
  "emulator-storage": beside,
  bug: beside,
  "plan-moved": steps,
  "digest-needed": steps,
  "prune-kept": steps,
  "prune-untold": steps,
  "replacement-not-in-effect": narrowed,
  "used-by-others": git,
  "used-id-changed": beside,
  "retired-deleted": steps,
  "state-edited": git,
};

const withExample = explained.flatMap((each) => (each.example ? [{ ...each, example: each.example }] : []));

test("every code has an example that can be run, or a reason why it has none", () => {
  const without = explained.filter(({ example }) => example === undefined).map(({ code }) => code);
  expect(without.toSorted()).toEqual(Object.keys(withoutExample).toSorted());
});

// A code without an explanation is none to the compiler.
test("every code that is explained is given somewhere", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith("generated"))
    .map((file) => readFileSync(`src/${file}`, "utf8"))
    .join("");
  expect(codes.filter((code) => !sources.includes(`"${code}"`))).toEqual([]);
});

test("every note of a plan is explained, with its effect", () => {
  const others = [
    ["first-apply", "review"],
    ["state-edited", "weakens"],
    ["setting-changed", "widens"],
    ["retired-deleted", "review"],
    ["replacement-not-in-effect", "weakens"],
    ["used-by-others", "weakens"],
    ["used-id-changed", "review"],
  ];
  const known = [...others, ...rules.map(({ code, effect }) => [code, effect])];
  expect(explainedNotes.map(({ code, effect }) => [code, effect])).toEqual(known);
});

interface Found {
  readonly reported: readonly string[];
  readonly errors: readonly string[];
}

/** Runs a command on a workspace; gives what it reports, the notes of a plan included. */
async function found(example: Example, lines: Lines, run: string): Promise<Found> {
  const applied = example.applied && assemble(example.applied);
  const files = assemble(lines);
  const workspace = makeWorkspace(applied ?? files);
  if (!Object.hasOwn(files, manifest)) workspace.remove(manifest);
  if (applied) {
    const { code, out, err } = await runIn(workspace.directory, ["apply", "--emulator", "--yes"], variables);
    expect(code, out + err).toBe(0);
    for (const file of Object.keys(applied)) if (!Object.hasOwn(files, file)) workspace.remove(file);
    workspace.write(files);
  }
  const { out, err } = await runIn(workspace.directory, run.split(" "), variables);
  const marks = [...`${out}\n${err}`.matchAll(/(error|warning|note)\[([a-z-]+)\]/g)];
  return {
    reported: [...marks.map(([, , code]) => code ?? ""), ...notesIn(out)],
    errors: marks.filter(([, severity]) => severity === "error").map(([, , code]) => code ?? ""),
  };
}

function notesIn(out: string): string[] {
  if (!out.startsWith('{\n  "format": "agentform/plan/v1"')) return [];
  return (JSON.parse(out) as { notes: { code: string }[] }).notes.map(({ code }) => code);
}

const variables = { OPENAI_API_KEY: "x", OTHER_API_KEY: "y", DESK_TOKEN: "x", ADMIN_TOKEN: "y" };

function runOf({ run, applied }: Example, { effect }: (typeof explained)[number]): string {
  if (effect) return run ?? "plan --emulator --format json";
  return run ?? (applied ? "plan --emulator" : "validate");
}

describe.each(sample("examples", withExample, 12))("the example of $code", (each) => {
  const { code, example } = each;
  const run = runOf(example, each);

  test("has it, and no other error", async () => {
    const { reported, errors } = await found(example, example.wrong, run);
    expect(reported).toContain(code);
    expect(errors.filter((error) => error !== code)).toEqual([]);
  });

  test("does not have it once it is corrected, nor any error", async () => {
    const { reported, errors } = await found(example, example.right, example.rightRun ?? run);
    expect(reported).not.toContain(code);
    expect(errors).toEqual([]);
  });

  test("is short", () => {
    for (const lines of [example.wrong, example.right]) {
      expect(Object.values(lines).join("\n").split("\n").length).toBeLessThanOrEqual(20);
    }
  });
});
