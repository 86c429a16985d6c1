import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CodeAction, Diagnostic } from "vscode-languageserver/node";
import type { Diagnostic as Found } from "../../src/core/finding/diagnostic.js";
import { validate } from "../harness/validate.js";
import { agentText, documents, openDesk } from "../cli/desk.js";
import { sample } from "../harness/tier.js";
import { copyExample, openExample, type ExampleEditor } from "./example-editor.js";
import { makeChanges, renamed } from "./make-changes.js";

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

async function actions(
  editor: ExampleEditor,
  file: string,
  { line = 1, column = 1, ...found }: Found,
  only?: string[],
): Promise<CodeAction[]> {
  const { code, message, fixes } = found;
  const start = { line: line - 1, character: column - 1 };
  const end = { line: (found.end_line ?? line) - 1, character: (found.end_column ?? column) - 1 };
  const diagnostic: Diagnostic = {
    range: { start, end },
    message,
    code,
    source: "agentform",
    data: { message, fixes },
  };
  return await editor.connection.sendRequest("textDocument/codeAction", {
    textDocument: { uri: editor.uriOf(file) },
    range: diagnostic.range,
    context: { diagnostics: [diagnostic], ...(only && { only }) },
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

test("a parameter in a reference is corrected there", async () => {
  const directory = copyExample();
  const file = "agents/each.yaml";
  const text =
    'apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: "a-${each:key}"}\nfor_each: {strict: {}}\nspec:\n  name: ${each:key}\n  features: [{type: RAI, priority: 0, config: {policy_id: "${policy:${each:key}}"}}]\n';
  writeFileSync(join(directory, file), text.replace("${policy:${each:key}}", "${policy:${each:kei}}"));
  const editor = await openExample(directory);
  const [found] = validate({ directory });
  const [action] = found ? await actions(editor, file, found) : [];
  makeChanges(editor, action?.edit ?? {});
  expect(editor.read(file)).toBe(text);
});

test("a fix is only offered where the text is still the one of its diagnostic, and to who asks for fixes", async () => {
  const directory = copyExample();
  const file = "agents/support.yaml";
  const editor = await openExample(directory);
  const text = editor.read(file).replace("${policy:strict}", "${policy:stict}");
  writeFileSync(join(directory, file), text);
  const [found] = validate({ directory });
  if (!found) throw new Error("nothing is found");
  const titles = async (shown: string, only?: string[]) => {
    await editor.show(file, shown);
    return (await actions(editor, file, found, only)).map(({ title }) => title);
  };
  expect(await titles(text)).toEqual(["Change to ${policy:strict}"]);
  expect(await titles(text, ["quickfix"])).toEqual(["Change to ${policy:strict}"]);
  expect(await titles(text, ["source.organizeImports", "refactor"])).toEqual([]);
  expect(await titles(`# a line above\n${text}`)).toEqual([]);
  expect(await titles(text.slice(0, 300))).toEqual([]);
  expect(await titles(text.replace("${policy:stict}", "${policy:internal}"))).toEqual([]);
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

test("an object that was forgotten in two environments is taken over in both, by a change for each", async () => {
  const desk = await openDesk();
  const environments = ["staging", "production"];
  const once = "apiVersion: agentform/v1\nkind: Policy\nmetadata:\n  name: once\nspec:\n  name: Once\n";
  const manifest = `${desk.workspace.read("agentform.yaml")}  environments: {staging: {}, production: {}}\n`;
  const applyEach = async (text: string) => {
    desk.workspace.write({ "agentform.yaml": manifest, "policies/once.yaml": text });
    for (const each of environments) expect((await desk.run("apply", "--yes", "-e", each)).code).toBe(0);
  };
  await applyEach(`${once}lifecycle: {on_removal: forget}\n`);
  await applyEach("# nothing\n");
  desk.workspace.write({ "policies/once.yaml": once });
  const editor = await openExample(desk.workspace.directory);
  const offered = async () => {
    const found: CodeAction[] = await editor.connection.sendRequest("textDocument/codeAction", {
      textDocument: { uri: editor.uriOf("policies/once.yaml") },
      range: { start: { line: 3, character: 8 }, end: { line: 3, character: 8 } },
      context: { diagnostics: [] },
    });
    return found;
  };
  const titles = (await offered()).map(({ title }) => title.replace(/: .*/, ""));
  expect(titles).toEqual(["staging", "production"].map((each) => `Take over what exists in ${each}`));
  for (const _ of environments) {
    makeChanges(editor, (await offered())[0]?.edit ?? {});
    await editor.save("policies/once.yaml");
  }
  expect(await offered()).toEqual([]);
  for (const each of environments) {
    expect((await desk.run("plan", "-e", each)).out).toContain("1 to adopt");
  }
});
