import { cpSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sample, wholeTest } from "../harness/tier.js";
import { startEmulator } from "../../src/emulator/emulator.js";
import type { EmulatedFault } from "../../src/emulator/fault.js";
import { git, makeGitMedium } from "../store/git-medium.js";
import { canaries, findCanaries } from "./canaries.js";
import { behaviours, echoScene, heardCanaries } from "./echo-scene.js";
import { drops, echoes, echoingService, rejects } from "./echoing-service.js";
import {
  documentsAt,
  everythingIn,
  leaksOf,
  manifestAt,
  openScene,
  promptingAgent,
  sceneIn,
  type Scene,
} from "./scene.js";

async function repair(scene: Scene): Promise<void> {
  await scene.run("lock", "resolve", "agent:support", "--not-created", "--verbose");
  await scene.run("lock", "resolve", "credential:provider", "--adopt", "id-of-credential", "--verbose");
  await scene.run("lock", "resolve", "policy:strict", "--adopt", "id-of-policy", "--verbose");
}

describe("no secret is let out", () => {
  it.each(sample("behaviours", behaviours, 2))("when the service %s to creates", async (_what, manner) => {
    const scene = await echoScene(manner);
    await scene.look();
    await scene.run("apply", "--yes", "--verbose");
    await scene.look();
    await repair(scene);
    await scene.run("apply", "--yes", "--format", "json", "--verbose");
    await scene.look();
    expect(heardCanaries(scene)).toContain("AGENT_API_KEY");
    expect(heardCanaries(scene).size).toBeGreaterThan(1);
    expect(leaksOf(scene)).toEqual([]);
  });

  it.each(
    sample(
      "behaviours after creates",
      behaviours.filter(([what]) => !/500|drops|HTTP|breaks/.test(what)),
      1,
    ),
  )("when the service %s to a rotation", async (_what, manner) => {
    const scene = await echoScene(echoes);
    expect(await scene.run("apply", "--yes")).toBe(0);
    scene.service.behave(manner);
    scene.workspace.write(documentsAt(2));
    await scene.look();
    await scene.run("apply", "saved.plan.json", "--yes", "--format", "json");
    await scene.look();
    await scene.run("apply", "--yes", "--resend", "all");
    expect(scene.service.heard.some(({ method }) => method === "PUT")).toBe(true);
    expect(leaksOf(scene)).toEqual([]);
  });

  it("while requests are under way, and when a run is cut off then", async () => {
    const scene = await echoScene(() => {});
    const applying = scene.run("apply", "--yes");
    while (scene.service.heard.length < 3) await setTimeout(5);
    expect(scene.workspace.read("agentform.lock.journal")).toContain("${env:CREDENTIAL@1}");
    await scene.look();
    expect(leaksOf(scene)).toEqual([]);
    scene.service.behave(drops);
    scene.service.end();
    expect(await applying).toBe(3);
    expect(leaksOf(scene)).toEqual([]);
  });

  wholeTest("with the state in git", async () => {
    const service = await echoingService(echoes);
    const medium = makeGitMedium();
    const folder = medium.clone("runner");
    const scene = sceneIn({ ...openScene({}).workspace, directory: folder });
    const source = openScene({
      "agentform.yaml": manifestAt(service.url, "  lock: {store: git}\n"),
      ...documentsAt(1),
      ...promptingAgent,
    });
    git(folder, "pull", "-q", "origin", "main");
    cpSync(source.workspace.directory, folder, { recursive: true });
    expect(await scene.run("apply", "--yes")).toBe(0);
    service.behave(rejects);
    cpSync(openScene(documentsAt(2)).workspace.directory, folder, {
      recursive: true,
      filter: (path) => !path.endsWith("agentform.yaml"),
    });
    expect(await scene.run("apply", "--yes", "--format", "json")).toBe(1);
    await scene.look();
    expect(everythingIn(medium.folder)).toContain("${env:CREDENTIAL@1}");
    expect(findCanaries(everythingIn(medium.folder))).toEqual([]);
    expect(leaksOf(scene)).toEqual([]);
  });

  const faults: EmulatedFault[] = [
    { status: 400, body: { detail: "no" } },
    { status: 429, headers: { "retry-after": "0" } },
    { status: 502 },
    { drop: "before" },
    { drop: "after" },
    { half: true },
    { redirect: "https://elsewhere.test/" },
    { garbage: true },
    { delay: 1 },
  ];
  it.each(sample("faults", faults, 1))("by the emulator, under %o", async (fault) => {
    const log: string[] = [];
    const scene = openScene({});
    const data = join(scene.workspace.directory, "data");
    const settings = { data, faults: [{ ...fault, path: "*", skip: 1, count: 2 }] };
    const emulator = await startEmulator({ ...settings, log: (line) => log.push(line) });
    try {
      scene.workspace.write({ "agentform.yaml": manifestAt(emulator.url), ...documentsAt(1) });
      await scene.run("apply", "--yes", "--concurrency", "1");
      scene.workspace.write(documentsAt(2));
      await scene.run("apply", "--yes", "--format", "json", "--concurrency", "1");
      await scene.look();
    } finally {
      await emulator.close();
    }
    expect(emulator.requests.length).toBeGreaterThan(3);
    expect(findCanaries(log.join("\n"))).toEqual([]);
    expect(leaksOf(scene)).toEqual([]);
  });

  it("by the emulator in the process", async () => {
    const scene = openScene({ "agentform.yaml": manifestAt("https://agents.test"), ...documentsAt(1) });
    expect(await scene.run("apply", "--emulator", "--yes", "--verbose")).toBe(0);
    expect(everythingIn(scene.workspace.directory)).toContain("Provider");
    expect(leaksOf(scene)).toEqual([]);
  });
});

describe("commands that only look", () => {
  const watched = (read: Set<string>): NodeJS.ProcessEnv => {
    const note = (name: string | symbol): void => void read.add(String(name));
    return new Proxy<NodeJS.ProcessEnv>(canaries, {
      get: (target, name) => (note(name), Reflect.get(target, name)),
      has: (target, name) => (note(name), Reflect.has(target, name)),
      ownKeys: (target) => (Object.keys(target).forEach(note), Reflect.ownKeys(target)),
      getOwnPropertyDescriptor: (target, name) => {
        note(name);
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
  };
  const secretsOf = (read: Set<string>): string[] => Object.keys(canaries).filter((name) => read.has(name));

  it("read no secret and send nothing, and an apply reads all that it needs", async () => {
    const { service, workspace } = await echoScene(echoes);
    const read = new Set<string>();
    const scene = sceneIn(workspace, watched(read));
    await scene.look();
    expect(secretsOf(read)).toEqual([]);
    expect(await scene.run("apply", "--yes")).toBe(0);
    expect(secretsOf(read)).toEqual(Object.keys(canaries));
    const sent = service.heard.length;
    read.clear();
    workspace.write(documentsAt(2));
    await scene.look();
    expect(secretsOf(read)).toEqual([]);
    expect(service.heard).toHaveLength(sent);
  });
});
