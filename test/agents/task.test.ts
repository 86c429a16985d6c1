import { expect, test } from "vitest";
import { makeWorkspace } from "../harness/disk-workspace.js";
import { openEmulator } from "../cli/desk.js";
import { allOperations, fullManifest } from "../cli/full-desk.js";
import { CodingAgent } from "./coding-agent.js";

const secrets = { AGENT_API_KEY: "k", PROVIDER_API_KEY: "k", WEATHER_TOKEN: "t", LIBRARY_TOKEN: "t" };

// The API that the workspace is to be made for.
const library = {
  openapi: "3.1.0",
  info: { title: "Library", version: "1" },
  servers: [{ url: "https://library.example.com" }],
  paths: {
    "/books": { get: { operationId: "findBooks", responses: { "200": { description: "Books" } } } },
    "/loans": { post: { operationId: "lendBook", responses: { "201": { description: "A loan" } } } },
  },
};

interface Confirm {
  readonly type: string;
  readonly digest: string;
  readonly summary: Readonly<Record<string, number>>;
  readonly command: readonly string[];
}

test("an agent that reads data alone makes a workspace, mends it, and agrees to what was shown", async () => {
  const emulator = await openEmulator({ operations: "full", answers: "names" });
  const { directory, remove } = makeWorkspace({});
  remove("agentform.yaml");
  const agent = new CodingAgent(directory, secrets);
  await agent.learn();

  // A workspace, and the guide that is in it.
  const made = await agent.run("init");
  const files = (made.last["files"] as { file: string }[]).map(({ file }) => file);
  expect(files).toContain("AGENTS.md");
  const guide = agent.read("AGENTS.md");
  agent.write("agentform.yaml", fullManifest(emulator.url, allOperations, "  variables: {model: small-1}\n"));

  // A tool set for the API, made from the schema of its kind.
  const { last: schema } = await agent.run("schema", "toolset");
  const { properties } = schema as { properties: Record<string, { const?: string; required?: string[] }> };
  const values: Record<string, string> = {
    tool_set_name: "library",
    openapi_schema: "${file:../openapi/library.json}",
  };
  const spec = (properties["spec"]?.required ?? []).map((name) => `  ${name}: ${values[name]}\n`);
  agent.write("openapi/library.json", JSON.stringify(library));
  agent.write(
    "toolsets/library.yaml",
    `apiVersion: ${properties["apiVersion"]?.const}\nkind: ${properties["kind"]?.const}\nmetadata: {name: library}\nspec:\n${spec.join("")}`,
  );
  const assistant = files.find((file) => file.startsWith("agents/")) ?? "";
  const before = agent.read(assistant);
  agent.write(assistant, before.replace('"${toolset:weather}"', '"${toolset:weather}", "${toolset:libary}"'));

  // The loop of the guide: its commands, as they are written there.
  const [validate = "", plan = ""] = guide.split("\n").filter((line) => line.startsWith("agentform "));
  expect((await agent.run(...wordsOf(validate))).code).toBe(1);
  expect(await agent.mend()).toEqual([]);
  expect(agent.read(assistant)).toContain('"${toolset:weather}", "${toolset:library}"');
  expect((await agent.run(...wordsOf(validate))).code).toBe(0);
  const planned = await agent.run(...wordsOf(plan));
  const actions = planned.last["actions"] as { address: string; action: string }[];
  expect(actions).toContainEqual(expect.objectContaining({ address: "toolset:library", action: "create" }));

  // It is refused, and agrees to what it was shown.
  expect(await agreed(agent, ["apply"])).toMatchObject({ type: "confirm", digest: planned.last["digest"] });
  expect(emulator.objects().agents).toHaveLength(1);
  expect((await agent.run("plan", "--detailed-exitcode")).code).toBe(0);

  // Somebody changes an object in the service: found, and undone.
  const [{ id = "" } = {}] = emulator.objects().agents;
  emulator.edit({ kind: "agent", id, changes: { model: "huge-9" } });
  const drift = await agent.run("drift", "--out", "seen.json", "--detailed-exitcode");
  expect(drift.code).toBe(2);
  expect(drift.last["actions"]).toHaveLength(1);
  await agreed(agent, ["apply", "--observed", "seen.json"]);
  expect((await agent.run("drift", "--detailed-exitcode")).code).toBe(0);
  expect(emulator.objects().agents[0]?.body).toMatchObject({ model: "small-1" });
});

// Asks without an agreement, and runs the command that the answer names.
async function agreed(agent: CodingAgent, words: readonly string[]): Promise<Confirm> {
  const refused = await agent.run(...words);
  expect(refused.code).toBe(2);
  const confirm = refused.last as unknown as Confirm;
  const [program, ...again] = confirm.command;
  expect(program).toBe("agentform");
  expect((await agent.run(...again)).code).toBe(0);
  return confirm;
}

function wordsOf(line: string): string[] {
  return line.split(" ").slice(1);
}
