import { describe, expect, it } from "vitest";
import { documentText, makeWorkspace, type DiskWorkspace } from "../harness/disk-workspace.js";
import type { CliResult } from "../package/run-cli.js";
import { runCommand } from "./run-command.js";
import { echoingService, type EchoingService } from "../secrets/echoing-service.js";
import { manifestAt } from "../secrets/scene.js";
import { sample } from "../harness/tier.js";

const env = { AGENT_API_KEY: "key-for-examples", GITHUB_TOKEN: "ghp_0123456789abcdef" };

const documents = {
  "policies/strict.yaml": documentText("Policy", "strict", { name: "Strict" }),
  "toolsets/desk.yaml": documentText("ToolSet", "desk", {
    tool_set_name: "desk",
    openapi_schema: {
      openapi: "3.1.0",
      info: { title: "Desk", version: "1" },
      paths: { "/x": { get: { operationId: "list", responses: {} } } },
    },
  }),
  "credentials/provider.yaml": documentText("Credential", "provider", { name: "Provider" }),
  "agents/a-helper.yaml": documentText("Agent", "helper", { name: "Helper" }),
  "agents/support.yaml": documentText("Agent", "support", {
    name: "Support",
    system_prompt: "Escalate to ${agent:helper}, write $${env:GITHUB_TOKEN} as it is",
    tools: ["${toolset:desk}", "${toolset:desk/list}"],
    llm_credential_id: "${credential:provider}",
    features: [{ type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } }],
  }),
};

function manifestOf({ url }: EchoingService): string {
  return manifestAt(url).replace("service: {", "service: {tool_ids: document_order, ");
}

/** A service whose IDs are a text of its own, told apart by what follows it. */
async function serviceAnswering(id: string): Promise<EchoingService> {
  let made = 0;
  return await echoingService((_heard, response) => {
    const own = `${id}${made++ || ""}`;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ _id: own, agent_id: own, credential_id: own, tool_ids: [own] }));
  });
}

function sentFor({ heard }: EchoingService, name: string): { [field: string]: unknown } {
  const bodies = heard.map(({ body }) => JSON.parse(body));
  return bodies.findLast((body) => body.name === name);
}

async function apply({ directory }: DiskWorkspace): Promise<CliResult> {
  return await runCommand(["apply", "--yes", "--concurrency", "1"], { cwd: directory, env });
}

interface Lock {
  readonly resources: Record<string, { id?: string; ids?: string[] }>;
}

describe("an answered ID that looks like an expression", () => {
  it.each(
    sample(
      "answered IDs",
      [
        "${env:GITHUB_TOKEN}",
        "$${env:GITHUB_TOKEN}",
        "${env:GITHUB_TOKEN@2}",
        "${policy:strict}",
        "${toolset:desk}",
        "$",
        "${",
        "{env:GITHUB_TOKEN}",
      ],
      2,
    ),
  )("is sent on as it is, in every place that an ID can take: %s", async (id) => {
    const service = await serviceAnswering(id);
    const workspace = makeWorkspace({ "agentform.yaml": manifestOf(service), ...documents });
    const { code, stdout, stderr } = await apply(workspace);
    expect(code, stdout + stderr).toBe(0);

    const lock = JSON.parse(workspace.read("agentform.lock")) as Lock;
    const idOf = (address: string) => lock.resources[address]?.id ?? lock.resources[address]?.ids?.[0] ?? "";
    expect(sentFor(service, "Support")).toEqual({
      name: "Support",
      system_prompt: `Escalate to ${idOf("agent:helper")}, write \${env:GITHUB_TOKEN} as it is`,
      tools: [idOf("toolset:desk"), idOf("toolset:desk")],
      llm_credential_id: idOf("credential:provider"),
      features: [{ type: "RAI", priority: 0, config: { policy_id: idOf("policy:strict") } }],
    });
    const said = [...service.heard.map(({ body, path }) => body + path), stdout, stderr];
    expect(said.join("\n")).not.toContain(env.GITHUB_TOKEN);
    expect(workspace.read("agentform.lock")).not.toContain(env.GITHUB_TOKEN);

    // What is known is compared, found equal, and sent again with a later change.
    expect((await apply(workspace)).stdout).toContain("No changes");
    workspace.write({
      "agents/a-helper.yaml": documentText("Agent", "helper", { name: "Helper", description: "Second line" }),
      "agents/support.yaml": documents["agents/support.yaml"].replace(
        '"name":"Support"',
        '"name":"Support 2"',
      ),
    });
    expect((await apply(workspace)).code).toBe(0);
    const updates = service.heard.filter(({ method }) => method === "PUT");
    expect(updates.map(({ path }) => path)).toEqual([
      `/v3/agents/${encodeURIComponent(idOf("agent:helper"))}`,
      `/v3/agents/${encodeURIComponent(idOf("agent:support"))}`,
    ]);
    expect(sentFor(service, "Support 2")).toMatchObject({
      tools: [idOf("toolset:desk"), idOf("toolset:desk")],
    });
    expect(service.heard.map(({ body, path }) => body + path).join("\n")).not.toContain(env.GITHUB_TOKEN);
  });

  it("is no secret that a document names in its place: the change is seen", async () => {
    const service = await serviceAnswering("${env:GITHUB_TOKEN}");
    const workspace = makeWorkspace({ "agentform.yaml": manifestOf(service), ...documents });
    workspace.write({
      "agents/support.yaml": documentText("Agent", "support", {
        name: "Support",
        tool: ["${toolset:desk}"],
      }),
    });
    expect((await apply(workspace)).code).toBe(0);
    const id =
      (JSON.parse(workspace.read("agentform.lock")) as Lock).resources["toolset:desk"]?.ids?.[0] ?? "";
    const literal = `$${id}`;
    const withTools = (tool: string) =>
      workspace.write({
        "agents/support.yaml": documentText("Agent", "support", { name: "Support", tool: [tool] }),
      });
    withTools(literal);
    expect((await runCommand(["plan"], { cwd: workspace.directory, env })).stdout).toContain("1 to record");
    withTools("${env:GITHUB_TOKEN}");
    expect((await runCommand(["plan"], { cwd: workspace.directory, env })).stdout).toContain("agent:support");
  });
});

describe("an ID that a person gives", () => {
  it("is sent as it is, too", async () => {
    const service = await serviceAnswering("id-");
    const files = { "policies/strict.yaml": documents["policies/strict.yaml"] };
    const workspace = makeWorkspace({ "agentform.yaml": manifestOf(service), ...files });
    const adopted = ["lock", "resolve", "policy:strict", "--adopt", "${env:GITHUB_TOKEN}"];
    expect((await runCommand(adopted, { cwd: workspace.directory, env })).code).toBe(0);
    workspace.write({
      "agents/support.yaml": documentText("Agent", "support", {
        name: "Support",
        features: [{ type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } }],
      }),
      "agents/other.yaml": documentText(
        "Agent",
        "other",
        { name: "Other" },
        { adopt: "$${env:GITHUB_TOKEN}2" },
      ),
    });
    const { code, stdout, stderr } = await apply(workspace);
    expect(code, stdout + stderr).toBe(0);
    expect(sentFor(service, "Support")).toMatchObject({
      features: [{ config: { policy_id: "${env:GITHUB_TOKEN}" } }],
    });
    expect(service.heard.map(({ path }) => path)).toContain("/v3/agents/%24%7Benv%3AGITHUB_TOKEN%7D2");
  });
});
