import { expect, test } from "vitest";
import { manifestWithOperations, operationsOf } from "../cli/applied-desk.js";
import { openEmulator } from "../cli/desk.js";
import { canaries } from "./canaries.js";
import { documentsAt, leaksOf, openScene, promptingAgent } from "./scene.js";

// What the service shows where: the values of secrets that were sent, and of one that somebody set there alone.
const echo = `${canaries.CREDENTIAL} and ${canaries.HEADER_TOKEN}`;
const alone = "a-token-that-only-the-service-has";
const within = "inner-Xy7Zq2Rt5W";

test.each(["read", "list"] as const)("no secret is let out of what is found by %s", async (ways) => {
  const emulator = await openEmulator({ operations: "full", answers: "names" });
  const manifest = manifestWithOperations(emulator.url, operationsOf("array", ways));
  const scene = openScene({ "agentform.yaml": manifest, ...documentsAt(1), ...promptingAgent });
  expect(await scene.run("apply", "--yes")).toBe(0);
  expect(await scene.run("drift", "--detailed-exitcode", "--verbose", "--out", "found.json")).toBe(0);

  const { agents, tools, policies } = emulator.objects();
  for (const { id } of agents) {
    emulator.edit({
      kind: "agent",
      id,
      changes: {
        description: echo,
        note: { [`name ${canaries.SIGNING_KEY}`]: echo },
        client_secret: { current: within },
      },
    });
  }
  for (const { id } of tools) {
    emulator.edit({
      kind: "tool",
      id,
      changes: {
        default_headers: { Authorization: `Bearer ${alone}`, "X-Echo": echo },
        default_body_params: { vault_token: [{ was: within }] },
      },
    });
  }
  for (const { id } of policies)
    emulator.edit({ kind: "policy", id, changes: { name: canaries.AGENT_API_KEY } });

  for (const format of ["text", "json", "markdown", "html"]) {
    const command = ["drift", "--format", format, "--out", "found.json", "--verbose"];
    expect(await scene.run(...command)).toBe(0);
    expect(await scene.run("plan", "--observed", "found.json", "--format", format, "--verbose")).toBe(0);
  }
  expect(await scene.run("plan", "--observed", "found.json", "--out", "saved.plan.json")).toBe(0);
  expect(await scene.run("apply", "--observed", "found.json", "--yes", "--verbose")).toBeLessThan(2);
  expect(leaksOf(scene)).toEqual([]);
  expect(scene.written()).not.toContain(alone);
  expect(scene.written()).not.toContain(within);
  for (const file of ["found.json", "saved.plan.json", "agentform.lock"]) {
    expect(scene.workspace.read(file)).not.toContain(alone);
    expect(scene.workspace.read(file)).not.toContain(within);
  }
});
