import { describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.js";
import { documentText } from "../harness/disk-workspace.js";
import { canaries } from "./canaries.js";
import { echoes, echoingService, type EchoingService } from "./echoing-service.js";
import { documentsAt, manifestAt, openScene, promptingAgent, type Scene } from "./scene.js";

async function applied(): Promise<{
  scene: Scene;
  service: EchoingService;
  said(...args: string[]): Promise<string>;
}> {
  const service = await echoingService(echoes);
  const scene = openScene({
    "agentform.yaml": manifestAt(service.url),
    ...documentsAt(1),
    ...promptingAgent,
  });
  expect(await scene.run("apply", "--yes")).toBe(0);
  const said = async (...args: string[]): Promise<string> => {
    const before = scene.written().length;
    await scene.run(...args);
    return scene.written().slice(before);
  };
  return { scene, service, said };
}

describe("a secret", () => {
  it("is filled in at any depth and inside longer texts, with and without a revision", async () => {
    const { service } = await applied();
    const bodies = service.heard.map(({ path, body }) => [path, JSON.parse(body)]);
    const { CREDENTIAL, SIGNING_KEY, HEADER_TOKEN, ENHANCER_KEY, PROMPT_TOKEN } = canaries;
    expect(Object.fromEntries(bodies.filter(([path]) => path.startsWith("/v3/tools")))).toMatchObject({
      "/v3/tools/credentials": {
        credentials: {
          api_key: CREDENTIAL,
          signing: { keys: [{ id: SIGNING_KEY, pair: `${SIGNING_KEY}:${CREDENTIAL}` }] },
        },
      },
      "/v3/tools/": {
        default_headers: { Authorization: `Bearer ${HEADER_TOKEN}` },
        provider_api_key: ENHANCER_KEY,
      },
    });
    expect(bodies.map(([, { system_prompt }]) => system_prompt)).toContain(
      `Say ${PROMPT_TOKEN} and \`\${NOT_A_SECRET}\`, then ${PROMPT_TOKEN}.`,
    );
  });

  it("that is only sent at a creation is shown where the object is created anew, also if its note is excused", async () => {
    const { scene, said } = await applied();
    const { "toolsets/desk.yaml": desk = "" } = documentsAt(1);
    const anew = JSON.parse(desk) as { spec: object; lifecycle?: object };
    anew.spec = { ...anew.spec, tool_set_name: "new", provider_api_key: "${env:AGENT_API_KEY}" };
    anew.lifecycle = { except: [{ rule: "secret-changed", reason: "known" }] };
    scene.workspace.write({ "toolsets/desk.yaml": JSON.stringify(anew) });
    const told = await said("plan");
    expect(told).not.toContain("[secret-changed]");
    expect(told).toContain("+ provider_api_key: ${env:AGENT_API_KEY}");
  });

  it("that was rotated changes its revision, which the plan says, and is sent again", async () => {
    const { scene, service, said } = await applied();
    expect(await said("plan")).toContain("No changes");
    scene.workspace.write(documentsAt(2));
    const plan = await said("plan");
    expect(plan).toContain("credentials.api_key: secret: revision 1 → 2");
    expect(plan).toContain("default_headers.Authorization: secret: revision 1 → 2");
    expect(plan).toContain("credential:provider gets a new ID");
    const sent = service.heard.length;
    expect(await scene.run("apply", "--yes")).toBe(0);
    const again = service.heard
      .slice(sent)
      .map(({ method, path }) => `${method} ${path.replace(/id-.*/, "ID")}`);
    expect(again.toSorted()).toEqual([
      "POST /v3/tools/credentials",
      "PUT /v3/agents/ID",
      "PUT /v3/tools/ID",
      "PUT /v3/tools/ID",
    ]);
    expect(scene.workspace.read("agentform.lock")).toContain("${env:CREDENTIAL@2}");
    expect(await said("plan")).toContain("No changes");
  });

  it("is sent again on request, without a change", async () => {
    const { scene, service, said } = await applied();
    expect(await said("plan", "--resend", "toolset:desk")).toContain(
      "because resent on request: default_headers",
    );
    const sent = service.heard.length;
    expect(await scene.run("apply", "--yes", "--resend", "toolset:desk")).toBe(0);
    const [first] = service.heard.slice(sent);
    expect(first?.method).toBe("PUT");
    expect(first?.body).toContain(JSON.stringify(`Bearer ${canaries.HEADER_TOKEN}`));
    expect(service.heard).toHaveLength(sent + 2);
  });
});

describe("secrets that are not set", () => {
  const run = async (scene: Scene, env: Record<string, string>) => {
    let out = "";
    let err = "";
    const code = await main(["apply", "--yes"], {
      env,
      cwd: scene.workspace.directory,
      isTerminal: false,
      canAsk: false,
      showsProgress: false,
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    return { code, err, out };
  };
  const missingIn = (err: string): string[] =>
    [...err.matchAll(/variable `(\w+)` is not set/g)].map(([, name = ""]) => name);

  it("are named all at once, with every place, before anything is sent or held", async () => {
    const service = await echoingService(echoes);
    const scene = openScene({
      "agentform.yaml": manifestAt(service.url),
      ...documentsAt(1),
      ...promptingAgent,
      "credentials/second.yaml": documentText("Credential", "second", {
        name: "Second",
        credentials: { a: ["${env:CREDENTIAL}"], b: "x${env:CREDENTIAL@7}" },
      }),
    });
    const { code, err } = await run(scene, { ENHANCER_KEY: "set", HEADER_TOKEN: "" });
    expect(code).toBe(1);
    expect(new Set(missingIn(err))).toEqual(
      new Set(["AGENT_API_KEY", "CREDENTIAL", "SIGNING_KEY", "HEADER_TOKEN", "PROMPT_TOKEN"]),
    );
    // Two places in one document, two in another.
    expect(missingIn(err).filter((name) => name === "CREDENTIAL")).toHaveLength(4);
    for (const place of [
      /agentform\.yaml:5:\d+/,
      /credentials\/provider\.yaml:1:\d+/,
      /credentials\/second\.yaml:1:\d+/,
    ]) {
      expect(err).toMatch(place);
    }
    expect(err).toContain("--env-file");
    expect(service.heard).toEqual([]);
    expect(() => scene.workspace.read("agentform.lock")).toThrow(/ENOENT/);
    expect(() => scene.workspace.read(".agentform/default.holder")).toThrow(/ENOENT/);
  });

  it("are as good as not set where their bytes are no text", async () => {
    const service = await echoingService(echoes);
    const scene = openScene({
      "agentform.yaml": manifestAt(service.url),
      ...documentsAt(1),
      ...promptingAgent,
    });
    // As Node gives a variable with a byte that is not UTF-8.
    const broken = "caf\ufffd-7Wq";
    const { code, err, out } = await run(scene, { ...canaries, SIGNING_KEY: broken });
    expect(code).toBe(1);
    expect(err).toContain("the environment variable `SIGNING_KEY` is not UTF-8");
    expect(err + out).not.toContain(broken);
    expect(service.heard).toEqual([]);
  });

  it("are asked for only by what is sent", async () => {
    const { scene, service } = await applied();
    scene.workspace.write({ "policies/more.yaml": documentText("Policy", "more", { name: "More" }) });
    const sent = service.heard.length;
    expect(await run(scene, { AGENT_API_KEY: canaries.AGENT_API_KEY })).toMatchObject({ code: 0 });
    expect(service.heard.slice(sent).map(({ path }) => path)).toEqual(["/v1/rai/policies"]);
  });
});
