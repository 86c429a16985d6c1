import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../src/emulator/emulator.js";
import type { EmulatedFault } from "../../src/emulator/fault.js";
import { apply } from "../../src/library/library.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { certificate, certificateKey } from "../service/certificate.js";
import { StateServer, type StateServerOptions } from "../store/state-server.js";
import { git } from "../uses/platform.js";
import { runIn } from "./desk.js";
import { wholeTest } from "../harness/tier.js";

const token = "glpat-canary-t0ken";

/** A workspace whose state is on a server, with a service, and what is needed to run commands in it. */
async function makeSite(
  options: StateServerOptions,
  lockOf: (server: StateServer) => object,
  faults: readonly EmulatedFault[] = [],
) {
  const [server, service] = [await StateServer.start(options), await startEmulator({ faults })];
  onTestFinished(async () => {
    await server.close();
    await service.close();
  });
  const at = { base_url: service.url, rai_base_url: service.url, api_key: "${env:AGENT_API_KEY}" };
  const spec = {
    service: at,
    lock: { store: "http", ...lockOf(server) },
    environments: { default: {}, live: {} },
  };
  const manifest = { apiVersion: "agentform/v1", kind: "Workspace", metadata: { name: "desk" }, spec };
  const { directory } = makeWorkspace({
    "agentform.yaml": JSON.stringify(manifest),
    "agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
  });
  const env = { CI_API_V4_URL: server.api, AGENT_API_KEY: "key" };
  const run = (args: string[], more: Record<string, string> = {}) =>
    runIn(directory, args, { ...env, ...more });
  return { server, service, directory, env, run };
}

const inGitlab = () => ({ gitlab: { project: "group/desk" } });
const states = "/api/v4/projects/group%2Fdesk/terraform/state";

test("a plan and an apply in GitLab use the token of the job, and each environment has its own state", async () => {
  const { server, service, run } = await makeSite(
    { form: "gitlab", credentials: `gitlab-ci-token:${token}` },
    inGitlab,
  );
  const job = { CI_JOB_TOKEN: token };
  expect(await run(["plan", "--detailed-exitcode"], job)).toMatchObject({ code: 2 });
  const applied = await run(["apply", "--yes"], job);
  expect(applied).toMatchObject({ code: 0 });
  expect(await run(["plan", "--detailed-exitcode"], job)).toMatchObject({ code: 0 });
  expect(await run(["plan", "--detailed-exitcode", "-e", "live"], job)).toMatchObject({ code: 2 });
  expect(await run(["apply", "--yes", "-e", "live"], job)).toMatchObject({ code: 0 });
  expect(server.state(`${states}/desk`)).toMatchObject({ environment: null });
  expect(server.state(`${states}/desk-live`)).toMatchObject({ environment: "live" });
  expect(service.requests).toHaveLength(2);
  const kept = [...server.versions(`${states}/desk`), ...server.versions(`${states}/desk-live`)];
  expect(kept.join("\n") + applied.out + applied.err).not.toContain(token);
});

test("a plan without credentials says what it needs, and is not made as if nothing was applied", async () => {
  const { service, run } = await makeSite({ form: "gitlab", credentials: `user:${token}` }, inGitlab);
  for (const args of [["plan"], ["apply", "--yes"], ["lock", "list"]]) {
    const { code, out, err } = await run(args);
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(err).toContain("could not be read: it needs a user name and password (HTTP 401)");
    expect(err).toContain("a pipeline of a fork has neither");
  }
  expect(service.requests).toEqual([]);
});

test("credentials come from --env-file too, and from the manifest", async () => {
  const credentials = `me:${token}`;
  const { run } = await makeSite({ credentials }, (server) => ({
    address: `${server.origin}/desk`,
    username: "me",
    password: "${env:STATE_TOKEN}",
  }));
  const missing = await run(["apply", "--yes"]);
  expect(missing).toMatchObject({ code: 1 });
  expect(missing.err).toContain("the environment variable `STATE_TOKEN` is not set");
  const elsewhere = makeWorkspace({ "state.env": `STATE_TOKEN=${token}\n` }).directory;
  expect(await run(["apply", "--yes", "--env-file", join(elsewhere, "state.env")])).toMatchObject({
    code: 0,
  });
});

test("a held state is told with its nonce, and unlocked by it", async () => {
  const { server, run } = await makeSite({ form: "gitlab" }, inGitlab);
  const path = `${states}/desk`;
  server.fault = ({ method, url }) =>
    method === "POST" && url.endsWith("/lock")
      ? { status: 409, body: '{"ID":"0123456789abcdef","Who":"robot","Created":"2026-01-02T03:04:05Z"}' }
      : undefined;
  const held = await run(["apply", "--yes"]);
  expect(held.code).toBe(4);
  expect(held.err).toContain("is held by robot since 2026-01-02T03:04:05Z");
  expect(held.err).toContain("agentform lock unlock 0123456789abcdef");
  server.fault = () => undefined;
  expect(await run(["lock", "unlock", "0123456789abcdef"])).toMatchObject({ code: 1 });
  expect(server.lockOf(path)).toBeUndefined();
  expect(await run(["apply", "--yes"])).toMatchObject({ code: 0 });
});

test("--lock-from is for locks in files", async () => {
  const { run } = await makeSite({}, (server) => ({ address: `${server.origin}/desk` }));
  const { code, err } = await run(["plan", "--lock-from", "HEAD"]);
  expect(code).toBe(64);
  expect(err).toContain("this workspace keeps its lock on a server");
});

test("--ca-file is for every command that reads the state over the network", async () => {
  const { run } = await makeSite(
    { form: "gitlab", tls: { cert: certificate, key: certificateKey } },
    inGitlab,
  );
  const file = join(makeWorkspace({ "ca.pem": certificate }).directory, "ca.pem");
  for (const args of [["plan"], ["output"], ["lock", "list"], ["lock", "status"]]) {
    const refused = await run(args);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("name the certificates to trust with `--ca-file`");
    expect(await run([...args, "--ca-file", file])).toMatchObject({ code: 0 });
    const missing = await run([...args, "--ca-file", "nowhere.pem"]);
    expect(missing).toMatchObject({ code: 64 });
    expect(missing.err).toContain("--ca-file nowhere.pem does not exist");
  }
});

wholeTest("a server that asks to wait is asked again after that time", async () => {
  const { server, run } = await makeSite({ form: "gitlab" }, inGitlab);
  const times: number[] = [];
  server.fault = ({ number }) => {
    times.push(performance.now());
    return number === 1 ? { status: 429, headers: { "retry-after": "2" } } : undefined;
  };
  expect(await run(["lock", "status"])).toMatchObject({ code: 0 });
  const [first = 0, second = 0] = times;
  expect(second - first).toBeGreaterThan(1900);
});

describe("a lock that could not be stored in the end", () => {
  const at = ({ origin }: StateServer) => ({ address: `${origin}/desk` });
  const refuseLock = ({ server, service }: Awaited<ReturnType<typeof makeSite>>) => {
    server.fault = ({ method }) =>
      method === "POST" && service.requests.length > 0 ? { status: 413 } : undefined;
  };

  test("does not hide that an outcome is unknown", async () => {
    const site = await makeSite({}, at, [{ path: "/v3/agents/", status: 502 }]);
    refuseLock(site);
    const { code, err } = await site.run(["apply", "--yes"]);
    expect(err).toContain("HTTP 413");
    expect(code).toBe(3);
  });

  test("is not told to a program as if nothing had run", async () => {
    const site = await makeSite({}, at);
    refuseLock(site);
    const { directory, env } = site;
    const ended = await apply({ directory, env, confirm: () => true });
    expect(ended).toMatchObject({ status: "incomplete", summary: { done: 1 } });
    expect(ended.diagnostics[0]?.message).toContain("HTTP 413");
  });

  test("nor as one of several", async () => {
    const site = await makeSite({}, at);
    refuseLock(site);
    git(site.directory, "init", "-q");
    git(site.directory, "add", "agentform.yaml");
    const { out } = await site.run(["apply", "--all", "--yes", "--format", "json"]);
    const last = JSON.parse(out.trimEnd().split("\n").at(-1) ?? "") as object;
    expect(last).toMatchObject({ done: 1, workspaces: [{ status: "incomplete" }] });
  });
});

test("a server that loses a state in the middle of its first apply costs nothing on the machine that applied", async () => {
  const { server, service, run } = await makeSite({}, ({ origin }) => ({ address: `${origin}/desk` }));
  server.fault = ({ method }) => {
    if (method === "POST" && service.requests.length > 0) {
      server.fault = () => undefined;
      server.forget();
    }
    return undefined;
  };
  expect((await run(["apply", "--yes"])).code).not.toBe(0);
  expect(server.state("/desk")).toBeNull();
  expect(service.requests).toHaveLength(1);
  const next = await run(["apply", "--yes"]);
  expect(next.code, next.err).toBe(0);
  expect(next.out + next.err).not.toContain("agent:support: created");
  expect(service.requests).toHaveLength(1);
  expect((await run(["lock", "list"])).out).toContain("agent:support");
});

test.each([404, 204])(
  "a state that an apply has planned with is not replaced where the next read answers %i",
  async (status) => {
    const { server, service, run } = await makeSite({ form: "gitlab" }, inGitlab);
    expect(await run(["apply", "--yes"])).toMatchObject({ code: 0 });
    const before = server.state(`${states}/desk`);
    let isLocked = false;
    server.fault = ({ method, url }) => {
      if (method === "GET") return isLocked ? { status } : undefined;
      isLocked ||= method === "POST" && url.endsWith("/lock");
      return undefined;
    };
    const refused = await run(["apply", "--yes", "--replace", "agent:support"]);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining("is gone, or older than a moment ago"),
    });
    expect(server.state(`${states}/desk`)).toEqual(before);
    server.fault = () => undefined;
    expect(await run(["apply", "--yes", "--replace", "agent:support"])).toMatchObject({ code: 0 });
    expect(service.requests.map(({ method }) => method)).toEqual(["POST", "POST"]);
  },
);

test("a state that a command reads only to change it is not replaced where the read after the lock answers 404", async () => {
  const command = ["lock", "resolve", "agent:support", "--not-created"];
  const lost = { method: "POST", path: "/v3/agents/", drop: "after" } as const;
  const { server, run } = await makeSite({ form: "gitlab" }, inGitlab, [lost]);
  expect(await run(["apply", "--yes"])).toMatchObject({ code: 3 });
  const before = server.state(`${states}/desk`);
  let isLocked = false;
  server.fault = ({ method, url }) => {
    if (method === "GET") return isLocked ? { status: 404 } : undefined;
    isLocked ||= method === "POST" && url.endsWith("/lock");
    return undefined;
  };
  const refused = await run(command);
  expect(refused.err).toContain("is gone, or older than a moment ago");
  expect(refused.code).toBe(1);
  expect(server.state(`${states}/desk`)).toEqual(before);
  server.fault = () => undefined;
  expect(await run(command)).toMatchObject({ code: 0 });
});

test("nothing is made once more of an old state that a server answers before and after the lock", async () => {
  const { server, service, directory, run } = await makeSite({ form: "gitlab" }, inGitlab);
  expect(await run(["apply", "--yes"])).toMatchObject({ code: 0 });
  let reads = 0;
  server.fault = ({ method }) => {
    if (method !== "GET") return undefined;
    reads += 1;
    // That of the plan, and after one behind the lock and one of what was written that with which the apply runs.
    return reads === 1 || reads === 4 ? { status: 204 } : undefined;
  };
  // As on a machine that has never seen the state, such as that of a job.
  rmSync(join(directory, ".agentform"), { recursive: true, force: true });
  const refused = await run(["apply", "--yes"]);
  expect(refused.err).toContain("was unlocked, or the server answered with an older state");
  expect(refused.code).toBe(4);
  expect(service.requests).toHaveLength(1);
  server.fault = () => undefined;
  expect(await run(["plan", "--detailed-exitcode"])).toMatchObject({ code: 0 });
  expect(server.state(`${states}/desk`)).toMatchObject({ holder: null, journal: null });
});
