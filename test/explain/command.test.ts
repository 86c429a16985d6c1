import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { explainedDiagnostics, explainedNotes } from "../../src/generated/explanations.js";
import { runIn, type Ran } from "../cli/desk.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";

/** Runs `explain` in an empty folder. */
async function explain(...words: string[]): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), "agentform-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const ran = await runIn(folder, ["explain", ...words]);
  expect(readdirSync(folder)).toEqual([]);
  return ran;
}

test("a code is explained with its meaning, what to do, and an example with its correction", async () => {
  const { code, out, err } = await explain("document-misspelt-field");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toBe(`document-misspelt-field

A field is unknown, and its name is close to that of a known field. A field that is lost to a typo
may be the one that guards, so it is an error.

What to do: Correct the name, or list it in \`spec.extra_fields\` of the manifest if your deployment
has a field of this name.

Wrong:

  # agents/support.yaml
  spec:
    temperatur: 0.2

Right:

  # agents/support.yaml
  spec:
    temperature: 0.2

These are parts of a small workspace: \`agentform explain example\` shows all of it.
`);
});

test("a note of a plan is explained with what was applied and the edit", async () => {
  const { out } = await explain("threshold-changed");
  expect(out).toContain("threshold-changed (a note of a plan: weakens)\n");
  expect(out).toMatch(/Before:\n[^]*threshold: 0\.4[^]*After, which gives the note:\n[^]*threshold: 0\.9/);
});

test("an example of which only the command is wrong shows the commands", async () => {
  const { out } = await explain("option-unknown-address");
  expect(out).toContain("Wrong:\n\n  $ agentform plan --target agent:suport\n");
  expect(out).toContain("Right:\n\n  $ agentform plan --target agent:support\n");
});

test.each([...explainedDiagnostics, ...explainedNotes])(
  "$code has no line that is too long",
  async ({ code }) => {
    const { out } = await explain(code);
    const prose = out.split("\n").filter((line) => !line.startsWith("  "));
    expect(prose.filter((line) => line.length > 100)).toEqual([]);
    expect(out).toContain("What to do: ");
  },
);

test("a field is explained from its schema", async () => {
  const { out } = await explain("agent.spec.tools");
  expect(out).toBe(`agent.spec.tools

The IDs of the tools that the agent may use: \`\${toolset:KEY}\` for a whole set or
\`\${toolset:KEY/OPERATION}\` for one tool.
Type: list (items: string) or expression such as \`\${var:NAME}\`.
A change is an update: all fields of the document are sent (\`PUT /v3/agents/{id}\`), and the ID stays
the same.
`);
});

test.each([
  ["agent.model", "agent.spec.model"],
  ["Agent.spec.model", "agent.spec.model"],
  ["agents.spec.features[].priority", "agent.spec.features.priority"],
  ["agent.features[0].config", "agent.spec.features.config"],
  ["policy.pii_detection.custom_pii.label", "policy.spec.pii_detection.custom_pii.label"],
  ["policy.pii_detection.types.EMAIL", "policy.spec.pii_detection.types.EMAIL"],
  ["manifest.lock", "manifest.spec.lock"],
  [
    "workspace.environments.production.service.base_url",
    "manifest.spec.environments.production.service.base_url",
  ],
  ["toolset.operations.tag", "toolset.operations.tag"],
])("%s is the field %s", async (word, name) => {
  const { code, out } = await explain(word);
  expect(code).toBe(0);
  expect(out.split("\n", 1)).toEqual([name]);
});

test.each([
  ["agent.spec.name", "Required."],
  ["manifest.lock.store", "Allowed: file, git, http, postgres, s3."],
  ["manifest.lock.store", "Default: file."],
  ["agent.spec.features.type", "For example: RAI, SINGLE_TOOL_CALL."],
  ["credential.credentials", "Secret: written as `${env:NAME}`"],
  ["agent._id", "Set by the service"],
  ["agent", "POST /v3/agents/"],
  ["agent", "  spec.model "],
  ["manifest.service.api_key", "`setting-changed` (widens): it is the key that requests carry."],
  [
    "manifest.limits.orphans",
    "`setting-changed` (weakens): more objects may be left behind before a plan is refused.",
  ],
  ["manifest.variables", "  NAME "],
])("%s says: %s", async (word, text) => {
  // Where a line is broken does not matter here.
  expect((await explain(word)).out.replaceAll(/(?<=\S)\n/g, " ")).toContain(text);
});

test.each([
  ["agent.spec.modle", "`agent.spec` has no field `modle`; did you mean `model`?"],
  ["agent.modle", "`agent` has no field `modle`; did you mean `model`?"],
  ["agent.spec.model.size", "`agent.spec.model` has no field `size`; it has no fields of its own"],
  [
    "agent.lifecycle.colour",
    "it has protect, adopt, moved_from, on_removal, on_replaced, except, environments",
  ],
  ["agnt", "there is no code and no kind `agnt`; did you mean `agent`?"],
  ["model", "there is no code and no kind `model`; did you mean `agent.model`?"],
  ["spec.name", "did you mean `policy.name` or `credential.name` or `agent.name`?"],
  ["unknown-field", "did you mean `document-unknown-field`?"],
  ["yaml-sintax", "did you mean `yaml-syntax`?"],
  ["constructor", "there is no code and no kind `constructor`"],
  ["agent.constructor", "`agent` has no field `constructor`"],
  ["agent.__proto__", "`agent` has no field `__proto__`"],
  ["", "there is no code and no kind ``"],
  ["..", "there is no code and no kind `..`"],
  ["\u001b[31mred\u202e\u0007", "`\\x1b[31mred\\u{202e}\\x07`"],
  ["agent.\u001b]8;;x\u0007", "has no field `\\x1b]8;;x\\x07`"],
])("%j is not known", async (word, text) => {
  const { code, out, err } = await explain(word);
  expect({ code, out }).toEqual({ code: 64, out: "" });
  expect(err).toContain(text);
  expect(err).not.toMatch(/[\u001b\u0007\u202e]/);
});

test("a name that a mapping may have is shown as a text, whatever it contains", async () => {
  const { code, out } = await explain("policy.pii_detection.types.\u001b[31m\u202e");
  expect(code).toBe(0);
  expect(out).toContain("policy.spec.pii_detection.types.\\x1b[31m\\u{202e}\n");
});

test("without a word everything that can be asked is listed, a line each", async () => {
  const { code, out } = await explain();
  expect(code).toBe(0);
  for (const { code: name } of [...explainedDiagnostics, ...explainedNotes])
    expect(out).toMatch(new RegExp(`^ {2}${name} +\\S`, "m"));
  for (const word of ["manifest", "policy", "toolset", "credential", "agent", "example"]) {
    expect(out).toMatch(new RegExp(`^ {2}${word} +\\S`, "m"));
  }
});

test("the workspace of the examples is shown", async () => {
  expect((await explain("example")).out).toContain(
    "# agents/support.yaml\napiVersion: agentform/v1\nkind: Agent\n",
  );
});

test("a broken workspace does not matter, and no file of it is read", async () => {
  const { directory } = makeWorkspace({
    "agentform.yaml": "{",
    "agents/a.yaml": documentText("Agent", "a", {}),
  });
  expect(await runIn(directory, ["explain", "agent.model"], { HOME: "" })).toMatchObject({
    code: 0,
    err: "",
  });
});
