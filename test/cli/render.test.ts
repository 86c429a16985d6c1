import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { documentText, makeWorkspace, manifest } from "../harness/disk-workspace.js";
import { echoingService, type Heard } from "../secrets/echoing-service.js";
import { documents, manifestAt, openDesk, openEmulator, runIn, secretValue } from "./desk.js";

/** A workspace in which nothing is written where it is used. */
function fleetAt(url: string): Readonly<Record<string, string>> {
  return {
    "agentform.yaml": `apiVersion: agentform/v1
kind: Workspace
metadata: {name: desk}
spec:
  service:
    base_url: "${url}"
    rai_base_url: "${url}"
    api_key: \${env:AGENT_API_KEY}
    field_names: {provider_api_key: acme_api_key, provider_id: vendor}
  variables: {model: small-1, region: eu-west, limit: 3}
  ignore: [environment-same-service]
  environments:
    default: {}
    production: {variables: {model: large-2}}
`,
    "policies/strict.yaml": `apiVersion: agentform/v1
kind: Policy
metadata: {name: strict}
spec: \${file:strict.json}
`,
    "policies/strict.json": JSON.stringify({
      name: "Strict",
      banned_topics: { enabled: true, topics: ["weapons"] },
    }),
    "toolsets/desk.yaml": `apiVersion: agentform/v1
kind: ToolSet
metadata: {name: desk, labels: {team: care}}
spec:
  tool_set_name: desk
  openapi_schema: \${file:../openapi/desk.json}
  enhance_descriptions: true
  provider_api_key: \${env:PROVIDER_KEY}
  default_headers: {Authorization: "Bearer \${env:DESK_TOKEN@3}"}
`,
    "toolsets/plain.yaml": `apiVersion: agentform/v1
kind: ToolSet
metadata: {name: plain}
spec:
  tool_set_name: plain
  openapi_schema: {openapi: 3.1.0, paths: {/a: {get: {operationId: readA, description: "$\${var:not} \${HOME}"}}}}
  provider_api_key: \${env:PROVIDER_KEY}
`,
    "openapi/desk.json": JSON.stringify({
      openapi: "3.1.0",
      paths: {
        "/tickets": {
          post: {
            operationId: "createTicket",
            responses: { "404": {}, "200": {} },
            description: "${policy:none}",
          },
          get: { operationId: "listTickets", responses: {} },
        },
      },
    }),
    "credentials/provider.yaml": `apiVersion: agentform/v1
kind: Credential
metadata: {name: provider}
spec: {name: Provider, credentials: {api_key: "\${env:PROVIDER_KEY@1}"}}
`,
    "prompts/support.md": "You help in ${var:region}.\n\n  Ask ${agent:lead} or ${HOME}: {{ticket}} $${x}\n",
    "agents/support.yaml": `apiVersion: agentform/v1
kind: Agent
metadata: {name: support, labels: {team: care}}
spec:
  name: Support
  model: \${var:model}
  provider_id: OpenAI
  system_prompt: \${template:../prompts/support.md}
  description: "\${file:../prompts/support.md}"
  temperature: 0.2
  llm_credential_id: \${credential:provider}
  tools: ["\${toolset:plain}", "\${toolset:desk/createTicket}", 66f1c0]
  features: [{type: RAI, priority: 0, config: {policy_id: "\${policy:strict}", limit: "\${var:limit}"}}]
lifecycle: {protect: true}
---
apiVersion: agentform/v1
kind: Agent
metadata: {name: lead}
spec: {name: Lead}
`,
    "environments/production/support.yaml": `apiVersion: agentform/v1
kind: Agent
metadata: {name: support}
spec:
  temperature: 0
  description: null
  version: "2"
`,
  };
}

interface Entry {
  readonly id?: string;
  readonly tools?: Readonly<Record<string, string>>;
}

/** Puts IDs and secrets into a written document, in the plainest way. */
function filled(value: unknown, ids: Readonly<Record<string, Entry>>): unknown {
  if (typeof value === "string") return filledText(value, ids);
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => {
      const [, set = ""] = /^\$\{(toolset:[^/]+)\}$/.exec(String(item)) ?? [];
      return set === "" ? [filled(item, ids)] : Object.values(ids[set]?.tools ?? {});
    });
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member, ids)]));
}

function filledText(text: string, ids: Readonly<Record<string, Entry>>): string {
  return text.replaceAll(/\$\$\{|\$\{([a-z]+:[^}]+)\}/g, (_, name: string | undefined) => {
    if (name === undefined) return "${";
    if (name.startsWith("env:")) return secretValue;
    const [address = "", operation = ""] = name.split("/");
    return ids[address]?.id ?? ids[address]?.tools?.[operation] ?? `no ${name}`;
  });
}

const wireNames: Readonly<Record<string, string>> = {
  provider_api_key: "acme_api_key",
  provider_id: "vendor",
};

test.each([undefined, "production"])(
  "what is rendered is what an apply sends, in environment %s",
  async (environment) => {
    const emulator = await openEmulator({ answers: "names" });
    const recording = await echoingService((heard, response) => {
      void forward(emulator.url, heard, response);
    });
    const { directory, read } = makeWorkspace(fleetAt(recording.url));
    const where = environment === undefined ? [] : ["-e", environment];
    const yaml = await runIn(directory, ["render", ...where]);
    expect(yaml).toMatchObject({ code: 0, err: "" });
    const json = await runIn(directory, ["render", "--format", "json", ...where]);
    expect(recording.heard).toEqual([]);
    expect(await runIn(directory, ["apply", "--yes", ...where])).toMatchObject({ code: 0 });

    const lock = JSON.parse(
      read(environment === undefined ? "agentform.lock" : `agentform.${environment}.lock`),
    ) as {
      resources: Record<string, Entry>;
    };
    const rendered = (JSON.parse(json.out) as { documents: { spec: object }[] }).documents;
    expect(parseAllDocuments(yaml.out).map((each) => each.toJS() as unknown)).toEqual(rendered);
    const expected = rendered.map(({ spec }) => {
      const body = filled(spec, lock.resources) as object;
      return JSON.stringify(
        Object.fromEntries(Object.entries(body).map(([key, value]) => [wireNames[key] ?? key, value])),
      );
    });
    expect(recording.heard.map(({ body }) => body).toSorted()).toEqual(expected.toSorted());
  },
);

async function forward(url: string, { method, path, headers, body }: Heard, response: ServerResponse) {
  const json = { accept: "application/json", "content-type": "application/json" };
  const sent = { ...json, "x-api-key": String(headers["x-api-key"]) };
  const answer = await fetch(url + path, { method, headers: sent, body });
  response.writeHead(answer.status, json).end(await answer.text());
}

test("a rendered workspace has the plan of the one that it came from", async () => {
  const { url } = await openEmulator();
  const files = fleetAt(url);
  const from = makeWorkspace(files);
  const { out } = await runIn(from.directory, ["render"]);
  const to = makeWorkspace({
    "agentform.yaml": (files["agentform.yaml"] ?? "").replace(/ {2}variables:[^]*/, ""),
    "agents/all.yaml": out,
  });
  const plans = await Promise.all(
    [from, to].map(async ({ directory }) => {
      const { out: text } = await runIn(directory, ["plan", "--format", "json"]);
      const plan = JSON.parse(text) as { actions: { address: string; body: Record<string, unknown> }[] };
      return plan.actions.map(({ address, body: { provider_api_key: key, ...body } }) => {
        // Where nothing is enhanced, the key is not sent.
        return { address, body, ...(body.enhance_descriptions === true && { key }) };
      });
    }),
  );
  expect(plans[1]).toEqual(plans[0]);
  expect(plans[0]).toHaveLength(6);
});

test("layers say where each value came from, at the end of its line", async () => {
  const { url } = await openEmulator();
  const { directory } = makeWorkspace(fleetAt(url));
  const { code, out } = await runIn(directory, ["render", "agent:support", "-e", "production", "--layers"]);
  expect(code).toBe(0);
  expect(out).toBe(`---
apiVersion: agentform/v1
kind: Agent
metadata:
  name: support
  labels: # agents/support.yaml:3
    team: care
spec:
  name: Support # agents/support.yaml:5
  model: large-2 # agents/support.yaml:6
  provider_id: OpenAI # agents/support.yaml:7
  system_prompt: | # agents/support.yaml:8
    You help in eu-west.

      Ask \${agent:lead} or $\${HOME}: {{ticket}} $\${x}
  temperature: 0 # environments/production/support.yaml:5 (patch)
  llm_credential_id: \${credential:provider} # agents/support.yaml:11
  tools: # agents/support.yaml:12
    - \${toolset:plain}
    - \${toolset:desk/createTicket}
    - 66f1c0
  features: # agents/support.yaml:13
    - type: RAI
      priority: 0
      config:
        policy_id: \${policy:strict}
        limit: 3
  version: "2" # environments/production/support.yaml:7 (patch)
lifecycle: # agents/support.yaml:14
  protect: true
`);
  const plain = await runIn(directory, ["render", "agent:support", "-e", "production"]);
  expect(plain.out).toBe(out.replaceAll(/ # .*/g, ""));
  const lead = await runIn(directory, ["render", "agent:lead", "toolset:plain", "--layers"]);
  expect(lead.out).toBe(`---
apiVersion: agentform/v1
kind: Agent
metadata:
  name: lead
spec: # agents/support.yaml:19
  name: Lead
---
apiVersion: agentform/v1
kind: ToolSet
metadata:
  name: plain
spec:
  tool_set_name: plain # toolsets/plain.yaml:5
  openapi_schema: # toolsets/plain.yaml:6
    openapi: 3.1.0
    paths:
      /a:
        get:
          operationId: readA
          description: $\${var:not} $\${HOME}
`);
  expect(await runIn(directory, ["render", "--layers", "--format", "json"])).toMatchObject({ code: 64 });
});

test("resources are chosen by address and by label", async () => {
  const { url } = await openEmulator();
  const { directory } = makeWorkspace(fleetAt(url));
  const names = async (...args: readonly string[]) => {
    const { code, out } = await runIn(directory, ["render", "--format", "json", ...args]);
    expect(code).toBe(0);
    const { documents: all } = JSON.parse(out) as {
      documents: { kind: string; metadata: { name: string } }[];
    };
    return all.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  };
  const all = [
    "Agent lead",
    "Agent support",
    "Credential provider",
    "Policy strict",
    "ToolSet desk",
    "ToolSet plain",
  ];
  expect(await names()).toEqual(all);
  expect(await names("policy:strict", "agent:lead", "agent:lead")).toEqual(["Agent lead", "Policy strict"]);
  expect(await names("--selector", "team=care")).toEqual(["Agent support", "ToolSet desk"]);
  expect(await names("agent:lead", "--selector", "team=care")).toEqual([
    "Agent lead",
    "Agent support",
    "ToolSet desk",
  ]);

  const unknown = await runIn(directory, ["render", "agent:suport", "agent:none", "--selector", "team=cave"]);
  expect(unknown).toMatchObject({ code: 1, out: "" });
  expect(unknown.err).toContain("agent:suport is not a resource of this workspace");
  expect(unknown.err).toContain("did you mean `agent:support`?");
  expect(unknown.err).toContain("agent:none");
  expect(unknown.err).toContain("did you mean `team=care`?");
  expect(await runIn(directory, ["render", "support"])).toMatchObject({ code: 64 });
});

test("a workspace with errors is not rendered", async () => {
  const desk = await openDesk({ ...documents, "agents/broken.yaml": "kind: Agent\n" });
  const { code, out, err } = await desk.run("render", "--format", "json");
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ format: "agentform/diagnostics/v1" });
  expect(err).toContain("agents/broken.yaml");
  expect(await desk.run("render")).toMatchObject({ code: 1, out: "" });
});

test("a resource of other environments alone says so", async () => {
  const { directory } = makeWorkspace({
    "agentform.yaml": `${manifest}  environments: {staging: {}, production: {}}\n`,
    "agents/rehearsal.yaml": documentText("Agent", "rehearsal", { name: "R" }, { environments: ["staging"] }),
  });
  const refused = await runIn(directory, ["render", "agent:rehearsal", "-e", "production"]);
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toContain("agent:rehearsal does not exist in environment `production`");
});

test("a field with a name that every object knows is rendered and sent as it is, and missed where it is not", async () => {
  const agent = { name: "Teller", toString: "Never tell.", features: [{ type: "RAI", config: {} }] };
  const desk = await openDesk({});
  const extra = manifestAt(desk.emulator.url, "  extra_fields: {agent: [toString]}\n");
  desk.workspace.write({
    "agentform.yaml": extra,
    "agents/teller.yaml": documentText("Agent", "teller", agent),
  });
  const unguarded = await desk.run("validate");
  expect(unguarded.code).toBe(1);
  expect(unguarded.out).toContain("the feature `RAI` has no policy");
  const { features: _none, ...plain } = agent;
  desk.workspace.write({ "agents/teller.yaml": documentText("Agent", "teller", plain) });
  const { code, out, err } = await desk.run("render");
  expect(code, err).toBe(0);
  expect(out).toContain("toString: Never tell.");
  await desk.run("apply", "--yes");
  expect(desk.emulator.objects().agents).toMatchObject([{ body: plain }]);
});
