import { inspect } from "node:util";
import { setTimeout } from "node:timers/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ApplyEvent } from "../../src/core/apply.js";
import { startEmulator } from "../../src/emulator/emulator.js";
import type { Fault } from "../../src/emulator/fault.js";
import type { ApplyRequest } from "../../src/request.js";
import { environmentSecrets } from "../../src/service/secret.js";
import { targetOf } from "../../src/service/target.js";
import { apply } from "../../src/sync.js";
import { git, makeGitMedium } from "../store/git-medium.js";
import { canaries, findCanaries, formsOf, type Variable } from "./canaries.js";
import * as manners from "./echoing-service.js";
import { echoingService, type EchoingService, type Manner } from "./echoing-service.js";
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

const { echoes, fails, rejects } = manners;

const behaviours: [what: string, manner: Manner][] = [
  ["echoes everything", echoes],
  ["makes its IDs of secrets", manners.identifies],
  ["has secrets for names", manners.names],
  ["answers 400", fails(400)],
  ["answers 401", fails(401)],
  ["answers 422 with details", rejects],
  ["answers 500", fails(500)],
  ["redirects", manners.redirects],
  ["answers no JSON", manners.babbles],
  ["breaks off", manners.breaks],
  ["answers no HTTP", manners.garbles],
  ["drops the connection", manners.drops],
];

interface EchoScene extends Scene {
  readonly service: EchoingService;
}

async function echoScene(manner: Manner, more = ""): Promise<EchoScene> {
  const service = await echoingService(manner);
  const scene = openScene({
    "agentform.yaml": manifestAt(service.url, more),
    ...documentsAt(1),
    ...promptingAgent,
  });
  return { ...scene, service };
}

async function mend(scene: Scene): Promise<void> {
  await scene.run("lock", "resolve", "agent:support", "--not-created", "--verbose");
  await scene.run("lock", "resolve", "credential:provider", "--adopt", "id-of-credential", "--verbose");
  await scene.run("lock", "adopt", "policy:strict", "id-of-policy", "--verbose");
}

function heardCanaries({ service }: EchoScene): Set<string> {
  const texts = service.heard.flatMap(({ headers, body }) => [String(headers["x-api-key"]), body]);
  return new Set(findCanaries(texts.join("\n")).map((found) => found.split(" ")[0] ?? ""));
}

describe("no secret is let out", () => {
  it.each(behaviours)("when the service %s to creates", async (_what, manner) => {
    const scene = await echoScene(manner);
    await scene.look();
    await scene.run("apply", "--yes", "--verbose");
    await scene.look();
    await mend(scene);
    await scene.run("apply", "--yes", "--format", "json", "--verbose");
    await scene.look();
    expect(heardCanaries(scene)).toContain("AGENT_API_KEY");
    expect(heardCanaries(scene).size).toBeGreaterThan(1);
    expect(leaksOf(scene)).toEqual([]);
  });

  it.each(behaviours.filter(([what]) => !/500|drops|HTTP|breaks/.test(what)))(
    "when the service %s to a rotation",
    async (_what, manner) => {
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
    },
  );

  it("while requests are under way, and when a run is cut off then", async () => {
    const scene = await echoScene(() => {});
    const applying = scene.run("apply", "--yes");
    while (scene.service.heard.length < 3) await setTimeout(5);
    expect(scene.workspace.read("agentform.lock.journal")).toContain("${env:CREDENTIAL@1}");
    await scene.look();
    expect(leaksOf(scene)).toEqual([]);
    scene.service.behave(manners.drops);
    scene.service.end();
    expect(await applying).toBe(3);
    expect(leaksOf(scene)).toEqual([]);
  });

  it("with the state in git", async () => {
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
    const { cpSync } = await import("node:fs");
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

  const faults: Fault[] = [
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
  it.each(faults)("by the emulator, under %o", async (fault) => {
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

describe("what apply() gives its caller", () => {
  const printed = (value: unknown): string => {
    const stack = value instanceof Error ? `${value.message} ${String(value.stack)} ${String(value)}` : "";
    return (
      stack +
      inspect(value, { depth: 30, showHidden: true, maxStringLength: null }) +
      (JSON.stringify(value) ?? "")
    );
  };
  const requestFor = (scene: Scene, more: Partial<ApplyRequest>): ApplyRequest => ({
    directory: scene.workspace.directory,
    userAgent: "agentform/0.0.0",
    confirm: async () => true,
    target: (settings) => targetOf(settings, environmentSecrets(canaries)),
    ...more,
  });

  it.each(behaviours)("has no secret when the service %s", async (_what, manner) => {
    const scene = await echoScene(manner);
    const events: ApplyEvent[] = [];
    const result = await apply(requestFor(scene, { onEvent: (event) => events.push(event) }));
    expect(events.length).toBeGreaterThan(0);
    expect(findCanaries(printed(result) + printed(events))).toEqual([]);
  });

  it("has none when it is rejected in the middle", async () => {
    const scene = await echoScene(rejects);
    const failing = apply(
      requestFor(scene, {
        onEvent: (event) => {
          throw new Error(`a caller's own failure at ${event.type}`);
        },
      }),
    );
    const error: unknown = await failing.catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(Error);
    expect(findCanaries(printed(error))).toEqual([]);
    expect(leaksOf(scene)).toEqual([]);
  });

  it.each(["line\nend", "wide é"])("has none when the API key cannot be sent: %j", async (flaw) => {
    const scene = await echoScene(echoes);
    const env = { ...canaries, AGENT_API_KEY: `${canaries.AGENT_API_KEY}${flaw}` };
    const result = await apply(
      requestFor(scene, { target: (settings) => targetOf(settings, environmentSecrets(env)) }),
    );
    expect(result.diagnostics).toMatchObject([{ code: "api-key-invalid" }]);
    expect(findCanaries(printed(result))).toEqual([]);
  });
});

describe("the search for secrets", () => {
  it("finds every one of them in what the service was sent", async () => {
    const scene = await echoScene(echoes);
    expect(await scene.run("apply", "--yes")).toBe(0);
    expect([...heardCanaries(scene)].toSorted()).toEqual(Object.keys(canaries).toSorted());
    expect(scene.service.heard.find(({ path }) => path === "/v3/tools/")?.body).toContain(
      JSON.stringify(`Bearer ${canaries.HEADER_TOKEN}`),
    );
  });

  it.each(Object.keys(canaries) as Variable[])(
    "finds %s in every form, and inside longer texts",
    (variable) => {
      for (const [name, form] of formsOf(canaries[variable])) {
        expect(findCanaries(`before ${form} after`), name).toContain(`${variable} ${name}`);
      }
      for (const before of ["", "a", "ab", "abc"]) {
        const text = Buffer.from(`${before}${canaries[variable]}more`).toString("base64");
        expect(findCanaries(text).join()).toContain(`${variable} base64 core`);
      }
    },
  );

  it("finds what is in a file, and what only git still has", () => {
    const medium = makeGitMedium();
    const folder = medium.clone("runner");
    const scene = sceneIn({ ...openScene({}).workspace, directory: folder });
    expect(leaksOf(scene)).toEqual([]);
    git(folder, "tag", "-m", canaries.SIGNING_KEY, "leak");
    git(folder, "gc", "-q");
    expect(leaksOf(scene)).toContain("files: SIGNING_KEY raw");
  });
});
