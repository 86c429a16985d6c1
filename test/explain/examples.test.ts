import { describe, expect, test } from "vitest";
import { explainedDiagnostics, explainedNotes, type ExplainedCode } from "../../src/core/explain/explanations.js";
import type { Example, Lines } from "../../src/core/explain/explanation.js";
import { manifest } from "../../src/core/explain/sample-workspace.js";
import { runIn } from "../cli/desk.js";
import { makeWorkspace } from "../harness/disk-workspace.js";
import { assemble } from "./assemble.js";

const explained = [...explainedDiagnostics, ...explainedNotes];
const withExample = explained.flatMap((each) => (each.example ? [{ ...each, example: each.example }] : []));

/** The codes that a command reports for a workspace, and the codes of the notes of a plan. */
async function codesOf(example: Example, lines: Lines, run: string): Promise<string[]> {
  const applied = example.applied && assemble(example.applied);
  const files = assemble(lines);
  const workspace = makeWorkspace(applied ?? files);
  if (!Object.hasOwn(files, manifest)) workspace.remove(manifest);
  const args = run.split(" ");
  if (applied) {
    const { code, out, err } = await runIn(workspace.directory, ["apply", "--emulator", "--yes"], variables);
    expect(code, out + err).toBe(0);
    for (const file of Object.keys(applied)) if (!Object.hasOwn(files, file)) workspace.remove(file);
    workspace.write(files);
  }
  const { out, err } = await runIn(workspace.directory, args, variables);
  const notes = args.includes("json") && out.startsWith("{") ? (JSON.parse(out) as { notes?: { code: string }[] }).notes : [];
  const found = [...`${out}\n${err}`.matchAll(/(?:error|warning|note)\[([a-z-]+)\]/g)].map(([, code]) => code ?? "");
  return [...found, ...(notes ?? []).map(({ code }) => code)];
}

const variables = { OPENAI_API_KEY: "x", OTHER_API_KEY: "y", DESK_TOKEN: "x", ADMIN_TOKEN: "y" };

function runOf({ run, applied }: Example, { effect }: ExplainedCode): string {
  if (effect) return "plan --emulator --format json";
  return run ?? (applied ? "plan --emulator" : "validate");
}

describe.each(withExample)("the example of $code", (each) => {
  const { code, example } = each;
  const run = runOf(example, each);

  test("has it", async () => {
    const found = await codesOf(example, example.wrong, run);
    if (process.env.X && new Set(found).size>1) console.log("WRONG", code, found.join());
    expect(found).toContain(code);
  });

  test("does not have it once it is corrected", async () => {
    const found = await codesOf(example, example.right, example.rightRun ?? run);
    if (process.env.X && new Set(found).size>0) console.log("RIGHT", code, found.join());
    expect(found).not.toContain(code);
  });
});
