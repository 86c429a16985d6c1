import { expect, test } from "vitest";
import type { WorkspaceEdit } from "vscode-languageserver/node";
import type { Diagnostic } from "../../src/core/finding/diagnostic.js";
import { validate } from "../harness/validate.js";
import { documents, openDesk, type Desk } from "../cli/desk.js";
import { examples, fc } from "../harness/property.js";
import { openExample } from "./example-editor.js";
import { renamed } from "./make-changes.js";
import { wholeTest } from "../harness/tier.js";

const file = "policies/strict.yaml";
const spec = { name: "Strict", banned_topics: { enabled: true, topics: ["weapons"] } };

const blockLifecycles = [
  "",
  "lifecycle: {protect: false}\n",
  "lifecycle:\n  protect: false\n",
  "lifecycle:\n  moved_from: policy:first\n",
  "lifecycle:\n  moved_from:\n    - policy:first\n",
  "lifecycle:\n  moved_from:\n  - policy:first # long ago\n  protect: false\n",
  "lifecycle: {moved_from: [policy:first]}\n",
  "lifecycle: {moved_from: []}\n",
  "lifecycle: {}\n",
  "lifecycle:\n",
  "lifecycle: null # none\n",
  "lifecycle: ~\n",
  "lifecycle:\n  # nothing yet\n",
  "lifecycle:\n  moved_from:\n",
  "lifecycle:\n  moved_from: # to come\n  protect: false\n",
  "lifecycle:\n  moved_from: 'policy:first' # why\n",
  "lifecycle: { # marks\n  protect: false,\n}\n",
  "lifecycle:\n  on_removal: forget\n",
];
const dataLifecycles = [
  undefined,
  null,
  {},
  { protect: false },
  { moved_from: null },
  { moved_from: "policy:first" },
  { moved_from: ["policy:first"] },
  { moved_from: [], protect: false },
];

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${key}: ${flow(each)}`)
    .join(", ")}}`;
}

const head = (name = "strict") => `apiVersion: agentform/v1\nkind: Policy\nmetadata:\n  name: ${name}\n`;
const body = `spec:\n  name: Strict\n  banned_topics: {enabled: true, topics: [weapons]}\n`;
const other = `${head("other")}spec: {name: Other}\n`;
const written = fc
  .constantFrom(...blockLifecycles)
  .chain((lifecycle) =>
    fc.constantFrom(
      `${head()}${body}${lifecycle}`,
      `${head("'strict'")}${lifecycle}${body}`,
      `# first\n${lifecycle}${head()}${body}# end\n\n`,
      `${head()}${lifecycle}${body.trimEnd()}`,
      `${head()}${body}${lifecycle}`.trimEnd(),
      `${head()}${body}${lifecycle}`.replaceAll("\n", "\r\n"),
      `\u{feff}${head()}${body}${lifecycle}`,
      `${head()}${body}${lifecycle}`.replaceAll(/^/gm, "  ").trimEnd(),
      `${lifecycle}${head()}${body}`.replaceAll(/^(?=.)/gm, "   "),
      `${other}---\n${head()}${body}${lifecycle}...\n---\n${other.replace("other", "last")}`,
      `%YAML 1.2\n---\n${lifecycle}${head()}${body}---\n${other}`,
      `${head()}${lifecycle}${body}  description: |\n    For every\n    day`,
    ),
  );
const inBraces = fc.constantFrom(...dataLifecycles).chain((lifecycle) => {
  const envelope = { apiVersion: "agentform/v1", kind: "Policy", metadata: { name: "strict" } };
  const data = lifecycle === undefined ? { ...envelope, spec } : { ...envelope, lifecycle, spec };
  const last = lifecycle === undefined ? data : { ...envelope, spec, lifecycle };
  return fc.constantFrom(
    `${flow(data)}\n`,
    flow(last),
    flow(last).replace(/\}$/, " , }"),
    JSON.stringify(data),
    `${JSON.stringify(last, null, 2)}\n`,
    JSON.stringify(last, null, "\t"),
    `--- ${JSON.stringify(data)}\n---\n${other}`,
  );
});
const newName = fc.oneof(
  fc.constantFrom(
    "stern",
    "true",
    "null",
    "123",
    "1e3",
    "0x1f",
    "0o7",
    "1.5",
    "no",
    "2020-01-01",
    "1_0",
    "a.b",
  ),
  fc
    .stringMatching(/^[a-z0-9]([a-z0-9._-]{0,6}[a-z0-9])?$/)
    .filter((name) => !["other", "last", "strict"].includes(name)),
);

/** What an apply would make anew, or leave, among the policies that a test renames. */
async function lossesOf(desk: Desk, ...options: string[]): Promise<string[]> {
  const planned = await desk.run("plan", "--format", "json", ...options);
  const { actions } = JSON.parse(planned.out) as { actions?: { action: string; address: string }[] };
  if (!actions) throw new Error(planned.out + planned.err);
  return actions
    .filter(({ action, address }) => /create|forget/.test(action) && !/:(?:other|last)$/.test(address))
    .map(({ action, address }) => `${action} ${address}`);
}

const errorsIn = (directory: string) =>
  validate({ directory }).filter(({ severity }: Diagnostic) => severity === "error");

wholeTest("however a document is written, its resource keeps its object under any new name", async () => {
  const desk = await openDesk();
  const { directory } = desk.workspace;
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const check = async (text: string, name: string) => {
    desk.workspace.write({ ...documents, [file]: text });
    const editor = await openExample(directory);
    await renamed(editor, "agents/support.yaml", "policy:strict", 10, name);
    expect(errorsIn(directory), desk.workspace.read(file)).toEqual([]);
    expect(await lossesOf(desk)).toEqual([]);
  };
  await fc.assert(fc.asyncProperty(fc.oneof(written, inBraces), newName, check), { numRuns: examples(200) });
});

const inTwo =
  "  environments: {default: {}, staging: {}, production: {}}\n  ignore: [environment-same-service]\n";

/** A desk whose policies are applied in two environments. */
async function openEnvironments(files: Readonly<Record<string, string>>): Promise<Desk> {
  const desk = await openDesk({ ...documents, ...files });
  const manifest = desk.workspace.read("agentform.yaml");
  desk.workspace.write({ "agentform.yaml": `${manifest}${inTwo}` });
  for (const each of ["staging", "production"]) {
    const { code, out, err } = await desk.run("apply", "--yes", "-e", each);
    expect(code, out + err).toBe(0);
  }
  return desk;
}

test.each([
  [
    "only in an environment that the editor does not show",
    {
      "policies/strict.yaml": `${head()}lifecycle: {environments: [production]}\n${body}`,
      "agents/support.yaml": other,
    },
  ],
  [
    "in a document for each environment",
    {
      "policies/strict.yaml": `${head()}lifecycle: {environments: [staging]}\n${body}---\n${head()}${body}lifecycle: {environments: [production]}\n`,
      "agents/support.yaml": other,
    },
  ],
  [
    "with patches of both environments",
    {
      [file]: `${head()}${body}`,
      "environments/production/p.yaml": `${head()}lifecycle: {protect: true, moved_from: policy:older}\nspec: {}\n`,
      "environments/staging/s.yaml": `${head()}lifecycle: {moved_from: []}\nspec: {}\n`,
    },
  ],
])("a resource keeps its object in all environments: %s", async (_, files) => {
  const desk = await openEnvironments(files);
  const { directory } = desk.workspace;
  const editor = await openExample(directory, "staging");
  await renamed(editor, file, "name: strict", 7, "stern");
  expect(validate({ directory }).map(({ message }) => message)).toEqual([]);
  for (const each of ["staging", "production"]) expect(await lossesOf(desk, "-e", each)).toEqual([]);
});

test("a rename that would lose the ID is refused with the reason", async () => {
  const desk = await openDesk();
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  desk.workspace.write({ [file]: `${head()}${body}lifecycle: [protect]\n` });
  const editor = await openExample(desk.workspace.directory);
  await expect(renamed(editor, file, "name: strict", 7, "stern")).rejects.toThrow(
    "needs `moved_from: policy:strict`",
  );
});

test("a name that an alias brings elsewhere is refused, as that would change, too", async () => {
  const desk = await openDesk();
  const text = (alias: string) => `${head("&name strict")}spec: {name: Strict, description: ${alias}}\n`;
  desk.workspace.write({ [file]: text("*name") });
  const editor = await openExample(desk.workspace.directory);
  await expect(renamed(editor, file, "name strict", 5, "stern")).rejects.toThrow("only you can change");
  desk.workspace.write({ [file]: text("none") });
  await editor.save(file);
  await renamed(editor, file, "name strict", 5, "stern");
  expect(desk.workspace.read(file)).toContain("&name stern\n");
});

test("a name that is unsafe as a key is refused", async () => {
  const desk = await openDesk();
  const manifest = desk.workspace.read("agentform.yaml");
  desk.workspace.write({ "agentform.yaml": `${manifest}  variables: {model: large}\n` });
  const editor = await openExample(desk.workspace.directory);
  await expect(renamed(editor, "agentform.yaml", "model: large", 1, "__proto__")).rejects.toThrow(
    "agentform.yaml",
  );
  await renamed(editor, "agentform.yaml", "model: large", 1, "null");
  expect(
    validate({ directory: desk.workspace.directory }).filter(({ severity }) => severity === "error"),
  ).toEqual([]);
});

test.each([
  "",
  "lifecycle: {protect: false}\n",
  "lifecycle:\n  moved_from: policy:older\n",
  "lifecycle:\n  protect: false\n",
])("a resource that is renamed there and back has no move to its own address: %j", async (lifecycle) => {
  const desk = await openDesk();
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const text = `${head()}${body}${lifecycle}`;
  desk.workspace.write({ [file]: text });
  const editor = await openExample(desk.workspace.directory);
  await renamed(editor, file, "name: strict", 7, "stern");
  expect(desk.workspace.read(file)).toContain("policy:strict");
  await editor.save(file);
  await renamed(editor, file, "name: stern", 7, "strict");
  expect(desk.workspace.read(file).replace("\n    - policy:older", " policy:older")).toBe(text);
  expect((await desk.run("plan")).code).toBe(0);
});

test("a name that a long text has thousands of times is renamed without a copy of the text for each", async () => {
  const desk = await openDesk();
  const manifest = desk.workspace.read("agentform.yaml");
  const prompt = "${var:model} ".repeat(3000).trim();
  desk.workspace.write({
    "agentform.yaml": `${manifest}  variables: {model: large}\n`,
    [file]: `${head()}${body}  description: ${prompt}\n`,
  });
  const editor = await openExample(desk.workspace.directory);
  const { prototype } = String;
  const { slice } = prototype;
  let copied = 0;
  prototype.slice = function (this: string, ...range) {
    const part = slice.apply(this, range);
    copied += part.length;
    return part;
  };
  try {
    const edit: WorkspaceEdit = await editor.connection.sendRequest("textDocument/rename", {
      ...editor.at("agentform.yaml", "model: large", 1),
      newName: "kind",
    });
    expect(Object.values(edit.changes ?? {}).flat()).toHaveLength(3001);
  } finally {
    prototype.slice = slice;
  }
  expect(copied).toBeLessThan(100 * prompt.length);
});
