import { createServer, type AddressInfo } from "node:net";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../src/emulator/emulator.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { Lines } from "../store/git-records.js";
import { makePostgresMedium, usePostgres } from "../store/postgres-medium.js";
import { runIn } from "./desk.js";

usePostgres();

const canary = "canary-5up3r-s3cret";

/** A workspace whose state is in a database, with a service, and what is needed to run commands in it. */
async function makeSite(lock: object = {}) {
  const [medium, service] = [await makePostgresMedium(), await startEmulator()];
  onTestFinished(() => service.close());
  const at = { base_url: service.url, rai_base_url: service.url, api_key: "${env:AGENT_API_KEY}" };
  const spec = { service: at, lock: { ...medium.lock, ...lock }, environments: { default: {}, live: {} } };
  const manifest = { apiVersion: "agentform/v1", kind: "Workspace", metadata: { name: "desk" }, spec };
  const { directory } = makeWorkspace({
    "agentform.yaml": JSON.stringify(manifest),
    "agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
  });
  const run = (args: string[], more: Record<string, string> = {}) =>
    runIn(directory, args, { ...medium.env, AGENT_API_KEY: "key", ...more });
  return { medium, service, directory, run };
}

test("a plan and an apply keep each environment's state in the database, and no secret", async () => {
  const { medium, service, run } = await makeSite();
  expect(await run(["plan", "--detailed-exitcode"])).toMatchObject({ code: 2 });
  const applied = await run(["apply", "--yes"]);
  expect(applied).toMatchObject({ code: 0 });
  expect(await run(["plan", "--detailed-exitcode"])).toMatchObject({ code: 0 });
  expect(await run(["plan", "--detailed-exitcode", "-e", "live"])).toMatchObject({ code: 2 });
  expect(await run(["apply", "--yes", "-e", "live"])).toMatchObject({ code: 0 });
  const rows = await medium.run("select environment, lock from SCHEMA.locks order by environment");
  expect(rows.map(({ environment }) => environment)).toEqual(["", "live"]);
  expect(service.requests).toHaveLength(2);
  const kept = JSON.stringify(rows) + applied.out + applied.err;
  expect(kept).not.toContain(medium.server.password);
});

test("the address comes from the variable that `url` names, also from --env-file", async () => {
  const { medium, run } = await makeSite({ url: "${env:STATE_URL}" });
  const missing = await run(["apply", "--yes"]);
  expect(missing).toMatchObject({ code: 1 });
  expect(missing.err).toContain("the environment variable `STATE_URL` is not set");
  const { PGPORT = "" } = medium.env;
  const url = `postgres://postgres:${medium.server.password}@127.0.0.1:${PGPORT}/postgres`;
  const elsewhere = makeWorkspace({ "state.env": `STATE_URL=${url}\n` }).directory;
  const applied = await run(["apply", "--yes", "--env-file", join(elsewhere, "state.env")]);
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.out + applied.err).not.toContain(medium.server.password);
});

test("without a database nothing is planned as if nothing was applied, and nothing is sent", async () => {
  const { medium, service, run } = await makeSite();
  const { password } = medium.server;
  const ways: readonly [Record<string, string>, string][] = [
    [{ PGHOST: "" }, "PGHOST is not set"],
    [{}, "does not accept the user name and password (SQLSTATE 28P01)"],
    [{ PGDATABASE: "nowhere", PGPASSWORD: password }, "there is no such database"],
    [{ PGHOST: "db.example.com", PGSSLMODE: "prefer" }, "does not protect the password"],
  ];
  for (const [env, says] of ways) {
    for (const args of [["plan"], ["apply", "--yes"], ["lock", "list"]]) {
      const { code, out, err } = await run(args, { PGPASSWORD: canary, ...env });
      expect(code).toBe(1);
      expect(out).toBe("");
      expect(err).toContain(says);
      expect([canary, password].filter((secret) => err.includes(secret))).toEqual([]);
    }
  }
  expect(service.requests).toEqual([]);
});

test("a held state is told with its nonce, and unlocked by it", async () => {
  const { medium, directory, run } = await makeSite();
  expect(await run(["apply", "--yes"])).toMatchObject({ code: 0 });
  const holder = { nonce: "0123456789abcdef", pid: 12, host: "runner-7", since: "2026-01-02T03:04:05Z" };
  await medium.run(
    `update SCHEMA.states set nonce = '${holder.nonce}', holder = '${JSON.stringify(holder)}', seen = now()`,
  );
  const held = await run(["apply", "--yes"]);
  // Nothing to do needs no holder.
  expect(held.code).toBe(0);
  await medium.run("delete from SCHEMA.locks; update SCHEMA.states set digest = null");
  // What this machine wrote.
  rmSync(join(directory, ".agentform"), { recursive: true });
  const refused = await run(["apply", "--yes"]);
  expect(refused.code).toBe(4);
  expect(refused.err).toContain("is held by process 12 on runner-7 since 2026-01-02T03:04:05Z");
  expect(await run(["lock", "unlock", "0123456789abcdea"])).toMatchObject({ code: 1 });
  expect(await run(["lock", "unlock", holder.nonce])).toMatchObject({ code: 0 });
  expect(await run(["apply", "--yes"])).toMatchObject({ code: 0 });
});

test("lock status and lock history tell what the database has", async () => {
  const { medium, directory, run } = await makeSite();
  expect(await run(["apply", "--yes"])).toMatchObject({ code: 0 });
  const name = "Support of the desk";
  writeFileSync(join(directory, "agents/support.yaml"), documentText("Agent", "support", { name }));
  expect(await run(["apply", "--yes"])).toMatchObject({ code: 0 });
  const history = await run(["lock", "history"]);
  expect(history.code).toBe(0);
  expect(history.out.match(/postgres on /g)).toHaveLength(2);
  const first = await run(["lock", "show", "agent:support", "--at", "1"]);
  expect(first).toMatchObject({ code: 0 });
  expect(first.out).not.toContain(name);
  const holder = { nonce: "0123456789abcdef", pid: 12, host: "runner-7", since: "2026-01-02T03:04:05Z" };
  const seen = "2026-01-02T03:06:07.000Z";
  await medium.run(
    `update SCHEMA.states set nonce = '${holder.nonce}', holder = '${JSON.stringify(holder)}', seen = '${seen}'`,
  );
  const status = await run(["lock", "status"]);
  expect(status.code).toBe(4);
  expect(status.out).toContain("held by process 12 on runner-7");
  expect(status.out).toContain(`last sign of life ${seen}`);
});

test.each([
  ["the last row", "number = 3", "unknown"],
  ["all rows", "true", "No changes"],
])("a journal that lacks %s is damaged, and mended as such", async (_what, which, says) => {
  const { medium, service, run } = await makeSite();
  expect(await run(["apply", "--yes"])).toMatchObject({ code: 0 });
  const store = medium.open({}, medium.lock, "desk");
  await store.acquire();
  const { lineage } = JSON.parse((await store.read()).lock ?? "") as { lineage: string };
  const at = { base_url: service.url, rai_base_url: service.url };
  const lines = new Lines("desk");
  store.append(lines.header(1, { lineage, service: at }));
  store.append(lines.begin(1, "agent:lost"));
  store.append(lines.done(1, "id-lost"));
  await store.flush();
  await store.release();
  await medium.run(`delete from SCHEMA.journal where ${which}`);
  for (const args of [["plan"], ["apply", "--yes"]]) {
    const { code, err } = await run(args);
    expect(code).toBe(1);
    expect(err).toContain("error[journal-damaged]");
    expect(err).toContain("`agentform lock restore`");
  }
  const restored = await run(["lock", "restore"]);
  expect(restored.code, restored.err).toBe(0);
  const { out, err } = await run(["plan"]);
  expect(err).not.toContain("journal-damaged");
  expect(out).toContain(says);
  expect(service.requests).toHaveLength(1);
});

test("a lock that belongs to a different workspace is refused, whoever has put it there", async () => {
  const { medium, service, run } = await makeSite();
  expect(await run(["apply", "--yes"])).toMatchObject({ code: 0 });
  const sent = service.requests.length;
  await medium.run(`update SCHEMA.locks set lock = replace(lock, '"desk"', '"other"')`);
  await medium.run(
    "update SCHEMA.states set digest = (select encode(sha256(convert_to(lock, 'UTF8')), 'hex') from SCHEMA.locks)",
  );
  for (const args of [["plan"], ["apply", "--yes"]]) {
    const { code, err } = await run(args);
    expect(code).toBe(1);
    expect(err).toContain("other");
    expect(err).toContain("desk");
  }
  expect(service.requests).toHaveLength(sent);
});

test("a server that answers with secrets in its messages has none of them repeated", async () => {
  const { run } = await makeSite();
  const text = `SFATAL\0C28P01\0Mpassword ${canary} is wrong\0D${canary}\0\0`;
  const head = Buffer.alloc(5);
  head.write("E", "latin1");
  head.writeUInt32BE(text.length + 4, 1);
  const server = createServer((socket) => {
    socket
      .on("error", () => undefined)
      .once("data", () => socket.end(Buffer.concat([head, Buffer.from(text)])));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const PGPORT = String((server.address() as AddressInfo).port);
  for (const args of [["plan"], ["apply", "--yes"], ["plan", "--format", "json"], ["lock", "list"]]) {
    const { code, out, err } = await run(args, { PGPORT, PGPASSWORD: canary });
    expect(code).toBe(1);
    expect(out + err).toContain("SQLSTATE 28P01");
    expect(out + err).not.toContain(canary);
  }
});
