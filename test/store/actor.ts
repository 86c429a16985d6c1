// A process of its own that does with a file store what it is told, and dies where it is told to.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { StoreFailedError, StoreHeldError } from "../../src/core/state/lock-store.js";
import { createFileStore } from "../../src/store/file/file-store.js";
import type { ActorSettings, Order } from "./company.js";

const settings = JSON.parse(process.argv[2] ?? "") as ActorSettings;
const store = createFileStore(settings.medium);

/** Open while this process is in; the system closes it with the process, however that dies. */
let witness: Server | undefined;

async function testify(): Promise<boolean> {
  const server = createServer();
  witness = server;
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(settings.witness, () => resolve(true));
  });
}

async function acquire(): Promise<string> {
  try {
    await store.acquire();
  } catch (thrown) {
    if (thrown instanceof StoreHeldError) return "held";
    throw thrown;
  }
  return (await testify()) ? "in" : "two are in";
}

async function release(): Promise<string> {
  const server = witness;
  witness = undefined;
  if (server?.listening) await new Promise((resolve) => server.close(resolve));
  await store.release();
  return "out";
}

async function contend(milliseconds: number): Promise<string> {
  for (const end = Date.now() + milliseconds; Date.now() < end;) {
    const outcome = await acquire();
    if (outcome === "two are in") return outcome;
    if (outcome === "in") {
      process.send?.("was in");
      await sleep(Math.random() * 4);
      await release();
    }
    await sleep(Math.random() * 2);
  }
  return "over";
}

async function save(lock: string): Promise<string> {
  const { version } = await store.read();
  store.append("begin\n");
  await store.flush();
  await store.replace(lock, version);
  return "saved";
}

async function obey(order: Order): Promise<string> {
  switch (order.do) {
    case "acquire":
      return acquire();
    case "release":
      return release();
    case "contend":
      return contend(order.milliseconds);
    case "save":
      return save(order.lock);
    case "append":
      store.append(order.line);
      await store.flush();
      return "flushed";
    case "dawdle":
      beforeChanges(dawdle);
      return "so be it";
    case "die at step":
      beforeChanges((step) => step === order.step && process.kill(process.pid, "SIGKILL"));
      return "so be it";
  }
}

/** Stands still for a moment now and then, so that others come in between any two steps. */
function dawdle(): void {
  if (Math.random() < 0.3) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 4);
}

/** Has something done before every change that this process makes to the file system, counted from 1. */
function beforeChanges(act: (step: number) => void): void {
  let step = 0;
  const changing = [
    "openSync",
    "writeSync",
    "fsyncSync",
    "linkSync",
    "unlinkSync",
    "rmSync",
    "renameSync",
  ] as const;
  for (const name of changing) {
    const change = fs[name] as (...values: unknown[]) => unknown;
    const wrapped = (...values: unknown[]): unknown => {
      act(++step);
      return change(...values);
    };
    Object.assign(fs, { [name]: wrapped });
  }
  syncBuiltinESMExports();
}

process.on("message", (order: Order) => {
  void obey(order).then(
    (outcome) => process.send?.(outcome),
    (thrown: unknown) =>
      process.send?.(thrown instanceof StoreFailedError ? thrown.message : `threw ${thrown}`),
  );
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
