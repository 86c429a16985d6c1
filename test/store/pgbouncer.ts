import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { freePort } from "../harness/free-port.mjs";
import { needProgram } from "../harness/need.js";
import type { PostgresServer } from "../harness/postgres-server.mjs";

/** Starts PgBouncer in front of a server: a session for each transaction, of which there are fewer than clients. */
export async function startPgbouncer(server: PostgresServer): Promise<{ readonly port: number }> {
  needProgram("pgbouncer");
  const folder = mkdtempSync(join(tmpdir(), "agentform-pgbouncer-"));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const users = join(folder, "users.txt");
  const settings = join(folder, "pgbouncer.ini");
  writeFileSync(users, `"postgres" "${server.password}"\n`);
  writeFileSync(
    settings,
    `[databases]
postgres = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 2
max_client_conn = 300
`,
  );
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn("pgbouncer", ["-q", ...user, settings], { stdio: "ignore" });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
    await sleep(20);
  }
  return { port };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
