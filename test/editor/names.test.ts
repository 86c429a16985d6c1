import { writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Location } from "vscode-languageserver/node";
import { copyExample, openExample, type ExampleEditor } from "./example-editor.js";

async function definition(editor: ExampleEditor, file: string, needle: string): Promise<string[]> {
  const found: Location[] = await editor.connection.sendRequest(
    "textDocument/definition",
    editor.at(file, needle, 3),
  );
  return editor.told(found);
}

async function references(
  editor: ExampleEditor,
  file: string,
  needle: string,
  further = 3,
): Promise<string[]> {
  const found: Location[] = await editor.connection.sendRequest("textDocument/references", {
    ...editor.at(file, needle, further),
    context: { includeDeclaration: true },
  });
  return editor.told(found);
}

test("every form of reference leads to its definition", async () => {
  const editor = await openExample();
  const support = "agents/support.yaml";
  expect(await definition(editor, support, "${policy:strict}")).toEqual(["policies/strict.yaml: strict"]);
  expect(await definition(editor, support, "${credential:openai}")).toEqual([
    "credentials/openai.yaml: openai",
  ]);
  expect(await definition(editor, support, "${toolset:helpdesk}")).toEqual([
    "toolsets/helpdesk.yaml: helpdesk",
  ]);
  expect(await definition(editor, "agents/supervisor.yaml", "${agent:triage}")).toEqual([
    "agents/triage.yaml: triage",
  ]);
  expect(await definition(editor, support, "${var:model}")).toEqual(["agentform.yaml: model"]);
  expect(await definition(editor, support, "${template:")).toEqual(["prompts/support.md: "]);
  expect(await definition(editor, "agents/triage.yaml", "${file:../formats")).toEqual([
    "formats/triage.json: ",
  ]);
  // Operations lead into the OpenAPI document, by operationId and by method and path.
  expect(await definition(editor, "agents/triage.yaml", "${toolset:helpdesk/getTicket}")).toEqual([
    "openapi/helpdesk.yaml: get",
  ]);
  expect(await definition(editor, support, "${toolset:billing/GET /invoices/{invoiceId}}")).toEqual([
    'openapi/billing.json: "get"',
  ]);
  expect(await definition(editor, "prompts/support.md", "${var:region}")).toEqual(["agentform.yaml: region"]);
  // A comment has no references.
  expect(await definition(editor, support, "# Only the operation")).toEqual([]);
});

test("references are found from each of them and from the definition, also in templates, patches and broken files", async () => {
  const directory = copyExample();
  mkdirSync(join(directory, "environments", "production"), { recursive: true });
  writeFileSync(
    join(directory, "environments", "production", "policy.yaml"),
    "apiVersion: agentform/v1\nkind: Policy\nmetadata: {name: strict}\nspec: {name: Stricter}\n",
  );
  const editor = await openExample(directory);
  const found = [
    "agents/support.yaml: strict",
    "agents/triage.yaml: strict",
    "environments/production/policy.yaml: strict",
    "policies/strict.yaml: strict",
  ];
  await editor.show("agents/triage.yaml", 'kind: Agent\nspec: {name: [\n  policy: "${policy:strict}"\n');
  writeFileSync(
    join(directory, "agents", "triage.yaml"),
    'kind: Agent\nspec: {name: [\n  policy: "${policy:strict}"\n',
  );
  expect(await references(editor, "agents/support.yaml", "${policy:strict}")).toEqual(found);
  expect(await references(editor, "policies/strict.yaml", "name: strict", 7)).toEqual(found);
  expect(await references(editor, "environments/production/policy.yaml", "{name: strict", 9)).toEqual(found);
  expect(await references(editor, "agentform.yaml", "region:", 2)).toEqual([
    "agentform.yaml: region",
    "prompts/support.md: region",
    "toolsets/billing.yaml: region",
  ]);
  expect(await references(editor, "agents/support.yaml", "${template:", 3)).toEqual([
    "agents/support.yaml: ../prompts/support.md",
  ]);
});

test("a resource of for_each and its parameters", async () => {
  const directory = copyExample();
  writeFileSync(
    join(directory, "policies", "many.yaml"),
    [
      "apiVersion: agentform/v1",
      "kind: Policy",
      'metadata: {name: "made-${each:key}"}',
      "for_each:",
      "  de: {language: German}",
      "  fr: {language: French}",
      'spec: {name: "Made (${each:language})"}',
      "---",
      "apiVersion: agentform/v1",
      "kind: Agent",
      "metadata: {name: user}",
      "spec:",
      "  name: User",
      "  features:",
      '    - {type: RAI, priority: 0, config: {policy_id: "${policy:made-de}"}}',
    ].join("\n"),
  );
  const editor = await openExample(directory);
  expect(await definition(editor, "policies/many.yaml", "${policy:made-de}")).toEqual([
    'policies/many.yaml: "made-${each:key}"',
  ]);
  expect(await definition(editor, "policies/many.yaml", "${each:language}")).toEqual([
    "policies/many.yaml: language",
    "policies/many.yaml: language",
  ]);
});
