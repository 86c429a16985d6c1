import { expect, test } from "vitest";
import { loadWorkspace } from "../../src/workspace/load-workspace.js";
import { makeWorkspace, manifest } from "../harness/disk-workspace.js";

function bodyOf(spec: string, files: Readonly<Record<string, string>> = {}) {
  const text = `apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: support}\nspec:\n  name: Support\n  ${spec}\n`;
  const { directory } = makeWorkspace({
    "agentform.yaml": `${manifest}  variables: {dollar: "$", brace: "{env:X}", number: 0.5, text: "$\{env:X}", flag: true}\n`,
    "agents/a.yaml": text,
    ...files,
  });
  const { fleet, diagnostics } = loadWorkspace({ directory });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return fleet?.resources.get("agent:support")?.body;
}

test("a variable that is the whole value keeps its type, inside a text it is text", () => {
  expect(bodyOf('temperature: "${var:number}"')).toMatchObject({ temperature: 0.5 });
  expect(bodyOf('model: "v${var:number}-${var:flag}"')).toMatchObject({ model: "v0.5-true" });
});

test("nothing that a variable or a file holds becomes an expression", () => {
  expect(bodyOf('model: "${var:text}"')).toMatchObject({ model: "$${env:X}" });
  expect(bodyOf('model: "${file:f.md}"', { "agents/f.md": "a ${env:X} $${b" })).toMatchObject({
    model: "a $${env:X} $$${b",
  });
  expect(bodyOf('examples: "${file:f.json}"', { "agents/f.json": '["${env:X}"]' })).toMatchObject({
    examples: ["$${env:X}"],
  });
});

test("nor do two pieces that only together would be one", () => {
  expect(bodyOf('model: "${var:dollar}{env:X}"')).toMatchObject({ model: "$${env:X}" });
  expect(bodyOf('model: "${var:dollar}${var:brace}"')).toMatchObject({ model: "$${env:X}" });
  expect(bodyOf('model: "${file:f.md}{env:X}"', { "agents/f.md": "$" })).toMatchObject({
    model: "$${env:X}",
  });
  const files = { "agents/t.md": "${var:dollar}${file:f.md}", "agents/f.md": "{env:X}" };
  expect(bodyOf('model: "${template:t.md}"', files)).toMatchObject({ model: "$${env:X}" });
});

test("references in templates stay, with paths from the template's folder", () => {
  const files = {
    "prompts/a.md": "Ask ${agent:other}; ${file:more/b.md}",
    "prompts/more/b.md": "b",
    "agents/other.yaml":
      "apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: other}\nspec: {name: Other}\n",
  };
  expect(bodyOf('description: "${template:../prompts/a.md}"', files)).toMatchObject({
    description: "Ask ${agent:other}; b",
  });
});
