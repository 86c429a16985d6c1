import { expect, test } from "vitest";
import { parseIds } from "../../src/core/resources/parse-ids.js";
import { renderLock, type Lock, type RetiredObject } from "../../src/core/state/lock.js";
import { plan } from "../../src/index.js";
import { openDesk, documents, type Desk } from "../cli/desk.js";
import { loadCommands } from "../docs/command-reference.js";
import { startEditor } from "../editor/editor-client.js";
import { sample } from "../harness/tier.js";
import { documentText } from "../harness/disk-workspace.js";

/** Texts that a person may write where an address belongs. */
const texts = sample(
  "texts",
  [
    "widget:a",
    "",
    " ",
    ":",
    "x",
    "agent",
    "agent:",
    ":support",
    "Agent:support",
    "constructor:a",
    "__proto__:a",
    "__proto__",
    "toString",
    "agent:support/",
    "agent:none",
    "toolset:desk/none/x",
    "toolset:/",
    "agent:Sup port",
    "agent:\n\u0000",
    "${agent:support}",
    "agent:support@there",
    "policy:strict@there",
    "\u202eagent:support",
    "support",
  ],
  4,
);

async function appliedDesk(files: Readonly<Record<string, string>> = documents): Promise<Desk> {
  const desk = await openDesk(files);
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  return desk;
}

// A crash has 70.
const ordinary = [0, 1, 2, 3, 4, 64];

/** What commands may be told beside an address. */
const ways: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "lock show": [[], ["--at", "1"]],
  "lock resolve": [["--adopt", "a=1"], ["--not-created"], ["--search"]],
};

test("no option or argument takes a text for an address that is none", async () => {
  const desk = await appliedDesk();
  const commands = (await loadCommands()).flatMap(({ name, path, definition }) => {
    const options = definition.options.filter(({ flags }) => /[<[]addr\b/.test(flags));
    const takes = definition.registeredArguments.some((each) =>
      /^(?:addr|file|ids|objects|word)$/.test(each.name()),
    );
    return [
      ...options.map(({ long }) => (text: string) => [...path, `${long}=${text}`]),
      ...(takes
        ? (ways[name] ?? [[]]).map((words) => (text: string) => [...path, ...words, "--", text])
        : []),
    ];
  });
  expect(commands.length).toBeGreaterThan(20);
  for (const text of texts) {
    for (const command of commands) {
      const { code, err } = await desk.run(...command(text));
      expect(ordinary, `${command(text).join(" ")}: ${err}`).toContain(code);
    }
  }
});

test("no file of IDs takes a text for an address that is none", async () => {
  const desk = await appliedDesk();
  for (const text of texts) {
    const csv = `address,id\n"${text}",a1\n`;
    const values: readonly unknown[] = ["a1", "a=1,b=2", ["a=1"], { a: "1" }, "not-created"];
    const json = values.map((value) => JSON.stringify(Object.fromEntries([[text, value]])));
    for (const file of [csv, ...json]) {
      desk.workspace.write({ ids: file });
      const { code, err } = await desk.run("lock", "resolve", "--from", "ids");
      expect(ordinary, `${file}: ${err}`).toContain(code);
    }
    const ids = Object.fromEntries([[text, "a1"]]);
    expect(() => parseIds(JSON.stringify({ format: "agentform/ids/v1", workspace: "w", ids }))).not.toThrow();
  }
});

test("no document takes a text for an address that is none", async () => {
  const desk = await appliedDesk();
  for (const text of texts) {
    const bodies: readonly object[] = [
      { name: text, system_prompt: `See \${${text}} and ${text}.`, tools: [text, `\${${text}}`] },
      { name: "A", llm_credential_id: text, features: [{ type: "RAI", config: { policy_id: text } }] },
      {
        name: "A",
        llm_credential_id: `\${${text}}`,
        features: [{ type: "RAI", priority: 0, config: { policy_id: `\${${text}}` } }],
        managed_agents: [`\${${text}}`],
      },
    ];
    const changes = bodies.flatMap((body) =>
      [text, [text, text]].map((from) =>
        documentText("Agent", "odd", body, { moved_from: from, adopt: text }),
      ),
    );
    const all = [...changes, documentText("Agent", text, { name: "A" })];
    for (const document of all) {
      desk.workspace.write({ "agents/odd.yaml": document });
      for (const command of ["validate", "plan", "graph"]) {
        const { code, err } = await desk.run(command);
        expect(ordinary, `${command} of ${document}: ${err}`).toContain(code);
      }
    }
  }
});

test("no lock takes a text for an address that is none", async () => {
  const desk = await appliedDesk();
  const lock = JSON.parse(desk.workspace.read("agentform.lock")) as Lock;
  const [address, entry] = Object.entries(lock.resources).find(([each]) => each.startsWith("agent:")) ?? [];
  if (address === undefined || entry === undefined) throw new Error("the desk has an agent");
  const { [address]: _gone, ...others } = lock.resources;
  for (const text of texts) {
    const named = (value: unknown) => Object.fromEntries([[text, value]]) as Lock["resources"];
    const left: RetiredObject = { address, reason: "replaced", used_by: [text] };
    const locks: readonly Lock[] = [
      { ...lock, resources: { ...others, ...named(entry) } },
      { ...lock, resources: { ...others, [address]: { ...entry, moved_from: [text] } } },
      { ...lock, resources: { ...others, [address]: { ...entry, references: { [text]: "a1" } } } },
      { ...lock, retired: { a9: { ...left, address: text } } },
      { ...lock, retired: { a9: left } },
    ];
    for (const each of locks) {
      desk.workspace.write({ "agentform.lock": renderLock(each) });
      for (const command of [["plan"], ["lock", "list"], ["lock", "retired"], ["lock", "show", address]]) {
        const { code, err } = await desk.run(...command);
        expect(ordinary, `${command.join(" ")} with ${renderLock(each)}: ${err}`).toContain(code);
      }
    }
  }
});

test("the library takes no text for an address that is none", async () => {
  const { workspace } = await appliedDesk();
  for (const text of texts) {
    for (const choice of ["target", "exclude", "replace", "resend"] as const) {
      const choices = { directory: workspace.directory, [choice]: [text], env: {} };
      await expect(plan(choices), `${choice}: ${text}`).resolves.toBeDefined();
    }
  }
});

test("the editor takes no text for an address that is none", async () => {
  const { workspace } = await openDesk();
  const editor = await startEditor(workspace.directory);
  const file = "agents/support.yaml";
  for (const text of texts) {
    const content = documentText(
      "Agent",
      "support",
      { name: `\${${text}}`, tools: [text] },
      { moved_from: text },
    );
    await editor.show(file, content);
    const places = [...content.matchAll(/name":"\$\{.?|tools":\["|moved_from":"./g)];
    for (const [found, { index }] of places.map((place) => [place[0], place] as const)) {
      const position = { line: 0, character: index + found.length };
      const at = { textDocument: { uri: editor.uriOf(file) }, position };
      const context = { includeDeclaration: true, diagnostics: [] };
      for (const request of [
        "completion",
        "hover",
        "definition",
        "references",
        "prepareRename",
        "codeAction",
      ]) {
        const answer = editor.connection.sendRequest(`textDocument/${request}`, {
          ...at,
          context,
          range: { start: position, end: position },
        });
        const told: unknown = await answer.catch(({ message }: Error) => message);
        expect(String(told), `${request}: ${text}`).not.toContain("is of no kind");
      }
    }
  }
});
