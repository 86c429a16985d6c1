import { once } from "node:events";
import { symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { documents, manifestAt, openEmulator, runIn } from "./desk.js";

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

test("the commands for a tool that is not told lead to the emulator and the environment where it was made", async () => {
  const service = { base_url: "https://agents.example.com" };
  const spec = { service, environments: { default: {}, live: {} } };
  const manifest = { apiVersion: "agentform/v1", kind: "Workspace", metadata: { name: "desk" }, spec };
  const { directory } = makeWorkspace({
    "agentform.yaml": JSON.stringify(manifest),
    "toolsets/desk.yaml": documents["toolsets/desk.yaml"] ?? "",
    "agents/support.yaml": documentText("Agent", "support", {
      name: "Support",
      tools: ["${toolset:desk/createTicket}"],
    }),
  });
  const command =
    "agentform lock resolve -e live --emulator toolset:desk --adopt createTicket=ID`, or refer to the whole set; if the service answers the IDs in the order of the operations, `service.tool_ids: document_order`";
  const applied = await runIn(directory, ["apply", "-e", "live", "--emulator", "--yes"], {});
  expect(applied.code, applied.err).toBe(1);
  expect(applied.err).toContain("failed: which tool of toolset:desk is `createTicket` is not known;");
  expect(applied.err).toContain(command);
  const planned = await runIn(directory, ["plan", "-e", "live", "--emulator"], {});
  expect(planned.err).toContain(command);
});

test("a folder that does not exist is not said to lack a manifest", async () => {
  const { directory } = makeWorkspace({});
  const { code, err } = await runIn(directory, ["plan", "-C", "nowhere"], {});
  expect(code).toBe(1);
  expect(err).toContain("error[workspace-missing]: the folder of the workspace does not exist");
});

test("a folder that cannot be looked into is not said to lack a manifest", async () => {
  const { directory } = makeWorkspace({});
  symlinkSync("around", join(directory, "around"));
  for (const folder of ["around", "n".repeat(300)]) {
    const { code, err } = await runIn(directory, ["plan", "-C", folder], {});
    expect(code).toBe(1);
    expect(err).toMatch(
      /error\[file-unreadable\]: `agentform.yaml` (is part of a cycle of links|cannot be read)/,
    );
  }
});

/** A workspace with an environment, and the options of its state on the emulator. */
function emulatedLive() {
  const spec = {
    service: { base_url: "https://agents.example.com" },
    environments: { default: {}, live: {} },
  };
  const manifest = { apiVersion: "agentform/v1", kind: "Workspace", metadata: { name: "desk" }, spec };
  const { directory } = makeWorkspace({
    "agentform.yaml": JSON.stringify(manifest),
    "agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
  });
  return { directory, state: ["-e", "live", "--emulator"] };
}

test("the commands that look into a state lead to the state that they were asked about", async () => {
  const { directory, state } = emulatedLive();
  const said = async (...args: string[]) => (await runIn(directory, [...args, ...state], {})).err;
  expect(await runIn(directory, ["apply", ...state, "--yes"], {})).toMatchObject({ code: 0 });
  const lists = "`agentform lock list -e live --emulator`";
  expect(await said("lock", "show", "policy:none")).toContain(lists);
  expect(await said("plan", "--target", "policy:none")).toContain(lists);
  expect(await said("lock", "resolve", "policy:none", "--not-created")).toContain(lists);
  expect(await said("prune", "none")).toContain("`agentform lock retired -e live --emulator`");
});

test("the commands that mend a state lead to that of its environment", async () => {
  const { url } = await openEmulator();
  const { directory, read, write } = makeWorkspace({
    "agentform.yaml": manifestAt(url, "  environments: {live: {}}\n"),
    "agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
  });
  const said = async () => (await runIn(directory, ["plan", "-e", "live"])).err;
  const apply = () => runIn(directory, ["apply", "-e", "live", "--yes"]);
  expect(await apply()).toMatchObject({ code: 0 });
  const lock = "agentform.live.lock";
  const first = read(lock);
  write({ "agents/support.yaml": documentText("Agent", "support", { name: "Support desk" }) });
  expect(await apply()).toMatchObject({ code: 0 });
  write({ [lock]: first });
  expect(await said()).toContain("run `agentform lock restore -e live`");
  write({ [lock]: `<<<<<<< ours\n${first}` });
  expect(await said()).toContain("run `agentform lock merge -e live`");
});

test("the commands of a plan for an environment are of that environment", async () => {
  const { directory, state } = emulatedLive();
  expect(await runIn(directory, ["apply", ...state, "--yes"], {})).toMatchObject({ code: 0 });
  const { out } = await runIn(directory, ["plan", ...state, "--replace", "agent:support"], {});
  expect(out).toContain("`agentform lock retired -e live --emulator` lists what is left after the apply");
});
