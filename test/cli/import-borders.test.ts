import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { needProgram } from "../harness/need.js";
import { manifestWithOperations, operationsOf } from "./applied-desk.js";
import { runIn } from "./desk.js";
import { askingManifest, openAsked } from "./sixty.js";
import { wholeTest } from "../harness/tier.js";

const all = ["import", "--all", "--yes"] as const;

// In the place of a value that is nested too deep for most programs.
const deep = "DEEP";

type ListedObject = { readonly _id?: string } & Readonly<Record<string, unknown>>;

/** A service with lists of these objects by path, which can be read as well, and nothing else. */
async function openLists(lists: Readonly<Record<string, readonly ListedObject[]>>): Promise<string> {
  const objects = Object.entries(lists).flatMap(([path, list]) =>
    list.map((each) => [`${path.replace(/\/$/, "")}/${each._id}`, each] as const),
  );
  const answers: Readonly<Record<string, unknown>> = { ...lists, ...Object.fromEntries(objects) };
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    const text = JSON.stringify(answers[request.url ?? ""] ?? []);
    response.end(text.replace(`"${deep}"`, "[".repeat(5000) + "]".repeat(5000)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function everything(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))
    .join("\n");
}

test("secrets that the service gives back are neither written nor shown, and what repeats them is left out", async () => {
  const canary = "sk-live-7hT2qLp9XwZ4";
  const url = await openLists({
    "/v3/tools/credentials": [
      { _id: "c1", name: "OpenAI", credentials: { api_key: canary, port: 5432, on: true } },
    ],
    "/v3/agents/": [
      { _id: "a1", name: "Leak", description: `use ${canary}` },
      { _id: "a2", name: "Own", features: [{ type: "X", config: { api_key: canary } }] },
      { _id: "a3", name: "Fine", llm_credential_id: "c1" },
    ],
    "/v3/tools/": [
      {
        _id: "t1",
        tool_set_name: "openapi-desk",
        method: "GET",
        path: "/a",
        enhance_descriptions: true,
        openapi_schema: {
          openapi: "3.1.0",
          info: { title: "${HOME}", version: "1" },
          paths: { "/a": { get: { summary: "${env:X}" } } },
        },
        default_headers: { Authorization: `Bearer ${canary}` },
      },
    ],
  });
  const { directory } = makeWorkspace({ "agentform.yaml": askingManifest(url, "array") });
  const imported = await runIn(directory, all);
  expect(imported.code).toBe(1);
  expect(imported.err).toContain("agent a1: a text of it has the value of a secret");
  expect(imported.out + imported.err + everything(directory)).not.toContain(canary);
  const { resources } = JSON.parse(readFileSync(join(directory, "agentform.lock"), "utf8"));
  expect(Object.keys(resources)).toEqual(["agent:fine", "agent:own", "credential:openai", "toolset:desk"]);
  expect(resources["credential:openai"].body.credentials).toEqual({
    api_key: "${env:CREDENTIAL_OPENAI_API_KEY}",
    port: "${env:CREDENTIAL_OPENAI_PORT}",
    on: true,
  });
  expect(imported.out).toContain("TOOLSET_DESK_PROVIDER_API_KEY (provider_api_key of toolset:desk)");
  expect(await runIn(directory, ["plan", "--detailed-exitcode"])).toMatchObject({ code: 0 });
  expect(await runIn(directory, all)).toMatchObject({ code: 1 });
});

test("what has the value of a secret is named without any text of it", async () => {
  const canary = "HUNTCRED12345";
  const lists = {
    "/v3/tools/credentials": [{ _id: "c1", name: "OpenAI", credentials: { api_key: canary } }],
    "/v3/agents/": [
      { _id: "a1", name: canary },
      { _id: "a2", name: "Beside", description: `use ${canary}` },
      { _id: `x-${canary}`, name: "By its ID" },
      { _id: "a4", name: "Unknown", [canary]: 1 },
      { _id: "a5", name: canary, temperature: "warm" },
    ],
    "/v1/rai/policies": [{ _id: "p1", name: canary, toxicity_check: { enabled: "perhaps" } }],
  };
  const url = await openLists(lists);
  const { directory } = makeWorkspace({
    "agentform.yaml": askingManifest(url, "array"),
    "agents/beside.yaml": documentText("Agent", "beside", { name: "Beside", description: "No" }),
  });
  const imported = await runIn(directory, all);
  expect(imported.code).toBe(1);
  for (const which of ["agent a1", "agent a2", "agent number 3 of the list", "agent a4", "policy p1"])
    expect(imported.err).toContain(`${which}: `);
  expect(imported.err).not.toContain("`Beside`");
  expect(imported.out + imported.err + everything(directory)).not.toContain(canary);
});

test("what has the name of a secret becomes a variable wherever it is", async () => {
  const value = (name: string) => `canary-${name}-9f8e7d`;
  const named = (...names: string[]) => Object.fromEntries(names.map((name) => [name, value(name)]));
  const openapi = (url: string) => ({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    servers: [{ url: "https://a.test" }, { url }],
    paths: { "/a": { get: { operationId: "a" } } },
  });
  const tool = { method: "GET", path: "/a" };
  const config = {
    ...named("token", "dbPassword", "private-key"),
    max_tokens: 5,
    token_url: "https://a.test/token",
    tokenizer: "words",
    llm_credential_id: "other",
    deep: [{ deeper: named("refreshToken", "passwd", "aws_access_key") }],
    client_secret: {
      current: "canary-Xy7Zq2Rt5W",
      rotated: [{ at: "monday", was: "canary-Xy7Zq2Rt5W" }],
      days: 30,
      next: null,
      note: "",
    },
    secret_rules: { action: "mask", kinds: ["email"] },
  };
  const prompt = "a\nb\nc\nkey AKIAIOSFODNN7EXAMPLE";
  const url = await openLists({
    "/v1/rai/policies": [
      { _id: "p1", name: "Guard", pii_detection: { enabled: true, types: { PASSWORD: "redact" } } },
    ],
    "/v3/agents/": [
      { _id: "a1", name: "Desk", features: [{ type: "X", config }], system_prompt: prompt },
      { _id: "a2", name: "Short", description: "ghp_0123456789abcdefghij and task-force-1-of-many" },
    ],
    "/v3/tools/": [
      {
        _id: "t1",
        tool_set_name: "openapi-desk",
        ...tool,
        openapi_schema: openapi("https://b.test"),
        default_headers: { ...named("Ocp-Apim-Subscription-Key", "X-Auth"), Trace: "on" },
        default_query_params: named("access_token", "sig", "key"),
        default_body_params: named("client_secret", "password"),
        endpoint_defaults: { "/a": named("token") },
      },
      {
        _id: "t2",
        tool_set_name: "openapi-open",
        ...tool,
        openapi_schema: openapi("https://u:canary-9f8e7d@b.test"),
      },
      {
        _id: "t3",
        tool_set_name: "openapi-key",
        ...tool,
        openapi_schema: openapi("https://b.test/?api_key=canary-9f8e7d"),
      },
    ],
  });
  const { directory } = makeWorkspace({ "agentform.yaml": askingManifest(url, "array") });
  const imported = await runIn(directory, all);
  expect(imported.code).toBe(1);
  const shown = imported.out + imported.err;
  expect(shown + everything(directory)).not.toMatch(/canary-/);
  expect(imported.err).toContain("(t2): `openapi_schema.servers.1.url` has a password or a key");
  expect(imported.err).toContain("(t3): `openapi_schema.servers.1.url` has a password or a key");
  expect(imported.err).toContain("agent:desk: `system_prompt` in prompts/desk.md looks as if");
  expect(imported.err).toContain("agent:short: `description` in agents/short.yaml looks as if");
  expect(shown).not.toMatch(/AKIA|ghp_/);
  const { resources } = JSON.parse(readFileSync(join(directory, "agentform.lock"), "utf8"));
  expect(resources["agent:desk"].body.features[0].config).toMatchObject({
    max_tokens: 5,
    token_url: "https://a.test/token",
    tokenizer: "words",
    llm_credential_id: "other",
    secret_rules: { action: "mask", kinds: ["email"] },
    client_secret: { days: 30, note: "" },
  });
  expect(resources["policy:guard"].body.pii_detection.types).toEqual({ PASSWORD: "redact" });
  expect(resources["toolset:desk"].body.default_headers.Trace).toBe("on");
  expect(await runIn(directory, ["plan", "--detailed-exitcode"])).toMatchObject({ code: 0 });
});

test("secrets in a mapping that is left out are no drift of what was imported", async () => {
  const vendor_token = { current: "inner-Xy7Zq2Rt5W", mode: "Desk", more: "short" };
  const url = await openLists({ "/v3/agents/": [{ _id: "a1", name: "Desk", vendor_token }] });
  const { directory } = makeWorkspace({
    "agentform.yaml": manifestWithOperations(url, operationsOf("array", "list")),
  });
  expect(await runIn(directory, all)).toMatchObject({ code: 0 });
  expect(everything(directory)).not.toMatch(/inner-|vendor_token:/);
  expect((await runIn(directory, ["drift", "--detailed-exitcode"])).out).toContain("No drift.");
});

test("what no document can say is named and left out", async () => {
  const url = await openLists({
    "/v1/rai/policies": [
      { _id: "p1", name: "Wrong", toxicity_check: { enabled: "perhaps" } },
      { _id: "p2", description: "no name" },
      { _id: "p3", name: "Deep", user_id: deep },
      {
        _id: "p4",
        name: "Beyond",
        risk: 5,
        toxicity_check: { enabled: true, model: "x" },
        description: null,
      },
      { _id: "p5", name: "\ud800" },
    ],
    "/v3/agents/": [JSON.parse('{"_id": "a1", "name": "Proto", "response_format": {"__proto__": {"x": 1}}}')],
    "/v3/tools/": [{ _id: "t1", tool_set_name: "openapi-bare", name: "a" }],
  });
  const { directory } = makeWorkspace({ "agentform.yaml": askingManifest(url, "array") });
  const imported = await runIn(directory, all);
  expect(imported.code).toBe(1);
  for (const id of ["p1", "p2", "p3", "p5", "a1", "t1"])
    expect(imported.err).toMatch(new RegExp(`[( ]${id}\\b`));
  expect(imported.err).toContain("unknown fields are left out: `toxicity_check.model`, `risk`");
  const { resources } = JSON.parse(readFileSync(join(directory, "agentform.lock"), "utf8"));
  expect(Object.keys(resources)).toEqual(["policy:beyond"]);
  expect(await runIn(directory, ["plan", "--detailed-exitcode"])).toMatchObject({ code: 0, err: "" });
});

test("an object that is managed by its ID in capitals gets no second address", async () => {
  const id = "66f1c09a8b7e5d4c3b2a1908";
  const url = await openLists({ "/v3/agents/": [{ _id: id, name: "Desk" }] });
  const { directory } = makeWorkspace({
    "agentform.yaml": askingManifest(url, "array"),
    "agents/desk.yaml": documentText("Agent", "desk", { name: "Desk" }),
  });
  const adopted = await runIn(directory, ["lock", "resolve", "agent:desk", "--adopt", id.toUpperCase()]);
  expect(adopted).toMatchObject({ code: 0 });
  for (const args of [all, ["import", `agent:${id}`, "--yes"]] as const) await runIn(directory, args);
  const { resources } = JSON.parse(readFileSync(join(directory, "agentform.lock"), "utf8"));
  expect(Object.keys(resources)).toEqual(["agent:desk"]);
});

test("a list that has an object a second time, with its ID in capitals, is not imported", async () => {
  const id = "66f1c09a8b7e5d4c3b2a1908";
  const agents = [id, id.toUpperCase()].map((_id) => ({ _id, name: "Desk" }));
  const url = await openLists({ "/v3/agents/": agents });
  const { directory } = makeWorkspace({ "agentform.yaml": askingManifest(url, "array") });
  const imported = await runIn(directory, all);
  expect(imported).toMatchObject({ code: 1, out: "" });
  expect(imported.err).toContain(`has two different objects with the ID ${id.toUpperCase()}`);
  expect(existsSync(join(directory, "agentform.lock"))).toBe(false);
});

test.each([
  ["66f1c09a8b7e5d4c3b2a1908", "66F1C09A8B7E5D4C3B2A1908"],
  ["66F1C09A8B7E5D4C3B2A1908", "66f1c09a8b7e5d4c3b2a1908"],
])("an object that is listed as %s is found as %s", async (listed, other) => {
  const url = await openLists({ "/v3/agents/": [{ _id: listed, name: "Desk" }] });
  const manifest = { "agentform.yaml": manifestWithOperations(url, operationsOf("array", "list")) };
  const asked = makeWorkspace(manifest);
  expect(await runIn(asked.directory, ["import", `agent:${other}`, "--yes"])).toMatchObject({ code: 0 });
  expect(readFileSync(join(asked.directory, "agentform.lock"), "utf8")).toContain(`"id": "${listed}"`);
  const managed = makeWorkspace({
    ...manifest,
    "agents/desk.yaml": documentText("Agent", "desk", { name: "Desk" }),
  });
  const adopted = ["lock", "resolve", "agent:desk", "--adopt", other];
  expect(await runIn(managed.directory, adopted)).toMatchObject({ code: 0 });
  expect((await runIn(managed.directory, ["drift"])).out).toContain("No drift.");
});

test("an object of a different environment stays its own", async () => {
  const filled = await openAsked();
  const manifest = askingManifest(
    filled.emulator.url,
    "array",
    "  environments: {default: {}, staging: {}}\n",
  );
  filled.workspace.write({ "agentform.yaml": manifest });
  await filled.post("/v3/agents/", { name: "Support" });
  expect(await filled.run(...all, "-e", "staging")).toMatchObject({ code: 0, err: "" });
  filled.workspace.remove("agents/support.yaml");
  const imported = await filled.run(...all);
  expect(imported).toMatchObject({ code: 0, out: "There is nothing to import.\n" });
  expect(imported.err).toContain("the environment `staging` has it");
  const [{ id = "" } = {}] = filled.emulator.objects().agents;
  expect((await filled.run("import", `agent:${id}`, "--yes")).code).toBe(1);
  writeFileSync(join(filled.workspace.directory, "agentform.staging.lock"), "{");
  const blind = await filled.run(...all);
  expect(blind).toMatchObject({ code: 1, err: expect.stringContaining("--> agentform.staging.lock:1:2") });
});

test("what is imported in one environment is created in no other", async () => {
  const filled = await openAsked();
  const more = "  environments: {default: {}, staging: {}}\n";
  filled.workspace.write({ "agentform.yaml": askingManifest(filled.emulator.url, "array", more) });
  await filled.post("/v3/agents/", { name: "Support" });
  expect(await filled.run(...all, "-e", "staging")).toMatchObject({ code: 0, err: "" });
  expect(filled.workspace.read("agents/support.yaml")).toContain("environments");
  const planned = await filled.run("plan", "-e", "staging", "--detailed-exitcode");
  expect(planned).toMatchObject({ code: 0 });
  const other = await filled.run("plan", "--format", "json");
  expect(JSON.parse(other.out).actions).toEqual([]);
});

test("what a document adopts is left to the next apply", async () => {
  const filled = await openAsked();
  const id = String((await filled.post("/v3/agents/", { name: "Support", description: "x" }))["agent_id"]);
  const spec = { name: "Support", description: "x" };
  filled.workspace.write({ "agents/support.yaml": documentText("Agent", "support", spec, { adopt: id }) });
  const imported = await filled.run(...all);
  expect(imported).toMatchObject({ code: 0, out: "There is nothing to import.\n" });
  expect(imported.err).toContain("`lifecycle.adopt` of agent:support names it");
});

test("what a document of another environment or workspace adopts is left to its next apply", async () => {
  const filled = await openAsked();
  const id = async (name: string) => String((await filled.post("/v3/agents/", { name }))["agent_id"]);
  const [staged, near] = [await id("Support"), await id("Sales")];
  const manifest = filled.workspace.read("agentform.yaml");
  const patch = documentText("Agent", "support", {}, { adopt: staged });
  execFileSync("git", ["init", "--quiet", filled.workspace.directory]);
  filled.workspace.write({
    "agentform.yaml": manifest.replace(
      "\nspec:\n",
      "\nspec:\n  environments: {staging: {}, production: {}}\n",
    ),
    "agents/support.yaml": documentText("Agent", "support", { name: "Another" }),
    "environments/staging/support.yaml": patch,
    "near/agentform.yaml": manifest.replace(/name: \w+/, "name: near"),
    "near/agents/sales.yaml": documentText("Agent", "sales", { name: "Sales" }, { adopt: near }),
  });
  const imported = await filled.run(...all, "-e", "production");
  expect(imported).toMatchObject({ code: 0, out: "There is nothing to import.\n" });
  expect(imported.err).toContain("`lifecycle.adopt` of agent:support in the environment `staging` names it");
  expect(imported.err).toContain("`lifecycle.adopt` of agent:sales in the workspace in `near` names it");
  const asked = await filled.run("import", `agent:${near}`, "--yes", "-e", "production");
  expect(asked.code).toBe(1);
});

test("what was left behind is taken only by its ID, and leaves the ledger", async () => {
  const filled = await openAsked();
  const policy = { "policies/p.yaml": documentText("Policy", "p", { name: "P", description: "x" }) };
  filled.workspace.write(policy);
  await filled.run("apply", "--yes");
  filled.workspace.remove("policies/p.yaml");
  await filled.run("apply", "--yes");
  expect(await filled.run(...all)).toMatchObject({ code: 0, out: "There is nothing to import.\n" });
  const [{ id = "" } = {}] = filled.emulator.objects().policies;
  expect(await filled.run("import", `policy:${id}`, "--yes")).toMatchObject({ code: 0, err: "" });
  const lock = JSON.parse(filled.workspace.read("agentform.lock"));
  expect(lock).toMatchObject({ retired: {}, resources: { "policy:p-2": { id } } });
});

wholeTest("a lock on a git ref gets the entries", async () => {
  needProgram("git");
  const root = mkdtempSync(join(tmpdir(), "agentform-import-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const filled = await openAsked("key");
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: filled.workspace.directory, stdio: "pipe" });
  execFileSync("git", ["init", "--quiet", "--bare", join(root, "remote.git")]);
  git("init", "--quiet");
  git("remote", "add", "origin", join(root, "remote.git"));
  filled.workspace.write({
    "agentform.yaml": askingManifest(filled.emulator.url, "key", "  lock: {store: git}\n"),
  });
  await filled.post("/v3/agents/", { name: "Support" });
  expect(await filled.run(...all)).toMatchObject({ code: 0, err: "" });
  expect(await filled.run("plan", "--detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  expect((await filled.run("lock", "list")).out).toContain("agent:support");
});
