import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { runIn } from "./desk.js";

test("the commands that an apply prints for an unknown outcome are of its environment", async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(502).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service = { base_url: url, rai_base_url: url, api_key: "${env:AGENT_API_KEY}" };
  const spec = { service, environments: { default: {}, live: {} } };
  const manifest = { apiVersion: "agentform/v1", kind: "Workspace", metadata: { name: "desk" }, spec };
  const { directory } = makeWorkspace({
    "agentform.yaml": JSON.stringify(manifest),
    "policies/strict.yaml": documentText("Policy", "strict", { name: "Strict" }),
  });
  const { code, err } = await runIn(directory, ["apply", "-e", "live", "--yes"], { AGENT_API_KEY: "key" });
  expect(code, err).toBe(3);
  expect(err).toContain("agentform lock resolve -e live policy:strict --adopt ID");
  expect(err).toContain("agentform lock resolve -e live policy:strict --not-created");
});
