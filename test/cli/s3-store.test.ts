import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../src/emulator/emulator.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { formsOf } from "../secrets/canaries.js";
import { accessKey, S3Server, type S3ServerOptions } from "../store/s3-server.js";
import { runIn } from "./desk.js";
import { wholeTest } from "../harness/tier.js";

const key = { ...accessKey, secret: "s3cr3t/Zk7canarySECR9x+x", token: "s3ss10n/Zk7canaryTOKN9x+==" };
const credentials = {
  AWS_ACCESS_KEY_ID: key.id,
  AWS_SECRET_ACCESS_KEY: key.secret,
  AWS_SESSION_TOKEN: key.token,
};

/** A workspace whose state is in a bucket, with a service, and what is needed to run commands in it. */
async function makeSite(options: S3ServerOptions = {}, more: object = {}) {
  const [server, service] = [await S3Server.start({ keys: [key], ...options }), await startEmulator()];
  onTestFinished(async () => {
    await server.close();
    await service.close();
  });
  const at = { base_url: service.url, rai_base_url: service.url, api_key: "${env:AGENT_API_KEY}" };
  const place = { bucket: "test-bucket", key: "desk/state.json", endpoint: server.origin, ...more };
  const spec = { service: at, lock: { store: "s3", ...place }, environments: { default: {}, live: {} } };
  const manifest = { apiVersion: "agentform/v1", kind: "Workspace", metadata: { name: "desk" }, spec };
  const { directory } = makeWorkspace({
    "agentform.yaml": JSON.stringify(manifest),
    "agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
  });
  const run = (args: string[], env: Record<string, string> = credentials) =>
    runIn(directory, args, { AGENT_API_KEY: "key", AWS_ENDPOINT_URL_S3: server.origin, ...env });
  return { server, service, directory, run };
}

test("each environment has its own object, and no secret is in any output or object", async () => {
  const { server, service, run } = await makeSite({ versions: "kept" });
  const outputs = [
    await run(["plan", "--detailed-exitcode"]),
    await run(["apply", "--yes"]),
    await run(["plan", "--detailed-exitcode"]),
    await run(["apply", "--yes", "-e", "live"]),
    await run(["lock", "list", "--format", "json"]),
    await run(["apply", "--yes"], { ...credentials, AWS_SECRET_ACCESS_KEY: `${key.secret}x` }),
  ];
  expect(outputs.map(({ code }) => code)).toEqual([2, 0, 0, 0, 0, 1]);
  expect(server.keys().filter((name) => !name.endsWith(".probe"))).toEqual([
    "desk/state.json",
    "desk/state.json-live",
  ]);
  expect(server.state("desk/state.json-live")).toMatchObject({ environment: "live", holder: null });
  expect(service.requests).toHaveLength(2);
  const written = server.keys().flatMap((name) => server.written(name));
  const all = [...outputs.flatMap(({ out, err }) => [out, err]), ...written].join("\n");
  for (const [form, value] of [key.secret, key.token].flatMap(formsOf)) {
    expect(all.includes(value), form).toBe(false);
  }
});

test("a server that ignores a condition is refused by name, and nothing is sent to the service", async () => {
  const { service, run } = await makeSite({ ignores: ["if-match"] });
  const { code, err } = await run(["apply", "--yes"]);
  expect(code).toBe(1);
  expect(err).toContain("error[lock-medium]");
  expect(err).toContain("the server ignores `If-Match`");
  expect(service.requests).toEqual([]);
});

test("a state of another workspace is refused, and nothing is sent to the service", async () => {
  const { server, service, run } = await makeSite();
  server.put("desk/state.json", JSON.stringify({ format: "agentform/s3-state/v1", workspace: "other" }));
  for (const args of [["plan"], ["apply", "--yes"], ["lock", "list"]]) {
    const { code, err } = await run(args);
    expect(code).toBe(1);
    expect(err).toContain("has the state of a different workspace or environment");
    expect(err).toContain("a key of its own");
  }
  expect(service.requests).toEqual([]);
});

test.each([
  [
    "state of another environment",
    (server: S3Server) => server.copy("desk/state.json-live", "desk/state.json"),
  ],
  [
    "page",
    (server: S3Server) => server.put("desk/state.json", "<html>", { "x-amz-meta-agentform-serial": "9" }),
  ],
])(
  "a %s that was put in its place by mistake is in nobody's way once it is put right",
  async (_what, put) => {
    const { server, directory, run } = await makeSite({ versions: "kept" });
    expect(await run(["apply", "--yes"])).toMatchObject({ code: 0 });
    for (const temperature of [0.1, 0.2, 0.3]) {
      const text = documentText("Agent", "support", { name: "Support", temperature });
      writeFileSync(join(directory, "agents/support.yaml"), text);
      expect(await run(["apply", "--yes", "-e", "live"])).toMatchObject({ code: 0 });
    }
    const own = server.versionOf("desk/state.json");
    put(server);
    expect(await run(["plan"])).toMatchObject({ code: 1 });
    server.copy("desk/state.json", "desk/state.json", own);
    expect(await run(["plan"])).toMatchObject({ code: 0 });
    expect(await run(["lock", "restore"])).toMatchObject({ code: 0 });
    expect(await run(["apply", "--yes"])).toMatchObject({ code: 0 });
  },
);

test("a held state is told with its nonce, and unlocked by it", async () => {
  const { server, run } = await makeSite();
  expect(await run(["apply", "--yes"])).toMatchObject({ code: 0 });
  const state = server.state("desk/state.json");
  const holder = {
    nonce: "0123456789abcdef",
    pid: 7,
    host: "runner-7",
    machine: "m",
    boot: "b",
    namespaces: "",
    started: "1",
    since: "2026-01-02T03:04:05Z",
  };
  server.put("desk/state.json", JSON.stringify({ ...state, holder: JSON.stringify(holder) }));
  const held = await run(["apply", "--yes", "--resend", "agent:support"]);
  expect(held.code).toBe(4);
  expect(held.err).toContain("s3://test-bucket/desk/state.json is held by process 7 on runner-7");
  expect(held.err).toContain("agentform lock unlock 0123456789abcdef");
  const refused = await run(["lock", "unlock", "f".repeat(16)]);
  expect(refused.code).toBe(1);
  expect(await run(["lock", "unlock", holder.nonce])).toMatchObject({ code: 0 });
  expect(server.state("desk/state.json")).toMatchObject({ holder: null });
});

wholeTest("a state moves into a bucket and out of it, and its versions are listed", async () => {
  const { server, service, directory, run } = await makeSite({ versions: "kept" });
  const lock = { store: "s3", bucket: "test-bucket", key: "desk/state.json", endpoint: server.origin };
  const manifestFile = join(directory, "agentform.yaml");
  const manifest = JSON.parse(readFileSync(manifestFile, "utf8")) as { spec: { lock?: object } };
  const write = (to: object | undefined): void => {
    const { lock: _, ...spec } = manifest.spec;
    writeFileSync(manifestFile, JSON.stringify({ ...manifest, spec: { ...spec, ...(to && { lock: to }) } }));
  };
  write(undefined);
  expect(await run(["apply", "--yes"])).toMatchObject({ code: 0 });
  expect(await run(["lock", "move", "--to", JSON.stringify(lock)])).toMatchObject({ code: 0 });
  write(lock);
  expect(await run(["plan", "--detailed-exitcode"])).toMatchObject({ code: 0 });
  expect(await run(["apply", "--yes", "--resend", "agent:support"])).toMatchObject({ code: 0 });
  const status = await run(["lock", "status"]);
  expect(status.out).toContain("s3://test-bucket/desk/state.json");
  const history = await run(["lock", "history", "--format", "json"]);
  expect(history).toMatchObject({ code: 0 });
  expect(history.out.match(/"serial"/g)?.length).toBeGreaterThan(1);
  expect(await run(["lock", "move", "--to", "file"])).toMatchObject({ code: 0 });
  expect((await run(["plan"])).code).toBe(4);
  write(undefined);
  expect(await run(["plan", "--detailed-exitcode"])).toMatchObject({ code: 0 });
  expect(service.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
});

test("a bucket that is set back in the middle of an apply costs nothing on the machine that applied", async () => {
  const { server, service, directory, run } = await makeSite();
  const triage = join(directory, "agents/triage.yaml");
  await run(["apply", "--yes"]);
  writeFileSync(triage, documentText("Agent", "triage", { name: "Triage" }));
  const before = server.text("desk/state.json") ?? "";
  const putBack = (): boolean => service.requests.length > 1;
  server.fault = ({ method }) => {
    if (method === "PUT" && putBack()) {
      server.fault = () => undefined;
      server.put("desk/state.json", before);
    }
    return undefined;
  };
  const lost = await run(["apply", "--yes"]);
  expect(lost).toMatchObject({ code: 4, err: expect.stringContaining("was unlocked, or changed elsewhere") });
  const next = await run(["apply", "--yes"]);
  expect(next.out + next.err).not.toContain("agent:triage: created");
  expect(service.requests).toHaveLength(2);
  expect((await run(["lock", "list"])).out).toContain("agent:triage");
});
