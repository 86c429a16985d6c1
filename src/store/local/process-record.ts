import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { codeOf } from "./failure.js";
import { contentDigest } from "../../digest.js";
import type { Holder } from "../../core/state/lock-store.js";
import { unlessFailing } from "../../disk/unless-failing.js";

/** The record of a process by which others can tell whether it is alive; null for what this system does not offer. */
export interface ProcessRecord extends Pick<Holder, "nonce" | "pid" | "host" | "since" | "seen"> {
  /** The identity of the installation: host names are not unique, and neither is this among machines of one image. */
  readonly machine: string | null;
  /** Changes with every start of the system. */
  readonly boot: string | null;
  /** The namespaces in which the pid and the start time are valid. */
  readonly namespaces: string;
  /** When the process started, in ticks since the boot. */
  readonly started: string | null;
}

type MachinePlace = Pick<ProcessRecord, "host" | "machine" | "boot" | "namespaces">;

let place: MachinePlace | undefined;

function thisPlace(): MachinePlace {
  place ??= {
    host:
      hostname()
        .replace(/[^\w.-]/g, "_")
        .slice(0, 255) || "unknown",
    machine: firstLine("/etc/machine-id"),
    boot: process.platform === "darwin" ? bootOfMac() : firstLine("/proc/sys/kernel/random/boot_id"),
    namespaces: ["pid", "time"]
      .map((kind) => unlessFailing(() => readlinkSync(`/proc/self/ns/${kind}`)) ?? `${kind}:none`)
      .join(" "),
  };
  return place;
}

/** Describes this process, with a new nonce of 16 hexadecimal digits. */
export function describeThisProcess(): ProcessRecord {
  return {
    nonce: randomBytes(8).toString("hex"),
    pid: process.pid,
    ...thisPlace(),
    started: statusOf(process.pid)?.started ?? null,
    since: new Date().toISOString(),
  };
}

// Messages show these, and somebody else may have written them.
// A nonce is a word of the command that a message proposes, and one that begins with `-` would be taken for an option.
const noncePattern = /^[0-9A-Za-z][0-9A-Za-z-]{0,63}$/;
const hostPattern = /^[\w.-]{1,255}$/;
const timePattern = /^\d{4}-\d\d-\d\dT[\d:.]{1,20}Z$/;

/** Parses a record as it was written by `JSON.stringify`; undefined for anything else. */
export function parseRecord(text: string): ProcessRecord | undefined {
  const fields = unlessFailing(() => JSON.parse(text) as unknown);
  if (typeof fields !== "object" || fields === null) return undefined;
  const { nonce, pid, host, since, ...rest } = fields as Partial<Record<keyof ProcessRecord, unknown>>;
  if (typeof nonce !== "string" || !noncePattern.test(nonce)) return undefined;
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (typeof host !== "string" || !hostPattern.test(host)) return undefined;
  if (typeof since !== "string" || !timePattern.test(since)) return undefined;
  const optional = (value: unknown): string | null => (typeof value === "string" ? value : null);
  const [machine, boot, started] = [optional(rest.machine), optional(rest.boot), optional(rest.started)];
  const namespaces = optional(rest.namespaces) ?? "";
  const seen = typeof rest.seen === "string" && timePattern.test(rest.seen) ? { seen: rest.seen } : {};
  return { nonce, pid, host, machine, boot, namespaces, started, since, ...seen };
}

/** Whether the process of a record is certainly gone; any doubt counts as alive. */
export function isCertainlyDead(record: ProcessRecord): boolean {
  const here = thisPlace();
  if (record.host !== here.host || record.machine !== here.machine) return false;
  // Machines of one image share name and identity, so only the boot tells that the pid is of this system.
  if (record.boot === null || record.boot !== here.boot) return false;
  if (record.namespaces !== here.namespaces) return false;
  if (!exists(record.pid)) return true;
  const status = statusOf(record.pid);
  if (status === undefined || record.started === null) return false;
  return status.started !== record.started || status.ended;
}

function bootOfMac(): string | null {
  const ask = () => execFileSync("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"], { encoding: "utf8" });
  return unlessFailing(ask)?.trim() || null;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return codeOf(thrown) !== "ESRCH";
  }
}

/** Reads /proc/PID/stat; undefined if this user may not see it. */
function statusOf(pid: number): { started: string; ended: boolean } | undefined {
  const line = firstLine(`/proc/${pid}/stat`);
  if (line === null) return undefined;
  // The second field is the command's name, which may contain spaces and parentheses.
  const [state, ...fields] = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const [threads, started] = [fields[16], fields[18]];
  if (threads === undefined || started === undefined) return undefined;
  // Killed but not reaped. While a further thread remains, it may still be inside a system call.
  return { started, ended: (state === "Z" || state === "X") && Number(threads) <= 1 };
}

function firstLine(file: string): string | null {
  return unlessFailing(() => readFileSync(file, "utf8").split("\n")[0]?.trim()) || null;
}

/** Reads who holds a store. */
export function holderOf(text: string): Holder;
export function holderOf(text: string | null): Holder | null;
export function holderOf(text: string | null): Holder | null {
  if (text === null) return null;
  const record = parseRecord(text);
  if (record !== undefined) {
    const { nonce, pid, host, since, seen } = record;
    const life = isCertainlyDead(record) ? "dead" : "alive";
    return { nonce, pid, host, since, ...(seen !== undefined && { seen }), life };
  }
  return unreadableHolder(text);
}

/** Makes the holder of an unreadable text: alive at any age, with a nonce by which a person can remove it. */
export function unreadableHolder(text: string): Holder {
  const nonce = `unreadable-${contentDigest(text).slice(0, 16)}`;
  return { nonce, pid: 0, host: "unknown", since: "an unknown time", life: "alive" };
}

/** Gives a holder's text with a sign of life at this moment; one that cannot be read stays as it is. */
export function renewed(text: string | null): string | null {
  const record = text === null ? undefined : parseRecord(text);
  return record ? `${JSON.stringify({ ...record, seen: new Date().toISOString() })}\n` : text;
}
