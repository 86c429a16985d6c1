import { expect, test, vi } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { Site } from "./apply-site.js";
import type { ConformanceMedium } from "./conformance-medium.js";
import { CrewProcess } from "./process-crew.js";

const operations = {
  policy: { read: "GET /v1/rai/policies/{id}" },
  toolset: { read: "GET /v3/tools/{id}" },
  agent: { read: "GET /v3/agents/{id}" },
};

/** Two tools, and agents of which one refers to a policy that may be new. */
function documents(about: string, policy: string): Record<string, string> {
  const operation = (operationId: string) => ({ get: { operationId, responses: {} } });
  const set = {
    tool_set_name: "desk",
    default_query_params: { about },
    openapi_schema: {
      openapi: "3.0.3",
      info: { title: "desk", version: "1" },
      servers: [{ url: "https://desk.example.com" }],
      paths: { "/a": operation("first"), "/b": operation("second") },
    },
  };
  const features = [{ type: "RAI", priority: 0, config: { policy_id: `\${policy:${policy}}` } }];
  return {
    "toolsets/desk.yaml": documentText("ToolSet", "desk", set),
    "agents/a1.yaml": documentText("Agent", "a1", { name: "a1", description: about, features }),
    "agents/a2.yaml": documentText("Agent", "a2", { name: "a2", description: about }),
  };
}

/** What an apply sent that is gone, and that its store was never told, is not taken for what somebody else did. */
export function describeOwnUpdates(make: () => Promise<ConformanceMedium>): void {
  test("the updates of a process that died are known as its own, also with what it made for them", async () => {
    // Done at once, and answered once it is too late.
    const late = { method: "PUT", path: "*", count: 3, delay: 600_000 };
    const site = await Site.open(make, [late], "full");
    const [here, there] = [site.machine("here"), site.machine("there")];
    site.write(2, { operations, files: documents("before", "p1") });
    expect(await site.apply(there)).toMatchObject({ status: "applied", diagnostics: [] });
    await site.medium.open(here).refresh?.();

    site.write(3, { operations, files: documents("after", "p3") });
    const env = { ...site.medium.env, AGENT_API_KEY: "key" };
    const runner = await CrewProcess.start("applier", null, env);
    const ended = runner.ask(here);
    const updates = () => site.emulator.requests.filter(({ method }) => method === "PUT").length;
    await vi.waitUntil(() => updates() === 3, { timeout: 30_000, interval: 20 });
    await runner.kill();
    expect(await ended).toBe("dead");

    // A document that agrees with what is found would hide who is blamed for it.
    site.write(3, { operations, files: documents("at last", "p2") });
    await site.unlock(there);
    await site.resolve(there);
    const { status, summary, diagnostics } = await site.apply(there, { patience: 10_000 });
    expect({ status, summary }, JSON.stringify(diagnostics)).toMatchObject({
      status: "applied",
      summary: { failed: 0, unknown: 0, skipped: 0, blocked: 0 },
    });
    expect(await site.unknownIds(there)).toEqual([]);
    expect((await site.apply(there)).status).toBe("unchanged");
  });
}
