import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { documents, openDesk } from "../cli/desk.js";

const broken = '{"type": "json_object",\n "top-secret-name": 1 "x": 2}';

const agent = (name: string) => `apiVersion: agentform/v1
kind: Agent
metadata: {name: ${name}}
spec:
  name: ${name}
  response_format: \${file:../data/format.json}
`;

test("a broken included file has its line, and the frame of the line that includes it, but none of its content", async () => {
  const { run } = await openDesk({
    ...documents,
    "data/format.json": broken,
    "agents/one.yaml": agent("one"),
    "agents/two.yaml": agent("two"),
  });
  const { code, out, err } = await run("validate");
  expect(code).toBe(1);
  const text = out + err;
  expect(text.match(/error\[file-syntax\]/g)).toHaveLength(1);
  expect(text).toContain("--> data/format.json:2:23");
  expect(text).toContain("= see: agents/one.yaml:6:20: included here\n");
  expect(text).toContain("> 6 |   response_format: ${file:../data/format.json}\n");
  expect(text).toContain("= see: agents/two.yaml:6:20: included here\n");
  expect(text).not.toContain("top-secret-name");
  const json = await run("validate", "--format", "json");
  expect(json.out).not.toContain("frame");
});

test("a mistake in a template that many keys include names the place once", async () => {
  const each = documentText("Agent", "x", {
    name: "${each:key}",
    system_prompt: "${template:../prompts/p.md}",
  }).replace('"spec"', '"for_each":{"a":{},"b":{}},"spec"');
  const { run } = await openDesk({
    ...documents,
    "prompts/p.md": "You are ${var:nobody}.",
    "agents/x.yaml": each.replace('"name":"x"', '"name":"x-${each:key}"'),
  });
  const { out } = await run("validate");
  expect(out.match(/variable `nobody` is not declared/g)).toHaveLength(1);
});
