import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type {
  CodeLens,
  CompletionItem,
  DocumentLink,
  DocumentSymbol,
  Hover,
  Location,
  SymbolInformation,
} from "vscode-languageserver/node";
import { agentText, openDesk, documents } from "../cli/desk.js";
import { documentText } from "../harness/disk-workspace.js";
import { copyExample, openExample, positionAt, type ExampleEditor } from "./example-editor.js";

async function hover(editor: ExampleEditor, file: string, needle: string): Promise<string> {
  const found: Hover | null = await editor.connection.sendRequest(
    "textDocument/hover",
    editor.at(file, needle, 3),
  );
  return (found?.contents as { value: string } | undefined)?.value ?? "";
}

test("hover says what a name is: a resource with its state, a variable in each environment, a field", async () => {
  const editor = await openExample();
  expect(await hover(editor, "agents/support.yaml", "${policy:strict}")).toBe(
    "**policy:strict**, policy in `policies/strict.yaml`\n\n" +
      ["default", "`staging`", "`production`"]
        .map((each) => `- ${each}: not applied; a plan would create it`)
        .join("\n"),
  );
  expect(await hover(editor, "agents/support.yaml", "${var:model}")).toBe(
    "The variable `model`:\n\n- default: `small-1`\n- `staging`: `medium-1`\n- `production`: `large-2`",
  );
  expect(await hover(editor, "toolsets/helpdesk.yaml", "${env:HELP")).toContain("only an apply reads");
  expect(await hover(editor, "agents/support.yaml", "lifecycle:")).not.toBe("");
  expect(await hover(editor, "agents/support.yaml", "protect:")).not.toBe("");
  expect(await hover(editor, "agentform.yaml", "tool_ids:")).not.toBe("");
  expect(await hover(editor, "agents/support.yaml", "Support desk")).toBe("");
});

/** Copies the example, with a text of the support agent replaced. */
function exampleWith(before: string, after: string): string {
  const directory = copyExample();
  const file = join(directory, "agents/support.yaml");
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace(before, () => after),
  );
  return directory;
}

test("what is outside of the workspace is neither told nor listed", async () => {
  const outside = mkdtempSync(join(tmpdir(), "agentform-outside-"));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  writeFileSync(join(outside, "secret.txt"), "hidden");
  const path = `../../${basename(outside)}/secret.txt`;
  const directory = exampleWith("Support desk", `\${file:${path}}`);
  symlinkSync(outside, join(directory, "prompts", "out"));
  const editor = await openExample(directory);
  expect(existsSync(join(directory, "agents", path))).toBe(true);
  expect(await hover(editor, "agents/support.yaml", `\${file:${path}`)).toContain("cannot be read");
  const found: Location[] | null = await editor.connection.sendRequest(
    "textDocument/definition",
    editor.at("agents/support.yaml", `\${file:${path}`, 8),
  );
  expect(found ?? []).toEqual([]);
  expect(await complete(editor, "${file:../prompts/out/")).toEqual([]);
});

test("a name that is no plain text stays within its backticks", async () => {
  const directory = exampleWith("policy:strict", "policy:odd");
  const file = "policies/a\n\n![x](http:__evil).yaml";
  writeFileSync(join(directory, file), documentText("Policy", "odd", { name: "Odd" }));
  const editor = await openExample(directory);
  expect(await hover(editor, "agents/support.yaml", "${policy:odd}")).toContain(
    "`policies/a\\n\\n![x](http:__evil).yaml`",
  );
});

test("hover and lenses know what was applied, and what a plan would do", async () => {
  const desk = await openDesk();
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const editor = await openExample(desk.workspace.directory);
  const { id } = desk.lock().resources["policy:strict"] as { id: string };
  expect(await hover(editor, "agents/support.yaml", "${policy:strict}")).toBe(
    `**policy:strict**, policy in \`policies/strict.yaml\`\n\n- default: ID \`${id}\`; last sent name \`Strict\`, …; a plan changes nothing`,
  );
  expect(await lenses(editor, "agents/support.yaml")).toEqual([]);
  await editor.show("agents/support.yaml", agentText({ name: "Helpers" }));
  await expect.poll(() => lenses(editor, "agents/support.yaml")).toEqual(["1 to update"]);
  await editor.show(
    "agents/support.yaml",
    (documents["agents/support.yaml"] ?? "").replace('"support"', '"helper"'),
  );
  await expect.poll(() => lenses(editor, "agents/support.yaml")).toEqual(["1 to create"]);
});

async function lenses(editor: ExampleEditor, file: string): Promise<string[]> {
  const textDocument = { uri: editor.uriOf(file) };
  const found: CodeLens[] = await editor.connection.sendRequest("textDocument/codeLens", { textDocument });
  return found.map(({ command }) => command?.title ?? "");
}

/** Types a text at the end of a document's spec, and gives what can be there. */
async function complete(editor: ExampleEditor, typed: string, behind = ""): Promise<string[]> {
  const file = "agents/triage.yaml";
  const before = `${editor.read(file)}  description2: ${typed}`;
  await editor.show(file, `${before}${behind}\n`);
  const found: CompletionItem[] | null = await editor.connection.sendRequest("textDocument/completion", {
    textDocument: { uri: editor.uriOf(file) },
    position: positionAt(before, before.length),
  });
  return (found ?? []).map(({ textEdit }) => textEdit?.newText ?? "");
}

test("completion gives what can be in an expression, and nothing outside of one", async () => {
  const editor = await openExample();
  expect(await complete(editor, "${")).toEqual([
    "policy:",
    "toolset:",
    "credential:",
    "agent:",
    "var:",
    "each:",
    "file:",
    "template:",
    "env:",
  ]);
  expect(await complete(editor, "${policy:")).toEqual(["internal}", "strict}"]);
  expect(await complete(editor, "${policy:", "}")).toEqual(["internal", "strict"]);
  expect(await complete(editor, "${var:mo", "del}")).toEqual(["model", "temperature", "region"]);
  expect(await complete(editor, "${toolset:billing/")).toContain("billing/GET /invoices/{invoiceId}}");
  expect(await complete(editor, "${file:../")).toContain("../prompts/");
  expect(await complete(editor, "${file:../prompts/")).toEqual([
    "../prompts/supervisor.md}",
    "../prompts/support.md}",
    "../prompts/triage.md}",
  ]);
  expect(await complete(editor, "${each:")).toEqual(["key}"]);
  for (const typed of ["", "$", "$${", "${policy:strict} ", "${policy:strict}", "${MODEL"]) {
    expect(await complete(editor, typed), typed).toEqual([]);
  }
});

test("links and symbols", async () => {
  const editor = await openExample();
  const textDocument = { uri: editor.uriOf("agents/triage.yaml") };
  const links: DocumentLink[] = await editor.connection.sendRequest("textDocument/documentLink", {
    textDocument,
  });
  expect(links.map(({ target }) => target)).toEqual([
    editor.uriOf("prompts/triage.md"),
    editor.uriOf("formats/triage.json"),
  ]);
  const symbols: DocumentSymbol[] = await editor.connection.sendRequest("textDocument/documentSymbol", {
    textDocument,
  });
  expect(symbols.map(({ name }) => name)).toEqual(["agent:triage"]);
  const found: SymbolInformation[] = await editor.connection.sendRequest("workspace/symbol", {
    query: "sup",
  });
  expect(found.map(({ name }) => name)).toEqual(["agent:supervisor", "agent:support"]);
  expect(editor.told(found.map(({ location }) => location))).toEqual([
    "agents/supervisor.yaml: supervisor",
    "agents/support.yaml: support",
  ]);
});

test.each(["hover", "completion", "definition", "references", "rename"])(
  "a %s without a position is told to be a wrong request, and no bug",
  async (method) => {
    const editor = await openExample();
    const { textDocument } = editor.at("agents/support.yaml", "${policy:strict}");
    const asked = editor.connection.sendRequest(`textDocument/${method}`, {
      textDocument,
      position: null,
      newName: "mild",
    });
    await expect(asked).rejects.toMatchObject({ code: -32602 });
  },
);

test("a URI that is no string is told to be a wrong request, and a text under one is no bug", async () => {
  const editor = await openExample();
  const printed = vi.spyOn(console, "error");
  onTestFinished(() => printed.mockRestore());
  const textDocument = { uri: 5, languageId: "yaml", version: 1, text: "" };
  for (const method of ["didOpen", "didSave", "didClose"])
    await editor.connection.sendNotification(`textDocument/${method}`, { textDocument });
  for (const method of ["hover", "documentSymbol", "codeAction"]) {
    const asked = editor.connection.sendRequest(`textDocument/${method}`, {
      textDocument,
      position: { line: 0, character: 0 },
      context: { diagnostics: [] },
    });
    await expect(asked).rejects.toMatchObject({ code: -32602 });
  }
  expect(printed).not.toHaveBeenCalled();
});
