import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Diagnostic } from "../../../src/core/finding/diagnostic.js";
import { validate } from "../../harness/validate.js";
import { copyExample } from "../../editor/example-editor.js";

/** Makes the first edit of a diagnostic, as a program does that reads diagnostics as JSON. */
function corrected(text: string, { fixes = [] }: Diagnostic): string {
  const edit = fixes.find((fix) => fix.edit)?.edit;
  if (!edit) return text;
  const lines = text.split("\n");
  const offsetOf = (line: number, column: number) =>
    lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
  const end = offsetOf(edit.end_line, edit.end_column);
  return text.slice(0, offsetOf(edit.line, edit.column)) + edit.text + text.slice(end);
}

test.each([
  ["top_p:", "topp:"],
  ["${policy:strict}", "${policy:stict}"],
  ["${toolset:helpdesk}", "${toolset:helpdsk}"],
  ['"${policy:strict}"', "strict"],
  ['"${policy:strict}"', "${policy:strict}"],
  ["Answers customers", "${unknown:thing}"],
  ["kind: Agent", "kind: Agnet"],
])("%j written as %j is corrected by the edit of the diagnostic alone", (right, wrong) => {
  const directory = copyExample();
  const file = join(directory, "agents/support.yaml");
  const text = readFileSync(file, "utf8").replace(right, () => wrong);
  writeFileSync(file, text);
  const found = validate({ directory }).find((each) => each.file === "agents/support.yaml");
  expect(found).toBeDefined();
  writeFileSync(file, found ? corrected(text, found) : "");
  expect(validate({ directory }).filter((each) => each.file === "agents/support.yaml")).toEqual([]);
});

test.each(["true", "{policy:strict}", "'${policy:strict} '"])(
  "no edit is offered in the place of %s, where it would be none",
  (wrong) => {
    const directory = copyExample();
    // Where there is one policy alone, it is surely meant.
    rmSync(join(directory, "policies/internal.yaml"));
    const file = join(directory, "agents/support.yaml");
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace('"${policy:strict}"', () => wrong),
    );
    const found = validate({ directory }).find((each) => each.code === "reference-place");
    expect(found?.hint).toContain("${policy:strict}");
    expect(found?.fixes?.some((fix) => fix.edit)).not.toBe(true);
  },
);

test.each([
  [">-\n    Answer in ${each.value.language}.\n    Be kind.", "Answer in ${each:language}. Be kind."],
  ["|\n    Answer in ${each.value.language}.\n    Be kind.", "Answer in ${each:language}.\nBe kind.\n"],
  ["Answer in\n    ${each.value.language}.", undefined],
])("the edit leaves a text of several lines what it is: %j", (written, prompt) => {
  const file = join(copyExample(), "agents/support.yaml");
  const lines = ["apiVersion: agentform/v1", "kind: Agent", 'metadata: {name: "a-${each:key}"}'];
  const of = (text: string) =>
    [
      ...lines,
      "for_each: {de: {language: German}}",
      "spec:",
      `  system_prompt: ${text}`,
      "  name: A",
      "",
    ].join("\n");
  writeFileSync(file, of(written));
  const found = validate({ directory: join(file, "../..") }).find(({ code }) => code === "reference-literal");
  expect(found?.message).toContain("each.value");
  const { spec } = parse(corrected(of(written), found as Diagnostic)) as { spec: { system_prompt: string } };
  expect(spec.system_prompt).toBe(prompt ?? "Answer in ${each.value.language}.");
});
