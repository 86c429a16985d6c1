import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

import { type LocalEmulator, LocalEmulatorError, startForWorkspace } from "../../src/sync/local-emulator.js";
import type { EmulatedOperations } from "../../src/emulator/world.js";
import { makeWorkspace } from "../harness/disk-workspace.js";

async function start(directory: string, operations?: EmulatedOperations): Promise<LocalEmulator> {
  const emulator = await startForWorkspace({ directory }, {}, operations);
  onTestFinished(() => emulator.close());
  return emulator;
}

async function ask(emulator: LocalEmulator, method: string, body?: object): Promise<number> {
  const headers = { "x-api-key": "k", accept: "application/json", "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await fetch(`${emulator.target.baseUrl}/v3/agents/`, { method, headers, ...sent })).status;
}

test("the emulator of a workspace has the documented operations unless others are asked for", async () => {
  const { directory } = makeWorkspace({});
  expect(await ask(await start(directory), "GET")).toBe(405);
  expect(await ask(await start(directory, "full"), "GET")).toBe(200);
});

test.each([
  ["documented", "full"],
  ["full", "documented"],
] as const)("with data of the operations %s, one with %s says what to remove", async (one, other) => {
  const { directory } = makeWorkspace({});
  const first = await start(directory, one);
  expect(await ask(first, "POST", { name: "a" })).toBe(200);
  await first.close();
  const refused = startForWorkspace({ directory }, {}, other);
  await expect(refused).rejects.toThrow(LocalEmulatorError);
  await expect(refused).rejects.toThrow(/^\.agentform\/emulator\/default has .*remove it/);
  expect(existsSync(join(directory, ".agentform/emulator/default/data/agents/1.json"))).toBe(true);
});
