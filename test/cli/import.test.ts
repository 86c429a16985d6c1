import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sample } from "../harness/tier.js";
import { askingManifest, makeSixty, openAsked, type Filled, type Lists } from "./sixty.js";

describe("import of sixty objects made by hand", () => {
  test.each(sample<Lists>("forms of lists", ["pages", "key", "array"], 0))(
    "lists in the form %s: the plan has no changes",
    async (lists) => {
      const filled = await openAsked(lists);
      await makeSixty(filled);
      const { run, workspace } = filled;
      const imported = await run("import", "--all", "--yes");
      expect(imported).toMatchObject({ code: 0, err: "" });
      expect(imported.out).toContain("60 objects to import");
      const plan = await run("plan", "--detailed-exitcode");
      expect(plan).toMatchObject({ code: 0, err: "" });
      expect(await run("drift", "--detailed-exitcode", "--out", "seen.json")).toMatchObject({ code: 0 });
      expect(await run("plan", "--observed", "seen.json", "--detailed-exitcode")).toMatchObject({
        code: 0,
        err: "",
      });
      workspace.remove("seen.json");
      const files = readdirSync(workspace.directory, { recursive: true, withFileTypes: true }).filter(
        (each) => each.isFile(),
      );
      for (const file of files) {
        const text = readFileSync(join(file.parentPath, file.name), "utf8");
        expect(text).not.toMatch(/canary/);
      }
      expect(imported.out).not.toMatch(/canary/);
      const before = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
      expect(await run("import", "--all", "--yes")).toMatchObject({
        code: 0,
        err: "",
        out: "There is nothing to import.\n",
      });
      expect(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))).toEqual(
        before,
      );
    },
  );
});

const defaults = `  environments: {default: {}, staging: {}}
  ignore: [environment-same-service]
  defaults:
    - kind: Agent
      spec:
        description: From the defaults
        temperature: 0.5
        llm_credential_id: "66f1c0de0000000000000009"
        response_format: "\${file:format.yaml}"
        features: [{type: RAI, config: {policy_id: "66f1c0de0000000000000001"}}]
    - kind: Policy
      spec: {toxicity_check: {enabled: true, threshold: 0.5}}
`;

async function openWithDefaults(): Promise<Filled> {
  const filled = await openAsked();
  filled.workspace.write({
    "agentform.yaml": askingManifest(filled.emulator.url, "array", defaults),
    "format.yaml": "schema: {strict: true, name: Answer}\n",
  });
  return filled;
}

describe("import of what the manifest's defaults would change", () => {
  test.each([[[]], [["-e", "staging"]]])("the documents answer each default, %j", async (environment) => {
    const { run, post, workspace } = await openWithDefaults();
    await post("/v3/agents/", { name: "Bare" });
    const response_format = { type: "json", schema: { name: "Own" } };
    await post("/v3/agents/", { name: "Own", description: "Mine", temperature: 0, response_format });
    await post("/v1/rai/policies", { name: "Strict", toxicity_check: { enabled: false } });
    await post("/v1/rai/policies", { name: "Topics", banned_topics: { enabled: true, topics: ["war"] } });
    const imported = await run("import", "--all", "--yes", ...environment);
    expect(imported).toMatchObject({ code: 0, err: "" });
    expect(workspace.read("agents/bare.yaml")).toContain("description: null");
    expect(workspace.read("agents/own.yaml")).toContain("strict: null");
    expect(workspace.read("policies/strict.yaml")).toContain("threshold: null");
    const plan = await run("plan", "--detailed-exitcode", ...environment);
    expect(plan).toMatchObject({ code: 0, err: "" });
  });

  test.each([[[]], [["-e", "staging"]]])("what no null can prevent is named, %j", async (environment) => {
    const { run, post } = await openWithDefaults();
    for (const name of ["One", "Two"])
      await post("/v3/agents/", { name, response_format: { schema: { strict: null } } });
    await post("/v3/agents/", { name: "Three" });
    const imported = await run("import", "--all", "--yes", ...environment);
    expect(imported.code).toBe(0);
    expect(imported.err).toContain("change what 2 of the documents to import say");
    expect(imported.err).toContain("`agent:one`, `agent:two`");
    const { actions } = JSON.parse((await run("plan", "--format", "json", ...environment)).out);
    expect(actions).toMatchObject([
      { address: "agent:one", action: "update" },
      { address: "agent:two", action: "update" },
    ]);
  });
});

test.each([[[]], [["-e", "staging"]]])("no import makes the workspace invalid, %j", async (environment) => {
  const { run, post } = await openWithDefaults();
  const guarded = (config: object) => ({ features: [{ type: "RAI", priority: 0, config }] });
  await post("/v3/agents/", { name: "Bare word", ...guarded({ policy_id: "strict" }) });
  await post("/v3/agents/", { name: "Credential", llm_credential_id: "provider" });
  await post("/v3/agents/", { name: "Tools", tools: ["search"] });
  await post("/v3/agents/", { name: "Unguarded", ...guarded({}) });
  await post("/v3/agents/", { name: "Fine", ...guarded({ policy_id: "66f1c0de0000000000000002" }) });
  const imported = await run("import", "--all", "--yes", ...environment);
  expect(imported.code).toBe(1);
  expect(imported.err).toContain("takes a policy, and `strict` is not a reference");
  expect(imported.err).toContain("takes a credential, and `provider` is not a reference");
  expect(imported.err).toContain("`search` is not a reference");
  expect(imported.err).toContain("the feature `RAI` has no policy");
  expect(imported.err.match(/a document of it is not valid/g)).toHaveLength(4);
  expect(imported.out).toContain("1 object to import");
  expect(await run("validate", ...environment)).toMatchObject({ code: 0, err: "" });
  expect(await run("plan", "--detailed-exitcode", ...environment)).toMatchObject({ code: 0 });
});

test.each([
  ["no other fields", undefined],
  ["null in the others", null],
  ["nothing in the others", []],
])("a list that shows less than a read makes no document that has less: it has %s", async (_how, less) => {
  const names: { _id: string; name: string }[] = [];
  const faults = [{ method: "GET", path: "/v3/agents/", count: 9, status: 200, body: names }];
  const { run, workspace, emulator } = await openAsked("array", { faults });
  const [id = ""] = emulator.edit({ kind: "agent", create: { name: "Support", model: "small-1" } });
  const answer = await fetch(`${emulator.url}/v3/agents/${id}`, { headers: { "x-api-key": "k" } });
  const others = less === undefined ? [] : Object.keys((await answer.json()) as object);
  const shown = Object.fromEntries(others.map((key) => [key, less]));
  names.push(
    { ...shown, _id: id, name: "Support" },
    { _id: "66f1c0de000000000000ffff", name: "Deleted since" },
  );
  const imported = await run("import", "--all", "--yes");
  expect(imported).toMatchObject({ code: 0, err: "" });
  expect(imported.out).toContain("1 object to import");
  expect(workspace.read("agents/support.yaml")).toContain("model: small-1");
  expect(await run("drift", "--detailed-exitcode")).toMatchObject({ code: 0 });
});
