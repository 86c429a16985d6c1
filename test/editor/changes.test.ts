import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { CodeAction, Diagnostic, WorkspaceEdit } from "vscode-languageserver/node";
import type { Diagnostic as Found } from "../../src/core/finding/diagnostic.js";
import { validate } from "../../src/sync.js";
import { agentText, documents, openDesk } from "../cli/desk.js";
import { sample } from "../harness/tier.js";
import { copyExample, offsetAt, openExample, type ExampleEditor } from "./example-editor.js";

async function renamed(
  editor: ExampleEditor,
  file: string,
  needle: string,
  further: number,
  newName: string,
) {
  const edit: WorkspaceEdit = await editor.connection.sendRequest("textDocument/rename", {
    ...editor.at(file, needle, further),
    newName,
  });
  makeChanges(editor, edit);
}

/** Writes an edit to the disk, as an editor does that saves everything. */
function makeChanges(editor: ExampleEditor, { changes = {} }: WorkspaceEdit): void {
  for (const [uri, edits] of Object.entries(changes)) {
    const file = fileURLToPath(uri).slice(editor.directory.length + 1);
    const text = editor.read(file);
    const ranges = edits.map(({ range, newText }) => ({
      start: offsetAt(text, range.start),
      end: offsetAt(text, range.end),
      newText,
    }));
    const changed = ranges
      .toSorted((a, b) => b.start - a.start)
      .reduce((all, { start, end, newText }) => all.slice(0, start) + newText + all.slice(end), text);
    writeFileSync(join(editor.directory, file), changed);
  }
}

test("a resource is renamed in all files, and the workspace is as valid as before", async () => {
  const directory = copyExample();
  const editor = await openExample(directory);
  await renamed(editor, "agents/support.yaml", "${policy:strict}", 10, "severe");
  expect(validate({ directory })).toEqual([]);
  expect(editor.read("policies/strict.yaml")).toContain("name: severe\n");
  // Nothing was applied, so there is no ID to keep.
  expect(editor.read("policies/strict.yaml")).not.toContain("moved_from");
  await editor.save("policies/strict.yaml");
  await renamed(editor, "agents/triage.yaml", "${toolset:helpdesk/getTicket}", 12, "help");
  await editor.save("policies/strict.yaml");
  await renamed(editor, "agentform.yaml", "model: small", 1, "language-model");
  expect(validate({ directory })).toEqual([]);
  expect(editor.read("agents/support.yaml")).toContain("model: ${var:language-model}");
});

test("names that cannot be are refused with the reason", async () => {
  const editor = await openExample();
  const refusal = async (newName: string, file = "agents/support.yaml", needle = "${policy:strict}") =>
    await editor.connection
      .sendRequest("textDocument/rename", { ...editor.at(file, needle, 10), newName })
      .then(String, (cause: Error) => cause.message);
  expect(await refusal("Strict")).toContain("lower-case");
  expect(await refusal("internal")).toContain("is there already");
  expect(await refusal("x", "toolsets/helpdesk.yaml", "${env:HELPDESK_TOKEN}")).toContain("only resources");
});

test.each(
  sample(
    "documents that are renamed",
    [
      "",
      "lifecycle: {protect: false}\n",
      "lifecycle:\n  protect: false\n",
      "lifecycle:\n  moved_from: agent:first\n",
      "lifecycle:\n  moved_from:\n    - agent:first\n",
      "lifecycle: {moved_from: [agent:first]}\n",
    ],
    3,
  ),
)("a resource that was applied keeps its ID where the document has %j", async (lifecycle) => {
  const text = `apiVersion: agentform/v1\nkind: Agent\nmetadata:\n  name: second\nspec:\n  name: Second\n${lifecycle}`;
  const desk = await openDesk({ "agents/second.yaml": text });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const editor = await openExample(desk.workspace.directory);
  await renamed(editor, "agents/second.yaml", "name: second", 7, "third");
  expect((await desk.run("plan")).out).toContain("agent:second");
  const id = desk.lock().resources["agent:second"]?.["id"];
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  expect(desk.lock().resources["agent:third"]).toMatchObject({ id });
});

async function actions(
  editor: ExampleEditor,
  file: string,
  { line = 1, column = 1, ...found }: Found,
): Promise<CodeAction[]> {
  const { code, message, hint } = found;
  const start = { line: line - 1, character: column - 1 };
  const end = { line: (found.end_line ?? line) - 1, character: (found.end_column ?? column) - 1 };
  const diagnostic: Diagnostic = {
    range: { start, end },
    message,
    code,
    source: "agentform",
    data: { message, hint },
  };
  return await editor.connection.sendRequest("textDocument/codeAction", {
    textDocument: { uri: editor.uriOf(file) },
    range: diagnostic.range,
    context: { diagnostics: [diagnostic] },
  });
}

test.each(
  sample(
    "hints that are followed",
    [
      ["top_p:", "topp:"],
      ["${policy:strict}", "${policy:stict}"],
      ["${toolset:helpdesk}", "${toolset:helpdsk}"],
      ["${toolset:billing/GET /invoices/{invoiceId}}", "${toolset:billing/GET /invoice/{invoiceId}}"],
      ["${var:model}", "${var:modle}"],
      ["${template:../prompts/support.md}", "${template:../prompts/suport.md}"],
      ["${credential:openai}", "${credental:openai}"],
      ['"${policy:strict}"', "strict"],
      ['"${policy:strict}"', "${policy:strict}"],
      ["${credential:openai}", "credential:openai"],
      ["model: ${var:model}", "model: ${MODEL}"],
      ["Answers customers", "${unknown:thing}"],
      ["kind: Agent", "kind: Agnet"],
    ],
    5,
  ),
)("the hint for %j written as %j is a change that corrects it", async (right, wrong) => {
  const directory = copyExample();
  const file = "agents/support.yaml";
  const editor = await openExample(directory);
  writeFileSync(
    join(directory, file),
    editor.read(file).replace(right, () => wrong),
  );
  const [found, ...others] = validate({ directory }).filter((each) => each.file === file);
  expect(found).toBeDefined();
  if (!found) return;
  const [action] = await actions(editor, file, found);
  expect(action?.edit, JSON.stringify(found)).toBeDefined();
  makeChanges(editor, action?.edit ?? {});
  expect(validate({ directory })).toEqual(others);
});

test("a plan's guess that a resource was renamed is a change, too", async () => {
  const desk = await openDesk();
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const text =
    "apiVersion: agentform/v1\nkind: Policy\nmetadata:\n  name: hard\nspec:\n  name: Strict\n  banned_topics: {enabled: true, topics: [weapons]}\n";
  desk.workspace.write({
    "policies/strict.yaml": text,
    "agents/support.yaml": agentText().replace("policy:strict", "policy:hard"),
  });
  expect(documents["agents/support.yaml"]).toBeDefined();
  const editor = await openExample(desk.workspace.directory);
  const [action]: CodeAction[] = await editor.connection.sendRequest("textDocument/codeAction", {
    textDocument: { uri: editor.uriOf("policies/strict.yaml") },
    range: { start: { line: 3, character: 8 }, end: { line: 3, character: 8 } },
    context: { diagnostics: [] },
  });
  expect(action?.title).toContain("policy:strict");
  makeChanges(editor, action?.edit ?? {});
  expect(desk.workspace.read("policies/strict.yaml")).toBe(
    `${text}lifecycle:\n  moved_from: policy:strict\n`,
  );
});

test.each([
  ["alone", "", (id: string) => `lifecycle:\n  adopt: ${id}\n`],
  ["among environments", "  environments: {test: {}}\n", undefined],
])("an object that was forgotten is taken over by a change, %s", async (_, more, expected) => {
  const desk = await openDesk();
  const file = "policies/strict.yaml";
  const text =
    "apiVersion: agentform/v1\nkind: Policy\nmetadata:\n  name: once\nspec:\n  name: Strict\n  banned_topics: {enabled: true, topics: [weapons]}\n";
  const manifest = desk.workspace.read("agentform.yaml");
  desk.workspace.write({
    [file]: `${desk.workspace.read(file)}\n---\n${text}lifecycle: {on_removal: forget}\n`,
  });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const id = desk.lock().resources["policy:once"]?.["id"];
  desk.workspace.write({ [file]: documents[file] ?? "" });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  desk.workspace.write({ "policies/once.yaml": text, "agentform.yaml": `${manifest}${more}` });
  const editor = await openExample(desk.workspace.directory);
  const [action]: CodeAction[] = await editor.connection.sendRequest("textDocument/codeAction", {
    textDocument: { uri: editor.uriOf("policies/once.yaml") },
    range: { start: { line: 3, character: 8 }, end: { line: 3, character: 8 } },
    context: { diagnostics: [] },
  });
  if (!expected) {
    expect(action).toBeUndefined();
    return;
  }
  expect(action?.title).toBe(`Take over what exists: write adopt: ${String(id)}`);
  makeChanges(editor, action?.edit ?? {});
  expect(desk.workspace.read("policies/once.yaml")).toBe(`${text}${expected(String(id))}`);
  const planned = await desk.run("plan");
  expect(planned.code).toBe(0);
  expect(planned.out).toContain("1 to adopt");
});
