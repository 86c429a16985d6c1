import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { json, post, put, send, toolIds } from "./raw-request.js";
import { running } from "./running.js";

const ESCAPE = String.fromCodePoint(27);

describe("the log", () => {
  it("has one line for each request: method, path, status and what was done", async () => {
    const lines: string[] = [];
    const { port } = await running({ log: (line) => lines.push(line) });
    const policy = json(await post(port, "/v1/rai/policies", { name: "Strict" }));
    const openapi_schema = { paths: { "/a": { get: {}, put: {} } } };
    const [tool] = toolIds(await post(port, "/v3/tools/", { tool_set_name: "helpdesk", openapi_schema }));
    await put(port, `/v3/tools/${tool}`, { default_headers: {}, default_body_params: {} });
    const agent = json(await post(port, "/v3/agents/", { name: "support" }));
    await put(port, `/v3/agents/${String(agent["agent_id"])}`, { name: "support" });
    const credential = json(await post(port, "/v3/tools/credentials", { name: "openai" }));
    await put(port, "/v3/agents/nobody", { name: "support" });
    await post(port, "/v3/agents/", { name: 7, tools: 7 });
    await send(port, { method: "GET", path: "/?a=b" });
    expect(lines).toEqual([
      `POST /v1/rai/policies 200 policy Strict created as ${String(policy["_id"])}`,
      "POST /v3/tools/ 200 tool set openapi-helpdesk created with 2 tools",
      `PUT /v3/tools/${tool} 200 tool ${tool} updated: default_headers, default_body_params`,
      `POST /v3/agents/ 200 agent support created as ${String(agent["agent_id"])}`,
      `PUT /v3/agents/${String(agent["agent_id"])} 200 agent support updated`,
      `POST /v3/tools/credentials 200 credential openai created as ${String(credential["credential_id"])}`,
      "PUT /v3/agents/nobody 404 no agent nobody",
      "POST /v3/agents/ 422 refused: body.name not a valid string; body.tools not a valid array",
      "GET / 404 refused: There is no operation at this path",
    ]);
  });

  it("points out the IDs that an agent has and the emulator does not", async () => {
    const lines: string[] = [];
    const { port } = await running({ log: (line) => lines.push(line) });
    const { _id: policy } = json(await post(port, "/v1/rai/policies", { name: "p" }));
    const openapi_schema = { paths: { "/a": { get: {} } } };
    const [tool] = toolIds(await post(port, "/v3/tools/", { tool_set_name: "t", openapi_schema }));
    const { credential_id } = json(await post(port, "/v3/tools/credentials", { name: "c" }));
    const known = {
      name: "support",
      tools: [tool],
      features: [{ type: "RAI", config: { policy_id: policy } }, { type: "MEMORY" }],
      llm_credential_id: credential_id,
    };
    const { agent_id } = json(await post(port, "/v3/agents/", known));
    expect(lines.at(-1)).not.toContain("unknown");
    const unknown = {
      name: "support",
      tools: ["abc", tool, "def"],
      features: [{ type: "RAI", config: { policy_id: "pol" } }],
      llm_credential_id: tool,
    };
    const four = [
      "agent support: tool abc does not exist",
      "agent support: tool def does not exist",
      "agent support: policy pol does not exist",
      `agent support: credential ${tool} does not exist`,
    ].join("; ");
    await post(port, "/v3/agents/", unknown);
    expect(lines.at(-1)).toMatch(/^POST \/v3\/agents\/ 200 agent support created as [0-9a-f]{24}; /);
    expect(lines.at(-1)?.endsWith(`; ${four}`)).toBe(true);
    await put(port, `/v3/agents/${String(agent_id)}`, unknown);
    expect(lines.at(-1)).toBe(`PUT /v3/agents/${String(agent_id)} 200 agent support updated; ${four}`);
  });

  it("says what a fault did", async () => {
    const lines: string[] = [];
    const { port } = await running({
      log: (line) => lines.push(line),
      faults: [{ status: 503 }, { drop: "after" }, { drop: "before" }],
    });
    for (let time = 0; time < 3; time += 1) await post(port, "/v3/tools/credentials", { name: "c" });
    expect(lines).toEqual([
      "POST /v3/tools/credentials 503 a fault; nothing was done",
      expect.stringMatching(
        /^POST \/v3\/tools\/credentials - credential c created as [0-9a-f]{24}; then a fault$/,
      ),
      "POST /v3/tools/credentials - a fault; nothing was done",
    ]);
  });

  it("stays one line without control characters, whatever the names hold", async () => {
    const lines: string[] = [];
    const { port } = await running({ log: (line) => lines.push(line) });
    await post(port, "/v3/agents/", { name: `a\nPOST / 200 ${ESCAPE}[31m\u202Eb`, tools: ["x\r\ny"] });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("agent a\\u{a}POST / 200 \\u{1b}[31m\\u{202e}b created");
    expect(lines[0]).toContain("tool x\\u{d}\\u{a}y does not exist");
  });

  it("has a line for a request that breaks off", async () => {
    const lines: string[] = [];
    const { port, requests } = await running({ log: (line) => lines.push(line) });
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `POST /v3/agents/ HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-api-key: k\r\ncontent-length: 99\r\n\r\n{`,
    );
    await expect.poll(() => requests.length).toBe(1);
    socket.destroy();
    await expect.poll(() => lines).toEqual(["POST /v3/agents/ - the connection ended before an answer"]);
    expect(requests).toEqual([{ method: "POST", path: "/v3/agents/", status: 0 }]);
  });
});
