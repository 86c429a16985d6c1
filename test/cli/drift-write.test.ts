import { chmodSync, lstatSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DriftWriteAnswer } from "../../src/generated/drift-write.js";
import { validate } from "../../src/generated/validate-drift-write.js";
import type { JsonObject } from "../../src/json/json.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { manifestWithOperations, openapi, openAppliedDesk, type AppliedDesk } from "./applied-desk.js";
import { runIn, secretValue } from "./desk.js";
import { openPlatform } from "../uses/platform.js";
import { wholeTest } from "../harness/tier.js";

const strict = `# Who is guarded by it: everybody.
apiVersion: agentform/v1
kind: Policy
metadata: {name: strict}
spec:
  name: Strict   # as people know it
  banned_topics:
    enabled: true
    # The board decides about these.
    topics:
      - weapons   # since 2024
      - drugs
  toxicity_check: {enabled: true, threshold: 0.5}
`;

const support = `apiVersion: agentform/v1
kind: Agent
metadata:
  name: support
spec:
  name: 'Support desk'
  description: "It's \\u00e9 helpful"
  system_prompt: \${file:../prompts/support.md}
  temperature: 0.2 # low
  model: small-1
  tools: []
  features:
    # The guard.
    - type: RAI
      priority: 0
      config: {policy_id: "\${policy:strict}"}
---
apiVersion: agentform/v1
kind: Agent
metadata:
  name: triage
spec:
  name: Triage
  system_prompt: |
    Be kind.

    Be brief.   
      - and clear
  temperature: 0.2
  model: small-1
`;

const prompt = "Be kind.\r\nCosts ${PRICE:-0} and ${var:x}.\r\n\r\nBe brief.\r\n";

const files = {
  "policies/strict.yaml": strict,
  "agents/both.yaml": support,
  "prompts/support.md": prompt,
};

async function write(desk: AppliedDesk, ...more: readonly string[]) {
  const ran = await desk.run("drift", "--write", "--yes", "--format", "json", ...more);
  const answer = JSON.parse(ran.out) as DriftWriteAnswer;
  expect(validate(answer), JSON.stringify(validate.errors)).toBe(true);
  return { ...ran, answer };
}

async function expectNothingLeft(desk: AppliedDesk): Promise<void> {
  const drift = await desk.run("drift", "--detailed-exitcode");
  expect(drift.out).toContain("No drift.");
  expect(drift.code).toBe(0);
  const plan = await desk.run("plan", "--detailed-exitcode");
  expect(plan.out).toContain("No changes.");
  expect(plan.code).toBe(0);
}

describe("what somebody changed in the console", () => {
  wholeTest("becomes edits that touch nothing else", async () => {
    const desk = await openAppliedDesk("array", "read", files);
    desk.edit("policy:strict", {
      banned_topics: { topics: ["weapons", "tobacco", "drugs"] },
      toxicity_check: { threshold: 0.7 },
    });
    desk.edit("agent:support", {
      name: "Support: the 'desk'",
      description: "It costs ${var:x} \u200b",
      temperature: 0.3,
      system_prompt: "Be very kind.\nCosts ${PRICE:-0} and ${var:x}.\n\nBe brief.",
    });
    desk.edit("agent:triage", { system_prompt: "Be kind.\n\nBe brief.   \n  - and ${policy:strict} clear" });
    const { code, answer } = await write(desk);
    expect(code).toBe(0);
    expect(answer.left).toEqual([]);
    expect(answer.files).toEqual([
      {
        file: "agents/both.yaml",
        edits: [
          {
            line: 6,
            removed: ["  name: 'Support desk'", '  description: "It\'s \\u00e9 helpful"'],
            added: ["  name: 'Support: the ''desk'''", '  description: "It costs $${var:x} \\u200b"'],
          },
          { line: 9, removed: ["  temperature: 0.2 # low"], added: ["  temperature: 0.3 # low"] },
          { line: 28, removed: ["      - and clear"], added: ["      - and $${policy:strict} clear"] },
        ],
      },
      {
        file: "policies/strict.yaml",
        edits: [
          {
            line: 13,
            removed: ["  toxicity_check: {enabled: true, threshold: 0.5}"],
            added: ["      - tobacco", "  toxicity_check: {enabled: true, threshold: 0.7}"],
          },
        ],
      },
      {
        file: "prompts/support.md",
        edits: [{ line: 1, removed: ["Be kind.\r"], added: ["Be very kind.\r"] }],
      },
    ]);
    await expectNothingLeft(desk);
    expect(await desk.run("drift", "--write", "--yes")).toMatchObject({
      code: 0,
      out: expect.stringContaining("There is nothing to write."),
    });
  });

  wholeTest("keeps the lines of a folded text that have none of the words that differ", async () => {
    const folded = (last: string, more = "") => `apiVersion: agentform/v1
kind: Agent
metadata: {name: one}
spec:
  name: One
  description: >- # as on the page
    A long text that somebody has folded
    over several lines, as people do,
    and ${last} here.

    The second paragraph stays.${more}

  temperature: 0.2
`;
    const desk = await openAppliedDesk("array", "read", { "agents/one.yaml": folded("which ends") });
    const said = (last: string, more = "") =>
      `A long text that somebody has folded over several lines, as people do, and ${last} here.\nThe second paragraph stays.${more}`;
    desk.edit("agent:one", { description: said("that never, never ends", " It does.") });
    expect((await write(desk)).answer.left).toEqual([]);
    expect(desk.workspace.read("agents/one.yaml")).toBe(folded("that never, never ends", " It does."));
    await expectNothingLeft(desk);
    desk.edit("agent:one", { description: `${said("that ends")}\nAnd a third one.` });
    expect((await write(desk)).answer.left).toEqual([]);
    expect(desk.workspace.read("agents/one.yaml")).toContain(
      "\n    The second paragraph stays.\n\n    And a third one.\n\n  temp",
    );
    await expectNothingLeft(desk);
  });

  test("is added and removed where mappings and lists have it", async () => {
    const desk = await openAppliedDesk("array", "read", files);
    expect((await desk.run("apply", "--yes", "--verify", "--resend", "all")).code).toBe(0);
    desk.edit("agent:support", {
      temperature: null,
      top_p: 0.9,
      features: [
        { type: "RAI", priority: 1, config: { policy_id: desk.id("policy:strict") } },
        { type: "MEMORY", priority: 2, config: { size: 5 } },
      ],
    });
    desk.edit("policy:strict", {
      banned_topics: { topics: [] },
      pii_detection: { enabled: true, types: { EMAIL: "mask" } },
    });
    const { answer } = await write(desk);
    expect(answer.left).toEqual([]);
    expect(desk.workspace.read("agents/both.yaml")).toContain(`  model: small-1
  tools: []
  features:
    # The guard.
    - type: RAI
      priority: 1
      config: {policy_id: "\${policy:strict}"}
    - type: MEMORY
      config:
        size: 5
      priority: 2
  top_p: 0.9
---
`);
    expect(desk.workspace.read("policies/strict.yaml")).toContain(`    # The board decides about these.
    topics: []   # since 2024
  toxicity_check: {enabled: true, threshold: 0.5}
  pii_detection:
    enabled: true
    types:
      EMAIL: mask
`);
    await expectNothingLeft(desk);
  });

  test("is added inside an item of a list that has other items now", async () => {
    const features = [
      { type: "Memory", config: {} },
      { type: "Search", config: { size: 1 } },
    ];
    const one = documentText("Agent", "one", { name: "One", features });
    const desk = await openAppliedDesk("array", "read", { "agents/one.yaml": one });
    await desk.run("apply", "--yes", "--verify", "--resend", "agent:one");
    const found = { type: "Search", config: { size: 1, depth: { max: 2 } } };
    desk.edit("agent:one", {
      features: [found, { type: "Voice", config: {} }, { type: "Tone", config: {} }],
    });
    const { answer } = await write(desk);
    expect(answer.left).toEqual([]);
    await expectNothingLeft(desk);
    expect(desk.workspace.read("agents/one.yaml")).toContain("depth");
  });

  test("is written as a reference where a document has the object", async () => {
    const desk = await openAppliedDesk();
    desk.edit("agent:support", { llm_credential_id: desk.id("credential:other") });
    desk.edit("agent:triage", {
      tools: [desk.id("toolset:billing/getInvoice"), desk.id("toolset:desk/getTicket")],
    });
    const { answer } = await write(desk);
    expect(answer.left).toEqual([]);
    expect(desk.workspace.read("agents/support.yaml")).toContain('"llm_credential_id":"${credential:other}"');
    expect(desk.workspace.read("agents/triage.yaml")).toContain(
      '"tools":["${toolset:desk/getTicket}", "${toolset:billing}"]',
    );
    await expectNothingLeft(desk);
  });

  test.each(["document_order", undefined])("names whole sets and tools, with tool_ids %s", async (order) => {
    const agents = ["none", "empty", "some", "deep"];
    const spec = {
      none: {},
      empty: { tools: [] },
      some: { tools: ["${toolset:multi}"] },
      deep: { features: [{ type: "X", config: {} }] },
    };
    const desk = await openAppliedDesk("array", "read", {
      "toolsets/weather.yaml": documentText("ToolSet", "weather", {
        tool_set_name: "weather",
        openapi_schema: openapi(["now"]),
      }),
      "toolsets/multi.yaml": documentText("ToolSet", "multi", {
        tool_set_name: "multi",
        openapi_schema: openapi(["one", "two"]),
      }),
      ...Object.fromEntries(
        agents.map((name) => [
          `agents/${name}.yaml`,
          documentText("Agent", name, { name, ...spec[name as keyof typeof spec] }),
        ]),
      ),
    });
    const [now, one, two] = ["weather/now", "multi/one", "multi/two"].map((each) =>
      desk.id(`toolset:${each}`),
    );
    if (order === undefined) {
      // A lock that does not say which tool of a set has which ID.
      const lock = JSON.parse(desk.workspace.read("agentform.lock")) as {
        resources: Record<string, JsonObject>;
      };
      for (const entry of Object.values(lock.resources)) delete entry.tools;
      rmSync(join(desk.workspace.directory, ".agentform"), { recursive: true, force: true });
      desk.workspace.write({ "agentform.lock": `${JSON.stringify(lock, undefined, 2)}\n` });
    }
    desk.edit("agent:none", { tools: [now] } as never);
    desk.edit("agent:empty", { tools: [two, one] } as never);
    if (order) desk.edit("agent:some", { tools: [two, now] } as never);
    desk.edit("agent:deep", {
      features: [{ type: "X", config: { tool_id: one, tools: [one, two] } }],
    } as never);
    expect((await write(desk)).answer.left).toEqual([]);
    const specOf = (name: string) =>
      (JSON.parse(desk.workspace.read(`agents/${name}.yaml`)) as { spec: JsonObject }).spec;
    expect(specOf("none").tools).toEqual(["${toolset:weather}"]);
    expect(specOf("empty").tools).toEqual(["${toolset:multi}"]);
    if (order) expect(specOf("some").tools).toEqual(["${toolset:multi/two}", "${toolset:weather}"]);
    const tool_id = order ? "${toolset:multi/one}" : one;
    expect(specOf("deep").features).toEqual([
      { type: "X", config: { tool_id, tools: ["${toolset:multi}"] } },
    ]);
    await expectNothingLeft(desk);
  });

  test("has variables in the place of secrets", async () => {
    const desk = await openAppliedDesk();
    expect((await desk.run("apply", "--yes", "--verify", "--resend", "all")).code).toBe(0);
    for (const tool of ["listTickets", "getTicket", "closeTicket"]) {
      desk.edit(`toolset:desk/${tool}`, {
        default_query_params: { access_token: "abc-def-1234567890", page: "2" },
        default_body_params: { client_secret: { current: "inner-Xy7Zq2Rt5W" }, passwords: ["inner-9"] },
      });
    }
    const { answer, out } = await write(desk);
    expect(out).not.toContain("abc-def");
    expect(desk.workspace.read("toolsets/desk.yaml")).not.toMatch(/abc-def|inner-/);
    expect(answer.kept).toEqual([
      {
        address: "toolset:desk",
        paths: ["/default_query_params/page", "/default_query_params/access_token", "/default_body_params"],
        secrets: [
          "TOOLSET_DESK_ACCESS_TOKEN",
          "TOOLSET_DESK_PASSWORDS_0",
          "TOOLSET_DESK_CLIENT_SECRET_CURRENT",
        ],
      },
    ]);
    expect(desk.workspace.read("toolsets/desk.yaml")).toContain(
      '"default_query_params":{"lang":"en", "access_token": "${env:TOOLSET_DESK_ACCESS_TOKEN}", "page": "2"}',
    );
    expect(desk.workspace.read("agentform.lock")).not.toContain("abc-def");
    await expectNothingLeft(desk);
  });
});

// More than a call can have arguments.
wholeTest("a text may have any number of lines, before and after", async () => {
  const desk = await openAppliedDesk("array", "read", files);
  const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index}`);
  for (const text of [lines.join("\n"), "Be short."]) {
    desk.edit("agent:support", { system_prompt: text });
    desk.edit("agent:triage", { system_prompt: text });
    expect(await desk.run("drift", "--write", "--yes")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Written."),
    });
    await expectNothingLeft(desk);
  }
});

describe("what documents do not have", () => {
  test("is not written where it is no field, whatever was added", async () => {
    const desk = await openAppliedDesk("array", "read", files);
    desk.edit("agent:support", { escalation: ["a", "b"], temperature: 0.3 });
    const { answer } = await write(desk);
    expect(answer.left.map(({ message }) => message)).toEqual([
      "agent:support: `escalation` is not written: it is the service's own, and no field of a document",
    ]);
    expect(desk.workspace.read("agents/both.yaml")).toBe(support.replace("0.2 # low", "0.3 # low"));
  });

  const document = { tool_set_name: "desk", openapi_schema: openapi(["listTickets", "getTicket"]) };
  const added = {
    default_headers: { "X-New": "1", Authorization: "Bearer abc-def-1234567890" },
    default_query_params: { z: "1" },
    default_body_params: { r: { s: 1 } },
    endpoint_defaults: { "/z": { headers: { "X-H": "1" } } },
  };
  const tools = ["toolset:desk/listTickets", "toolset:desk/getTicket"];

  test.each([
    ["none", {}],
    ["others", { default_headers: { "X-Team": "care" }, default_query_params: { lang: "en" } }],
  ])("of a tool set with %s is drift, and is written", async (_, more) => {
    const desk = await openAppliedDesk("array", "read", {
      "toolsets/desk.yaml": documentText("ToolSet", "desk", { ...document, ...more }),
    });
    expect((await desk.run("drift")).out).toContain("No drift.");
    for (const tool of tools) desk.edit(tool, added);
    const { answer, out } = await write(desk);
    expect(answer.left).toEqual([]);
    expect(out).not.toContain("abc-def");
    expect(answer.kept[0]?.secrets).toEqual(["TOOLSET_DESK_AUTHORIZATION"]);
    expect(JSON.parse(desk.workspace.read("toolsets/desk.yaml"))).toMatchObject({
      spec: {
        ...added,
        default_headers: { "X-New": "1", Authorization: "${env:TOOLSET_DESK_AUTHORIZATION}" },
      },
    });
    await expectNothingLeft(desk);
  });

  test("of some tools of a set alone is named as that, and not where tools of it are gone", async () => {
    const desk = await openAppliedDesk("array", "read", {
      "toolsets/desk.yaml": documentText("ToolSet", "desk", document),
    });
    desk.edit(tools[0] ?? "", { default_headers: { "X-New": "1" } });
    const { answer } = await write(desk);
    expect(answer.left).toMatchObject([
      { address: "toolset:desk", field: "default_headers", reason: "partly" },
    ]);
    desk.delete(tools[1] ?? "");
    const drift = await desk.run("drift", "--format", "json");
    expect(changedPaths(drift.out)).toEqual(["tools[getTicket]", "default_headers"]);
  });

  test("of a set is not written while one of its tools cannot be read", async () => {
    // The reads before are those of the apply and of this drift.
    const fault = { method: "GET", path: "/v3/tools/{id}", skip: 2, status: 400 };
    const text = documentText("ToolSet", "desk", { ...document, default_query_params: { lang: "en" } });
    const desk = await openAppliedDesk("array", "read", { "toolsets/desk.yaml": text }, [fault]);
    desk.edit(tools[1] ?? "", { default_query_params: { lang: "fr" }, default_headers: { "X-New": "1" } });
    const { code, err } = await desk.run("drift", "--write", "--yes");
    expect(code).toBe(1);
    expect(err).toContain("error[object-unreadable]");
    expect(desk.workspace.read("toolsets/desk.yaml")).toBe(text);
    expect((await write(desk)).answer.left).toMatchObject([{ reason: "partly" }, { reason: "partly" }]);
  });

  test("of what no update is documented for is gone once it is created again, as the drift says", async () => {
    const desk = await openAppliedDesk("array", "read", {
      "policies/lax.yaml": documentText("Policy", "lax", { name: "Lax" }),
    });
    const operations = { policy: { read: { request: "GET /v1/rai/policies/{id}" } } };
    desk.workspace.write({ "agentform.yaml": manifestWithOperations(desk.emulator.url, operations) });
    desk.edit("policy:lax", { description: "Edited" });
    const drift = await desk.run("drift", "--out", "found.json");
    const replacing = ["--replace", "policy:lax"];
    expect(drift.out.replaceAll(/\s+/g, " ")).toContain(`created again: \`${replacing.join(" ")}\``);
    expect((await desk.run("apply", "--yes", "--observed", "found.json", ...replacing)).code).toBe(0);
    expect((await desk.run("drift")).out).toContain("No drift.");
  });

  test("of a credential is a secret", async () => {
    const desk = await openAppliedDesk("array", "read", {
      "credentials/none.yaml": documentText("Credential", "none", { name: "None" }),
      "credentials/some.yaml": documentText("Credential", "some", {
        name: "Some",
        credentials: { api_key: "${env:PROVIDER_KEY@1}" },
      }),
    });
    for (const name of ["none", "some"])
      desk.edit(`credential:${name}`, { credentials: { region: "abc-def" } });
    expect(changedPaths((await desk.run("drift", "--format", "json")).out)).toEqual([
      "credentials",
      "credentials.region",
    ]);
    const { answer } = await write(desk);
    expect(answer.left).toEqual([]);
    expect(desk.workspace.read("credentials/none.yaml")).toContain('"${env:CREDENTIAL_NONE_REGION}"');
    expect(desk.workspace.read("credentials/some.yaml")).toContain('"${env:CREDENTIAL_SOME_REGION}"');
    await expectNothingLeft(desk);
  });

  test("is not compared where no apply has read it, and a note says so", async () => {
    const desk = await openAppliedDesk("array", "list", {
      "agents/one.yaml": documentText("Agent", "one", { name: "One" }),
    });
    desk.edit("agent:one", { description: "Edited" });
    const { out, err } = await desk.run("drift");
    expect(out).toContain("No drift.");
    expect(err).toContain("fields that the service adds to 1 agent were not compared");
    expect(err).toContain("`service.operations.agent` has a `read`");
    desk.workspace.write({ "agentform.yaml": manifestWithOperations(desk.emulator.url) });
    expect((await desk.run("drift")).err).toContain("apply --verify --resend agent:one");
    const inLive = openCopyIn("live", desk);
    expect((await inLive("drift", "-e", "live")).err).toContain("apply -e live --verify --resend agent:one`");
    expect((await desk.run("apply", "--yes", "--verify", "--resend", "agent:one")).code).toBe(0);
    expect((await desk.run("drift")).err).not.toContain("not compared");
  });
});

function changedPaths(json: string): string[] {
  const { actions } = JSON.parse(json) as { actions: { changes: { path: string }[] }[] };
  return actions.flatMap(({ changes }) => changes.map(({ path }) => path));
}

const fromElsewhere = {
  "agentform.yaml": "",
  "agents/one.yaml": `apiVersion: agentform/v1
kind: Agent
metadata: {name: one}
spec:
  name: One
  model: \${var:model}
  description: "Of \${var:model}"
  system_prompt: \${template:../prompts/one.md}
  response_format: \${file:../format.json}
  features:
    - {type: A, priority: 0, config: &shared {size: 1}}
    - {type: B, priority: 1, config: *shared}
`,
  "agents/each.yaml": `apiVersion: agentform/v1
kind: Agent
metadata: {name: "each-\${each:key}"}
for_each: {de: {}, fr: {}}
spec: {name: "Each \${each:key}", system_prompt: "\${file:../prompts/two.md}"}
`,
  "agents/two.yaml": `apiVersion: agentform/v1
kind: Agent
metadata: {name: two}
spec: {name: Two, system_prompt: "\${file:../prompts/two.md}", temperature: 0.5}
`,
  "prompts/one.md": "Hello.\nYou are ${var:model}.\n",
  "prompts/two.md": "Hello.\n",
  "format.json": '{"type": "object"}',
};

/** The same manifest with variables, defaults and environments. */
function withMore(manifest: string, more: object): string {
  const parsed = JSON.parse(manifest) as { spec: object };
  return JSON.stringify({ ...parsed, spec: { ...parsed.spec, ...more } });
}

describe("what is not of its document alone", () => {
  test("is named with its origin and what to do", async () => {
    const { "agentform.yaml": _none, ...documents } = fromElsewhere;
    const desk = await openAppliedDesk("array", "read", {
      ...documents,
      "agents/one.yaml": documents["agents/one.yaml"].replaceAll("${var:model}", "small-1"),
      "prompts/one.md": "Hello.\nYou are small-1.\n",
    });
    const manifest = withMore(desk.workspace.read("agentform.yaml"), {
      variables: { model: "small-1" },
      defaults: [{ kind: "Agent", spec: { provider_id: "openai" } }],
    });
    desk.workspace.write({ ...documents, "agentform.yaml": manifest });
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    desk.edit("agent:one", {
      model: "large-1",
      description: "Of large-1",
      provider_id: "other",
      system_prompt: "Hello.\nYou are kind.",
      response_format: { type: "array" },
      name: "The first",
      features: [
        { type: "A", priority: 0, config: { size: 2 } },
        { type: "B", priority: 2, config: { size: 1 } },
      ],
    });
    desk.edit("agent:each-fr", { name: "Chacun" });
    desk.edit("agent:two", { system_prompt: "Hello you." });
    const before = desk.workspace.read("prompts/two.md");
    const { code, answer, err } = await write(desk, "--detailed-exitcode");
    expect(code).toBe(2);
    const left = answer.left.map(({ address, field, reason, file, line }) => [
      address,
      field,
      reason,
      file,
      line,
    ]);
    expect(left.toSorted()).toEqual([
      ["agent:each-fr", "name", "for-each", "agents/each.yaml", 5],
      ["agent:one", "description", "made", "agents/one.yaml", 7],
      ["agent:one", "features[0].config.size", "anchor", "agents/one.yaml", 11],
      ["agent:one", "model", "variable", "agents/one.yaml", 6],
      ["agent:one", "provider_id", "default", "agentform.yaml", 1],
      ["agent:one", "response_format.type", "data-file", "agents/one.yaml", 9],
      ["agent:one", "system_prompt", "template", "agents/one.yaml", 8],
      ["agent:two", "system_prompt", "shared", "prompts/two.md", undefined],
    ]);
    expect(err).toContain("drift-unwritten");
    expect(answer.files.map(({ file }) => file)).toEqual(["agents/one.yaml"]);
    const written = desk.workspace.read("agents/one.yaml");
    expect(written).toContain("  name: The first\n");
    expect(written).toContain("    - {type: B, priority: 2, config: *shared}\n");
    expect(desk.workspace.read("prompts/two.md")).toBe(before);
    const again = JSON.parse((await desk.run("drift", "--format", "json")).out) as {
      actions: { address: string; changes: { path: string }[] }[];
    };
    const open = again.actions.flatMap(({ address, changes }) =>
      changes.map(({ path }) => `${address} ${path}`),
    );
    expect(open.toSorted()).toEqual([
      "agent:each-fr name",
      "agent:one description",
      "agent:one features[A].config.size",
      "agent:one model",
      "agent:one provider_id",
      "agent:one response_format.type",
      "agent:one system_prompt",
      "agent:two system_prompt",
    ]);
    expect((await desk.run("plan")).out).toContain("No changes.");
  });

  test("is of its document if that was changed since, and what it says already is noted", async () => {
    const desk = await openAppliedDesk("array", "read", files);
    desk.edit("agent:triage", { temperature: 0.9, model: "large-1" });
    const edited = desk.workspace
      .read("agents/both.yaml")
      .replace("temperature: 0.2\n", "temperature: 0.4\n");
    desk.workspace.write({ "agents/both.yaml": edited.replace(/model: small-1\n$/, "model: large-1\n") });
    const before = desk.workspace.read("agents/both.yaml");
    const { answer } = await write(desk);
    expect(answer.files).toEqual([]);
    expect(answer.kept).toEqual([{ address: "agent:triage", paths: ["/model"], secrets: [] }]);
    expect(answer.left).toMatchObject([{ address: "agent:triage", field: "temperature", reason: "edited" }]);
    expect(desk.workspace.read("agents/both.yaml")).toBe(before);
    const plan = await desk.run("plan");
    expect(plan.out).toContain("temperature: 0.2 → 0.4");
    expect(plan.out).not.toContain("model");
  });

  test("is in a mapping of secrets another text than was sent, so it is not written as what hides it", async () => {
    const desk = await openAppliedDesk("array", "read", {
      "toolsets/desk.yaml": documentText("ToolSet", "desk", {
        tool_set_name: "desk",
        openapi_schema: openapi(["listTickets"]),
        default_body_params: { login_token: { mode: "manual", kind: "short" } },
      }),
    });
    const before = desk.workspace.read("toolsets/desk.yaml");
    desk.edit("toolset:desk/listTickets", {
      default_body_params: { login_token: { mode: "inner-Xy7Zq2Rt5W", kind: "long" } },
    });
    const { answer } = await write(desk);
    expect(answer.left.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
      "default_body_params.login_token.mode withheld",
      "default_body_params.login_token.kind withheld",
    ]);
    expect(desk.workspace.read("toolsets/desk.yaml")).toBe(before);
  });

  test("has the value of a secret, which is not shown, so it is not written as a mask", async () => {
    const desk = await openAppliedDesk();
    expect((await desk.run("apply", "--yes", "--verify", "--resend", "all")).code).toBe(0);
    desk.edit("policy:strict", {
      description: `It is ${secretValue}`,
      banned_topics: { topics: ["weapons", "drugs", secretValue] },
    });
    const { answer, out, err } = await write(desk);
    expect(answer.left.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
      "description withheld",
      "banned_topics.topics withheld",
    ]);
    expect(out + err).not.toContain(secretValue);
    expect(desk.workspace.read("policies/strict.yaml")).not.toContain("***");
    // What is written beside it does not hide what is not.
    desk.edit("policy:strict", { name: "Stricter", toxicity_check: { enabled: true } });
    const beside = await write(desk);
    expect(beside.answer.kept.map(({ paths }) => paths)).toEqual([["/name", "/toxicity_check"]]);
    const { actions } = JSON.parse((await desk.run("drift", "--format", "json")).out) as {
      actions: { changes: { path: string }[] }[];
    };
    const open = actions.flatMap(({ changes }) => changes.map(({ path }) => path));
    expect(open.toSorted()).toEqual(["banned_topics.topics", "description"]);
  });

  test("is gone, or would not be valid", async () => {
    const desk = await openAppliedDesk();
    desk.delete("agent:sales");
    desk.delete("toolset:desk/closeTicket");
    desk.edit("toolset:desk/getTicket", { default_query_params: { lang: "fr" } });
    desk.edit("agent:support", {
      features: [{ type: "RAI", priority: 0, config: { policy_id: "" } }],
    });
    const before = desk.workspace.read("agents/support.yaml");
    const { answer, code } = await write(desk);
    expect(code).toBe(0);
    expect(answer.type).toBe("unchanged");
    expect(answer.left.map(({ address, reason }) => `${address} ${reason}`).toSorted()).toEqual([
      "agent:sales gone",
      "agent:support invalid",
      "toolset:desk partly",
      "toolset:desk tools-gone",
    ]);
    expect(desk.workspace.read("agents/support.yaml")).toBe(before);
  });
});

describe("an environment", () => {
  const environments = { staging: {}, production: {} };

  async function openEnvironments() {
    const desk = await openAppliedDesk("array", "read", files);
    const manifest = withMore(desk.workspace.read("agentform.yaml"), { environments });
    desk.workspace.write({
      "agentform.yaml": manifest,
      "environments/production/support.yaml": `apiVersion: agentform/v1
kind: Agent
metadata: {name: support}
spec:
  model: large-2   # for customers
`,
    });
    const at = (file: string) => join(desk.workspace.directory, file);
    renameSync(at("agentform.lock"), at("agentform.production.lock"));
    const text = desk.workspace.read("agentform.production.lock");
    desk.workspace.write({
      "agentform.production.lock": text.replace('"environment": null', '"environment": "production"'),
    });
    const ids = (address: string) =>
      (JSON.parse(text) as { resources: Record<string, { id: string }> }).resources[address]?.id ?? "";
    expect(await desk.run("apply", "-e", "production", "--yes")).toMatchObject({ code: 0 });
    return { desk, ids };
  }

  /** What every plan of an environment says of its actions and their bodies. */
  async function planOf(desk: AppliedDesk, environment: string): Promise<unknown> {
    const { digest, actions } = JSON.parse(
      (await desk.run("plan", "-e", environment, "--format", "json")).out,
    );
    return { digest, actions };
  }

  test("has in its patch what others have from the same document or prompt, and their plans stay", async () => {
    const { desk, ids } = await openEnvironments();
    const before = await planOf(desk, "staging");
    const kept = ["agents/both.yaml", "prompts/support.md", "policies/strict.yaml"];
    const texts = kept.map(desk.workspace.read);
    void desk.emulator.edit({
      kind: "agent",
      id: ids("agent:support"),
      changes: {
        model: "large-3",
        temperature: 0.4,
        description: null,
        system_prompt: "Be very kind.\n\nBe brief.",
        response_format: { type: "json", deep: { a: 1 } },
        features: [
          { type: "RAI", priority: 1, config: { policy_id: ids("policy:strict") } },
          { type: "MEMORY", priority: 2, config: { size: 5 } },
        ],
      } as never,
    });
    const { answer } = await write(desk, "-e", "production");
    expect(answer.left).toEqual([]);
    expect(answer.files.map(({ file }) => file)).toEqual(["environments/production/support.yaml"]);
    const patch = desk.workspace.read("environments/production/support.yaml");
    expect(patch).toContain("  model: large-3   # for customers\n");
    expect(patch).toContain("  temperature: 0.4\n");
    expect(patch).toContain("  description: null\n");
    expect(patch).toContain("  system_prompt: |\n    Be very kind.\n\n    Be brief.\n");
    expect(patch).toContain("policy_id: ${policy:strict}");
    expect(kept.map(desk.workspace.read)).toEqual(texts);
    expect(await planOf(desk, "staging")).toEqual(before);
    expect((await desk.run("drift", "-e", "production")).out).toContain("No drift.");
    expect((await desk.run("plan", "-e", "production")).out).toContain("No changes.");
  });

  test("says where to write a patch where it has none, and what would have to be written whole", async () => {
    const { desk, ids } = await openEnvironments();
    const before = desk.workspace.read("agents/both.yaml");
    const change = (address: string, changes: object) =>
      void desk.emulator.edit({ kind: "agent", id: ids(address), changes: changes as never });
    change("agent:triage", { temperature: 0.9 });
    const { answer } = await write(desk, "-e", "production");
    expect(answer.left).toMatchObject([
      {
        address: "agent:triage",
        field: "temperature",
        reason: "no-patch",
        hint: expect.stringContaining("environments/production/triage.yaml"),
      },
    ]);
    desk.workspace.write({
      "environments/production/triage.yaml":
        "apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: triage}\nspec: {}\n",
    });
    expect((await write(desk, "-e", "production")).answer.left).toEqual([]);
    expect(desk.workspace.read("environments/production/triage.yaml")).toContain(
      "spec:\n  temperature: 0.9\n",
    );
    expect(desk.workspace.read("agents/both.yaml")).toBe(before);
    expect((await desk.run("drift", "-e", "production")).out).toContain("No drift.");
    const manifest = JSON.parse(desk.workspace.read("agentform.yaml")) as { spec: object };
    desk.workspace.write({
      "agentform.yaml": JSON.stringify({ ...manifest, spec: { ...manifest.spec, variables: { order: 0 } } }),
      "agents/both.yaml": before.replace("priority: 0", "priority: ${var:order}"),
    });
    change("agent:support", { features: [] });
    const made = await write(desk, "-e", "production");
    expect(made.answer.left).toMatchObject([{ field: "features", reason: "list-made" }]);
  });

  test("has what it alone has in the document", async () => {
    const { desk, ids } = await openEnvironments();
    const text = desk.workspace.read("agents/both.yaml");
    desk.workspace.write({
      "agents/both.yaml": `${text}lifecycle: {environments: [production]}\n`,
    });
    void desk.emulator.edit({
      kind: "agent",
      id: ids("agent:triage"),
      changes: { temperature: 0.9 } as never,
    });
    expect((await write(desk, "-e", "production")).answer.left).toEqual([]);
    expect(desk.workspace.read("agents/both.yaml")).toContain("  temperature: 0.9\n");
  });

  wholeTest("has its patch edited, null and all", async () => {
    const { desk, ids } = await openEnvironments();
    const change = (changes: object) =>
      void desk.emulator.edit({ kind: "agent", id: ids("agent:support"), changes: changes as never });
    change({ model: "large-3", description: "Both" });
    const { answer } = await write(desk, "-e", "production");
    expect(answer.left).toEqual([]);
    expect(answer.files.map(({ file }) => file)).toEqual(["environments/production/support.yaml"]);
    expect(desk.workspace.read("environments/production/support.yaml")).toContain(
      "  model: large-3   # for customers\n",
    );
    expect((await desk.run("drift", "-e", "production")).out).toContain("No drift.");
    expect((await desk.run("plan", "-e", "production")).out).toContain("No changes.");
    change({ features: [] });
    desk.workspace.write({
      "environments/production/support.yaml": `${desk.workspace.read("environments/production/support.yaml")}  features: [{type: RAI, priority: 0, config: {policy_id: "\${policy:strict}"}}]
---
apiVersion: agentform/v1
kind: Agent
metadata: {name: triage}
spec: {temperature: 0.3}
`,
    });
    void desk.emulator.edit({
      kind: "agent",
      id: ids("agent:triage"),
      changes: { temperature: 0.3 } as never,
    });
    const emptied = await write(desk, "-e", "production");
    expect(emptied.answer.left).toEqual([]);
    expect(desk.workspace.read("environments/production/support.yaml")).toContain("  features: []\n---\n");
    expect((await desk.run("drift", "-e", "production")).out).toContain("No drift.");
    change({
      description: "For all",
      features: [{ type: "RAI", priority: 0, config: { policy_id: "" } }],
    });
    const partly = await write(desk, "-e", "production");
    expect(partly.answer.left).toMatchObject([{ reason: "invalid" }]);
    change({ features: [] });
    // A null of a patch takes away what the document has.
    const takenAway = desk.workspace
      .read("environments/production/support.yaml")
      .replace("  features:", "  temperature: null # the default\n  features:");
    desk.workspace.write({ "environments/production/support.yaml": takenAway });
    change({ temperature: null });
    expect((await write(desk, "-e", "production")).answer.left).toEqual([]);
    change({ temperature: 0.7 });
    expect((await write(desk, "-e", "production")).answer.left).toEqual([]);
    expect(desk.workspace.read("environments/production/support.yaml")).toContain(
      "  temperature: 0.7 # the default\n",
    );
    change({ model: null });
    const removed = await write(desk, "-e", "production");
    expect(removed.answer.left).toEqual([]);
    expect(desk.workspace.read("environments/production/support.yaml")).toContain(
      "  model: null   # for customers\n",
    );
    expect((await desk.run("drift", "-e", "production")).out).toContain("No drift.");
    expect((await desk.run("plan", "-e", "production")).out).toContain("No changes.");
  });
});

const one = (spec: string) => `apiVersion: agentform/v1
kind: Agent
metadata: {name: one}
spec:
  name: One
${spec}`;

describe("the text of a file", () => {
  test.each<readonly [what: string, before: string, changes: JsonObject, after: string]>([
    [
      "a block with all of its line ends, before another key",
      "  system_prompt: |+\n    Line one\n    Line two\n\n  model: a-1\n",
      { system_prompt: "Line 1\nLine two" },
      "  system_prompt: |+\n    Line 1\n    Line two\n\n  model: a-1\n",
    ],
    [
      "nothing but white space",
      "  description: One\n  model: a-1\n",
      { description: "\t" },
      '  description: "\\t"\n  model: a-1\n',
    ],
    [
      "a block at the end of the file",
      "  system_prompt: |+\n    Line one\n    Line two\n",
      { system_prompt: "Line 1\nLine two\n" },
      "  system_prompt: |\n    Line 1\n    Line two\n",
    ],
    [
      "an indent of its first line",
      "  system_prompt: |\n    Starts without.\n    More.\n  model: a-1\n",
      { system_prompt: "    Starts with four.\nMore." },
      "  system_prompt: |2\n        Starts with four.\n    More.\n  model: a-1\n",
    ],
    [
      "no indent of its first line any more",
      "  system_prompt: |2\n        Starts with four.\n    More.\n  model: a-1\n",
      { system_prompt: "Starts with four.\nMuch more." },
      "  system_prompt: |\n    Starts with four.\n    Much more.\n  model: a-1\n",
    ],
    [
      "a null before a comment",
      "  examples: null # none\n  model: a-1\n",
      { examples: "One.\nTwo." },
      "  examples: |- # none\n    One.\n    Two.\n  model: a-1\n",
    ],
    [
      "a block that becomes a text in quotes",
      "  description: |-   # why literal\n    One.\n    Two.\n  model: a-1\n",
      { description: "One: \u200b" },
      '  description: "One: \\u200b"   # why literal\n  model: a-1\n',
    ],
    [
      "a folded block with lines of their own",
      "  description: >-   # why\n    One.\n    Two.\n  model: a-1\n",
      { description: "One.\n  - Two.\nThree." },
      "  description: >-   # why\n    One.\n      - Two.\n    Three.\n  model: a-1\n",
    ],
    [
      "an item after the last one of a list in brackets",
      "  response_format:\n    sizes: [\n      1, # a\n      2, # b\n      3 # c\n    ]\n",
      { response_format: { sizes: [1, 2, 3, 4] } },
      "  response_format:\n    sizes: [\n      1, # a\n      2, # b\n      3, # c\n      4\n    ]\n",
    ],
    [
      "an item with its comment",
      "  response_format:\n    sizes:\n      # about one\n      - 1\n      # about two,\n      # and more\n      - 2\n      # about three\n      - 3\n",
      { response_format: { sizes: [1, 3] } },
      "  response_format:\n    sizes:\n      # about one\n      - 1\n      # about three\n      - 3\n",
    ],
    [
      "the first item with its comment, where others have one",
      "  response_format:\n    sizes: [\n      # about one\n      1,\n      # about two\n      2\n    ]\n",
      { response_format: { sizes: [2] } },
      "  response_format:\n    sizes: [\n      # about two\n      2\n    ]\n",
    ],
    [
      "the first item without the comment about all",
      "  response_format:\n    sizes:\n      # about all\n      - 1\n      - 2\n",
      { response_format: { sizes: [2] } },
      "  response_format:\n    sizes:\n      # about all\n      - 2\n",
    ],
    [
      "an item with its comment that tabs indent",
      "  response_format:\n    sizes:\n      # about one\n      - 1\n\t\t# about two,\n \t # and more\n      - 2\t# two\n\t# about three\n      - 3\n",
      { response_format: { sizes: [1, 3] } },
      "  response_format:\n    sizes:\n      # about one\n      - 1\n\t# about three\n      - 3\n",
    ],
    [
      "an item behind one with comments that tabs indent",
      "  response_format:\n    sizes:\n      - 1\n\t# about three\n      - 3\t# three\n\t# the model\n  model: a-1\n",
      { response_format: { sizes: [1, 3, 4] } },
      "  response_format:\n    sizes:\n      - 1\n\t# about three\n      - 3\t# three\n      - 4\n\t# the model\n  model: a-1\n",
    ],
    [
      "a field with a comment behind a tab",
      "  model: a-1\t# small\n\t# about the text\n  description: One\t# why\n",
      { model: "b-1", description: "One.\nTwo." },
      "  model: b-1\t# small\n\t# about the text\n  description: |-\t# why\n    One.\n    Two.\n",
    ],
  ])("has %s", async (_what, before, changes, after) => {
    for (const lineEnd of ["\n", "\r\n"]) {
      const as = (text: string) => one(text).replaceAll("\n", lineEnd);
      const desk = await openAppliedDesk("array", "read", { "agents/one.yaml": as(before) });
      desk.edit("agent:one", changes);
      expect((await write(desk)).answer.left).toEqual([]);
      expect(desk.workspace.read("agents/one.yaml")).toBe(as(after));
      await expectNothingLeft(desk);
    }
  });
});

describe("an edit that is not made", () => {
  const two = (...fields: readonly string[]) =>
    ["one", "two"]
      .map((name) =>
        [
          `apiVersion: agentform/v1`,
          `kind: Agent`,
          `metadata: {name: ${name}}`,
          `spec:`,
          `  name: N`,
          ...fields,
          "",
        ].join("\n"),
      )
      .join("---\n");

  const guarded = {
    "policies/strict.yaml": strict,
    "agents/all.yaml": two(
      "  temperature: 0.5",
      "  model: small-1",
      '  features: [{type: RAI, priority: 0, config: {policy_id: "${policy:strict}"}}]',
    ),
  };

  test("takes nothing with it: not the fields beside it, nor the documents in its file", async () => {
    const desk = await openAppliedDesk("array", "read", guarded);
    const features = [{ type: "RAI", priority: 1, config: { policy_id: "" } }];
    desk.edit("agent:one", { features, temperature: 0.7, model: "large-1" });
    desk.edit("agent:two", { temperature: 0.8 });
    const { answer } = await write(desk);
    expect(answer.left.map(({ address, field, reason, line }) => [address, field, reason, line])).toEqual([
      ["agent:one", "features[0].config.policy_id", "invalid", 8],
    ]);
    const written = desk.workspace.read("agents/all.yaml");
    expect(written).toContain("temperature: 0.7\n  model: large-1");
    expect(written).toContain('[{type: RAI, priority: 1, config: {policy_id: "${policy:strict}"}}]');
    expect(written).toContain("temperature: 0.8");
  });

  test("would break a rule of the team's own, unless documents break one already", async () => {
    const cool = (maximum: number) => ({
      "rules/cool.yaml": documentText("Rule", "cool", {
        for: { kind: "Agent" },
        effect: "error",
        message: "No agent is hot.",
        document: { properties: { spec: { properties: { temperature: { maximum } } } } },
      }),
    });
    const desk = await openAppliedDesk("array", "read", { ...guarded, ...cool(0.7) });
    desk.edit("agent:one", { temperature: 0.9, model: "large-1" });
    desk.edit("agent:two", { temperature: 0.6 });
    const { answer } = await write(desk);
    expect(answer.left.map(({ address, field, reason }) => [address, field, reason])).toEqual([
      ["agent:one", "temperature", "invalid"],
    ]);
    expect(desk.workspace.read("agents/all.yaml")).toMatch(/0\.5\n {2}model: large-1[^]*temperature: 0\.6\n/);
    expect((await desk.run("validate")).code).toBe(0);
    desk.workspace.write(cool(0.1));
    expect((await write(desk)).answer.left).toEqual([]);
  });

  test("is made with another one, where both are right only together", async () => {
    const rule = `apiVersion: agentform/v1
kind: Rule
metadata: {name: large-is-warm}
spec:
  for: {kind: Agent}
  effect: error
  message: The large model is warm, and the small one is not.
  document:
    properties:
      spec:
        if: {properties: {model: {const: large-1}}}
        then: {properties: {temperature: {const: 1}}}
        else: {properties: {temperature: {const: 0.5}}}
`;
    const desk = await openAppliedDesk("array", "read", {
      ...guarded,
      "rules/large.yaml": rule,
    });
    const features = [{ type: "RAI", priority: 0, config: { policy_id: "" } }];
    desk.edit("agent:one", { temperature: 1, features, model: "large-1", description: "Warm" });
    const { answer } = await write(desk);
    expect(answer.left.map(({ field, reason }) => [field, reason])).toEqual([
      ["features[0].config.policy_id", "invalid"],
    ]);
    const written = desk.workspace.read("agents/all.yaml");
    expect(written).toContain("temperature: 1\n  model: large-1\n");
    expect(written).toContain("description: Warm");
    expect(written).toContain("temperature: 0.5\n  model: small-1\n");
  });

  test("is of a prompt file that others have, and the rest of the agent is written", async () => {
    const desk = await openAppliedDesk("array", "read", {
      "agents/all.yaml": two(
        "  system_prompt: ${file:../prompts/both.md}",
        "  temperature: 0.5",
        "  model: a-1",
      ),
      "prompts/both.md": "Be kind.\n",
    });
    desk.edit("agent:one", { system_prompt: "Be brief.", temperature: 0.7, model: "b-1" });
    const { answer } = await write(desk);
    expect(answer.left).toMatchObject([{ address: "agent:one", field: "system_prompt", reason: "shared" }]);
    expect(answer.left).toHaveLength(1);
    expect(desk.workspace.read("agents/all.yaml")).toContain("temperature: 0.7\n  model: b-1");
    desk.edit("agent:two", { system_prompt: "Be brief." });
    expect((await write(desk)).answer.left).toEqual([]);
    expect(desk.workspace.read("prompts/both.md")).toBe("Be brief.\n");
    await expectNothingLeft(desk);
  });
});

describe("the agreement", () => {
  test("is to what is shown: without one nothing is written, and another digest is refused", async () => {
    const desk = await openAppliedDesk("array", "read", files);
    desk.edit("agent:triage", { temperature: 0.9 });
    const state = () => [desk.workspace.read("agents/both.yaml"), desk.workspace.read("agentform.lock")];
    const before = state();
    const shown = await desk.run("drift", "--write");
    expect(shown.code).toBe(2);
    expect(shown.out).toContain("-   temperature: 0.2\n  +   temperature: 0.9");
    const asked = JSON.parse(
      (await desk.run("drift", "--write", "--format", "json")).out,
    ) as DriftWriteAnswer;
    expect(validate(asked)).toBe(true);
    expect(asked.type).toBe("confirm");
    const { digest = "" } = asked;
    expect(shown.err).toContain(`--expect ${digest}`);
    expect(shown.err.match(/ read\n/g)).toHaveLength(1);
    expect(shown.out.match(/sha256:\w+/g)).toEqual([digest]);
    desk.edit("agent:triage", { temperature: 0.8 });
    expect((await desk.run("drift", "--write", "--expect", digest)).code).toBe(4);
    expect(state()).toEqual(before);
    desk.edit("agent:triage", { temperature: 0.9 });
    expect((await desk.run("drift", "--write", "--expect", digest)).code).toBe(0);
    await expectNothingLeft(desk);
  });

  test.each([
    [["--yes"], "--yes needs --write"],
    [["--expect", "sha256:0"], "--expect needs --write"],
    [["--write", "--out", "f.json"], "--out saves"],
    [["--write", "--format", "html"], "--format html only shows"],
    [["--write", "--format", "json", "--max-bytes", "4000"], "--max-bytes shortens"],
  ])("%j is no command line", async (args, message) => {
    const desk = await openAppliedDesk("array", "read", { "policies/strict.yaml": strict });
    const ran = await desk.run("drift", ...args);
    expect(ran.code).toBe(64);
    expect(ran.err).toContain(message);
  });
});

describe("files", () => {
  const longName = `${"long".repeat(62)}.md`;

  test("that are links are named before anything is agreed to, and all else is written", async () => {
    const desk = await openAppliedDesk("array", "read", files);
    const at = (file: string) => join(desk.workspace.directory, file);
    renameSync(at("prompts/support.md"), at("prompts/elsewhere.md"));
    symlinkSync("elsewhere.md", at("prompts/support.md"));
    desk.edit("agent:support", { system_prompt: "Be brief.", temperature: 0.7 });
    const { answer } = await write(desk);
    expect(answer.left).toMatchObject([{ field: "system_prompt", reason: "linked" }]);
    expect(desk.workspace.read("agents/both.yaml")).toContain("temperature: 0.7 # low");
    expect(desk.workspace.read("prompts/elsewhere.md")).toBe(prompt);
  });

  test("in the folder of another workspace are named, for they are of that one, too", async () => {
    const desk = await openAppliedDesk("array", "read", {
      "agents/both.yaml": support.replace("../prompts/", "../teams/sales/prompts/"),
      "policies/strict.yaml": strict,
      "teams/sales/agentform.yaml": manifestWithOperations("http://127.0.0.1:9"),
      "teams/sales/prompts/support.md": prompt,
    });
    desk.edit("agent:support", { system_prompt: "Be brief.", temperature: 0.7 });
    const { answer } = await write(desk);
    expect(answer.left).toMatchObject([{ field: "system_prompt", reason: "nested" }]);
    expect(desk.workspace.read("agents/both.yaml")).toContain("temperature: 0.7 # low");
    expect(desk.workspace.read("teams/sales/prompts/support.md")).toBe(prompt);
  });

  test("that a workspace in a folder above reads are named, for they are of that one, too", async () => {
    const manifest = manifestWithOperations("URL");
    const platform = await openPlatform(
      {
        "agentform.yaml": manifest.replace('"desk"', '"all"'),
        "agents/all.yaml": documentText("Agent", "all", {
          system_prompt: "${file:../teams/care/prompts/support.md}",
        }),
        "teams/care/agentform.yaml": manifest,
        "teams/care/agents/both.yaml": support,
        "teams/care/policies/strict.yaml": strict,
        "teams/care/prompts/support.md": prompt,
      },
      { operations: "full" },
    );
    await platform.apply("teams/care");
    const { workspace, emulator } = platform;
    const [id = ""] = emulator
      .objects()
      .agents.flatMap(({ id: each, body }) => (body["name"] === "Support desk" ? [each] : []));
    emulator.edit({ kind: "agent", id, changes: { system_prompt: "Be brief.", temperature: 0.7 } });
    const { code, err } = await platform.run("teams/care", "drift", "--write", "--yes");
    expect(code, err).toBe(0);
    expect(err).toContain("a workspace in a folder above reads its file, too (`prompts/support.md`)");
    expect(workspace.read("teams/care/agents/both.yaml")).toContain("temperature: 0.7 # low");
    expect(workspace.read("teams/care/prompts/support.md")).toBe(prompt);
  });

  test("are all written or none, keep their mode and their mark, and leave nothing behind", async () => {
    const desk = await openAppliedDesk("array", "read", {
      ...files,
      "policies/strict.yaml": `\uFEFF${strict}`,
      "agents/both.yaml": support.replace("support.md", longName),
      [`prompts/${longName}`]: prompt,
    });
    const at = (file: string) => join(desk.workspace.directory, file);
    chmodSync(at("agents/both.yaml"), 0o640);
    desk.edit("agent:triage", { temperature: 0.9 });
    desk.edit("agent:support", { system_prompt: "Be brief." });
    desk.edit("policy:strict", { name: "Stricter" });
    const before = ["agents/both.yaml", "policies/strict.yaml", "agentform.lock"].map(desk.workspace.read);
    // Its draft has a longer name than the disk takes.
    const failed = await desk.run("drift", "--write", "--yes");
    expect(failed.code).toBe(1);
    expect(failed.err).toContain("file-unwritten");
    expect(["agents/both.yaml", "policies/strict.yaml", "agentform.lock"].map(desk.workspace.read)).toEqual(
      before,
    );
    renameSync(at(`prompts/${longName}`), at("prompts/support.md"));
    desk.workspace.write({ "agents/both.yaml": support });
    chmodSync(at("agents/both.yaml"), 0o640);
    expect((await desk.run("drift", "--write", "--yes")).code).toBe(0);
    expect(lstatSync(at("agents/both.yaml")).mode & 0o777).toBe(0o640);
    expect(desk.workspace.read("policies/strict.yaml").startsWith("\uFEFF#")).toBe(true);
    for (const folder of ["agents", "policies", "prompts"]) {
      expect(readdirSync(at(folder)).filter((name) => name.startsWith("."))).toEqual([]);
    }
    await expectNothingLeft(desk);
  });

  test("of which some are written go on with the same command", async () => {
    const desk = await openAppliedDesk("array", "read", files);
    desk.edit("agent:support", { system_prompt: "Be brief.", temperature: 0.5 });
    desk.edit("policy:strict", { name: "Stricter" });
    const all = ["agents/both.yaml", "policies/strict.yaml", "prompts/support.md", "agentform.lock"];
    const before = all.map(desk.workspace.read);
    expect((await desk.run("drift", "--write", "--yes")).code).toBe(0);
    const after = all.map(desk.workspace.read);
    for (let written = 0; written < all.length; written++) {
      // As it is after a death between two of them: the lock comes last.
      const texts = all.map(
        (file, index) => [file, (index < written ? after : before)[index] ?? ""] as const,
      );
      desk.workspace.write(Object.fromEntries(texts));
      // What this machine remembers of the lock that is not written yet.
      rmSync(join(desk.workspace.directory, ".agentform"), { recursive: true });
      const again = await write(desk);
      expect(again.code).toBe(0);
      expect(again.answer.left).toEqual([]);
      expect(all.slice(0, 3).map(desk.workspace.read)).toEqual(after.slice(0, 3));
      await expectNothingLeft(desk);
    }
  });
});

// The same workspace with its state in an environment.
function openCopyIn(environment: string, { workspace, emulator }: AppliedDesk): AppliedDesk["run"] {
  const lock = JSON.parse(workspace.read("agentform.lock")) as object;
  const manifest = manifestWithOperations(emulator.url).replace(
    /}}$/,
    `,"environments":{"default":{},"${environment}":{}}}}`,
  );
  const copy = makeWorkspace({
    "agentform.yaml": manifest,
    "agents/one.yaml": workspace.read("agents/one.yaml"),
    [`agentform.${environment}.lock`]: JSON.stringify({ ...lock, environment }),
  });
  return (...args) => runIn(copy.directory, args);
}
