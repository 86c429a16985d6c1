// A process of its own that works on a pack as it is told to, and dies where it is told to.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { openPack, type Pack } from "../../../src/workspace/cache/pack.js";
import { expectedOf, keysOf, missing, type Order } from "./pack-order.js";

const order = JSON.parse(process.argv[2] ?? "") as Order;

function open(): Pack {
  return openPack(order.folder, "workspace", "1");
}

/** Keeps every other key anew, and what is not there yet; the others are copied. */
function write(round: number): void {
  const pack = open();
  for (const [index, key] of keysOf(order.count).entries()) {
    const isOld = index % 2 === round % 2 && pack.get(key) !== undefined;
    const { head, texts } = expectedOf(key, `${process.pid} ${round}`);
    if (!isOld) pack.keep(key, head, texts);
  }
  pack.save();
  pack.close();
}

/** Writes once, and then over and over until the time is over or somebody kills it. */
function churn(milliseconds: number): void {
  process.stdout.write("begun\n");
  const end = Date.now() + milliseconds;
  let round = 0;
  do write(round++);
  while (Date.now() < end);
}

/** Reads over and over, and until it has found something some times; a pack that is there must have everything. */
function watch(milliseconds: number): void {
  let found = 0;
  for (const end = Date.now() + milliseconds; Date.now() < end || found <= 5;) {
    const pack = open();
    const lacking = missing(pack, order.count);
    pack.close();
    if (lacking === order.count) continue;
    if (lacking > 0) throw new Error(`${lacking} keys are missing`);
    found++;
  }
  process.stdout.write(`${found}\n`);
}

/** Has the process killed before it makes its change number `step` to the file system, counted from 1. */
function dieAt(step: number): void {
  let made = 0;
  const changing = ["mkdirSync", "openSync", "writeSync", "renameSync", "closeSync", "rmSync"] as const;
  for (const name of changing) {
    const change = fs[name] as (...values: unknown[]) => unknown;
    const wrapped = (...values: unknown[]): unknown => {
      if (++made === step) process.kill(process.pid, "SIGKILL");
      return change(...values);
    };
    Object.assign(fs, { [name]: wrapped });
  }
  syncBuiltinESMExports();
}

switch (order.do) {
  case "churn":
    churn(order.milliseconds);
    break;
  case "watch":
    watch(order.milliseconds);
    break;
  case "die at step":
    dieAt(order.step);
    write(0);
    break;
}
