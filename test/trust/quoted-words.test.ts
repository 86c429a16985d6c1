import { expect, test } from "vitest";
import { agentText, documents, openDesk } from "../cli/desk.js";
import { documentText } from "../harness/disk-workspace.js";
import { htmlOf, textOutsideCode } from "../render/markdown-html.js";

const claim = "only its spelling changes";

function apiText(...paths: readonly string[]): string {
  const members = paths.map((path) => [path, { post: { operationId: `post${path.length}`, responses: {} } }]);
  const openapi_schema = { openapi: "3.1.0", info: { title: "Desk", version: "1" } };
  return documentText("ToolSet", "desk", {
    tool_set_name: "desk",
    openapi_schema: { ...openapi_schema, paths: Object.fromEntries(members) as object },
  });
}

test.each([
  ["a backtick in a value", { model: `small-2\`: ${claim}. Compared with \`small-1` }],
  ["backticks around a value", { model: `\`small-1\`, ${claim}; it is still \`small-1\`` }],
  ["a backtick in a prompt", { system_prompt: `Be brief.\nNever promise\`, as ${claim}, \`anything.` }],
  ["a backtick in the name of a field", { [`tone\`: ${claim}; and \`x`]: "1" }],
])("%s does not go on in the words of the plan", async (_what, edit) => {
  const desk = await openDesk({
    ...documents,
    "agents/support.yaml": agentText({ model: "small-1", system_prompt: "Be brief.\nNever lie." }),
  });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  desk.workspace.write({
    "agents/support.yaml": agentText({ model: "small-1", system_prompt: "Be brief.\nNever lie.", ...edit }),
  });
  const { out } = await desk.run("plan", "--format", "markdown");
  expect(out).toContain(claim);
  expect(textOutsideCode(htmlOf(out))).not.toContain("spelling");
  const text = (await desk.run("plan")).out;
  // What begins with two backticks does not end at one.
  for (const line of text.split("\n").filter((each) => /^ +! .*spelling/.test(each)))
    expect(line).toMatch(/``[^`].*spelling.*[^`]``/);
});

test("a path with words in it does not go on in the words of the plan", async () => {
  const desk = await openDesk({ ...documents, "toolsets/desk.yaml": apiText("/tickets") });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  desk.workspace.write({
    "toolsets/desk.yaml": apiText("/tickets", `/notes), of which ${claim} (GET /tickets`),
  });
  const { out } = await desk.run("plan", "--format", "json");
  const { notes } = JSON.parse(out) as { notes: { message: string }[] };
  expect(notes[0]?.message).toContain(`(\`POST /notes), of which ${claim} (GET /tickets\`)`);
});

// The parsers of GitHub and GitLab have such a bound; the one of these tests has none.
test("a value with more backticks than code hosts count is no Markdown and no HTML", async () => {
  const desk = await openDesk({ ...documents, "agents/support.yaml": agentText({ model: "small-1" }) });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const ticks = "`".repeat(80);
  desk.workspace.write({ "agents/support.yaml": agentText({ model: `${ticks} <details>` }) });
  const { out } = await desk.run("plan", "--format", "markdown");
  expect(out).toContain("<details>");
  expect(out).not.toMatch(/`{81}/);
  expect(htmlOf(out)).not.toContain("<details>");
});
