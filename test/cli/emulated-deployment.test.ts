import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emulatedDeployment } from "../../src/core/kind/deployment.js";
import { deploymentOf } from "../../src/core/kind/written-operations.js";
import { makeWorkspace } from "../harness/disk-workspace.js";
import { manifestAt, openDesk, policyText, runIn } from "./desk.js";

const operations = `    operations:
      policy: {read: "GET /elsewhere/{id}", update: "PUT /elsewhere/{id}"}
`;

function manifestWith(more: string): string {
  return manifestAt("https://agents.example.com").replace(
    / {2}service: \{(.*)\}\n/,
    (_line, keys: string) => {
      return `  service:\n${keys
        .split(", ")
        .map((key) => `    ${key}\n`)
        .join("")}${more}`;
    },
  );
}

test("with --emulator, the operations of a deployment are those of the emulator", async () => {
  const files = { "agentform.yaml": manifestWith(operations), "policies/strict.yaml": policyText() };
  const { directory, write, read } = makeWorkspace(files);
  expect(await runIn(directory, ["apply", "--emulator", "--yes"])).toMatchObject({ code: 0 });
  write({ "policies/strict.yaml": policyText(["weapons", "drugs"]) });
  const planned = JSON.parse((await runIn(directory, ["plan", "--emulator", "--format", "json"])).out) as {
    actions: { action: string; requests: string[] }[];
    digest: string;
  };
  expect(planned.actions).toMatchObject([{ action: "update" }]);
  expect(planned.actions[0]?.requests[0]).toMatch(/^PUT \/v1\/rai\/policies\/[^{}/]+$/);
  const { digest } = planned;
  expect(await runIn(directory, ["apply", "--emulator", "--yes", "--expect", digest])).toMatchObject({
    code: 0,
  });
  const lock = JSON.parse(read(".agentform/emulator/default/agentform.lock")) as { retired: object };
  expect(lock.retired).toEqual({});
});

test("the emulator has no operation that the deployment lacks", () => {
  const written = { agent: { read: "GET /a/{id}" }, toolset: { delete: "DELETE /t/{id}" } };
  const emulated = emulatedDeployment(deploymentOf({ operations: written }));
  expect(emulated).toMatchObject({
    agent: { read: { path: "/v3/agents/{id}" } },
    toolset: { delete: { path: "/v3/tools/{id}" } },
  });
  expect(Object.keys(emulated.agent ?? {})).toEqual(["read"]);
});

test("a workspace with a new name begins anew with its emulator, as the message says", async () => {
  const { run, workspace } = await openDesk();
  expect((await run("apply", "--emulator", "--yes")).code).toBe(0);
  workspace.write({
    "agentform.yaml": workspace.read("agentform.yaml").replace("name: desk", "name: bureau"),
  });
  const folder = ".agentform/emulator/default/";
  expect(await run("plan", "--emulator")).toMatchObject({
    code: 1,
    err: expect.stringContaining(`delete ${folder}:`),
  });
  rmSync(join(workspace.directory, folder), { recursive: true });
  expect((await run("apply", "--emulator", "--yes")).code).toBe(0);
});
