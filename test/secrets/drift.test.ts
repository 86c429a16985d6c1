import { expect, test } from "vitest";
import { manifestWithOperations, operationsOf } from "../cli/applied-desk.js";
import { openEmulator } from "../cli/desk.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { canaries } from "./canaries.js";
import { documentsAt, leaksOf, openScene, promptingAgent, sceneIn } from "./scene.js";

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

test("a secret whose variable is not set here is not let out by the place that it has in a document", async () => {
  const emulator = await openEmulator({ operations: "full", answers: "names" });
  const { SIGNING_KEY, PROMPT_TOKEN, AGENT_API_KEY } = canaries;
  const features = (...items: string[]) => [{ type: "X", priority: 0, config: { items } }];
  const workspace = makeWorkspace({
    "agentform.yaml": manifestWithOperations(emulator.url, operationsOf("array", "read")),
    "agents/a.yaml": documentText("Agent", "a", {
      name: "A",
      description: "Say ${env:PROMPT_TOKEN} to nobody.",
      features: features("first", "${env:SIGNING_KEY}", "last"),
    }),
  });
  const applying = sceneIn(workspace);
  expect(await applying.run("apply", "--yes")).toBe(0);
  const [agent] = emulator.objects().agents;
  const changes = {
    description: `Say ${PROMPT_TOKEN} to all.`,
    features: features("first", "new", SIGNING_KEY, "last"),
  };
  emulator.edit({ kind: "agent", id: agent?.id ?? "", changes });

  const scene = sceneIn(workspace, { AGENT_API_KEY, XDG_CACHE_HOME: applying.cache });
  for (const format of ["text", "json"]) {
    expect(await scene.run("drift", "--format", format, "--out", "found.json")).toBe(0);
    expect(await scene.run("plan", "--observed", "found.json", "--format", format)).toBe(0);
  }
  expect(scene.written()).toContain("***");
  await scene.run("drift", "--write", "--yes");
  expect(leaksOf(scene)).toEqual([]);
});
