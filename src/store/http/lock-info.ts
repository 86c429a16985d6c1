import type { Holder } from "../../core/state/lock-store.js";
import { isObject } from "../../json/json.js";
import { parseJson } from "../../json/parse-json.js";
import { version } from "../../version.js";
import { holderOf, parseRecord, unreadableHolder, type ProcessRecord } from "../local/process-record.js";

/** The body of a LOCK and an UNLOCK, with all the fields that Terraform sends; GitLab requires each of them. */
export interface LockInfo {
  readonly ID: string;
  readonly Operation: string;
  readonly Info: string;
  readonly Who: string;
  readonly Version: string;
  readonly Created: string;
  readonly Path: string;
}

/** The process that a server says has its lock. */
export interface LockedBy {
  /** The ID of its lock; undefined if the server did not say it in a usable form. */
  readonly id: string | undefined;
  readonly holder: Holder;
  /** Whether the holder is known by its own record, and not only by what the server says of it. */
  readonly isRecord: boolean;
}

/** Describes a process as the holder of a lock. */
export function lockInfoOf(record: ProcessRecord, path: string): LockInfo {
  const { nonce, pid, host, since: Created } = record;
  const Who = `process ${pid} on ${host}`;
  return { ...lockInfoFor(nonce, path), Operation: "agentform", Info: JSON.stringify(record), Who, Created };
}

/** The body of an UNLOCK for a lock of which only the ID is known. */
export function lockInfoFor(id: string, path: string): LockInfo {
  return {
    ID: id,
    Operation: "agentform lock unlock",
    Info: "",
    Who: "agentform",
    Version: version,
    Created: new Date().toISOString(),
    Path: path,
  };
}

const nobody = "a process that the server does not name";

/** Reads from an answer who has the lock; anything at all may be in it. */
export function lockedBy(text: string): LockedBy {
  const { value } = parseJson(text);
  const info = isObject(value) ? value : {};
  const id = typeof info.ID === "string" && /^[0-9A-Za-z-]{1,64}$/.test(info.ID) ? info.ID : undefined;
  if (id === undefined) return { id, holder: { ...unreadableHolder(text), who: nobody }, isRecord: false };
  const record = typeof info.Info === "string" ? info.Info : "";
  // GitLab answers with the ID of the holder, but with the Info of the process that asks.
  if (parseRecord(record)?.nonce === id) return { id, holder: holderOf(record), isRecord: true };
  const who = printable(info.Who) ?? "a process";
  const since = printable(info.Created) ?? "an unknown time";
  return { id, holder: { nonce: id, pid: 0, host: "unknown", since, who, life: "alive" }, isRecord: false };
}

function printable(value: unknown): string | undefined {
  return typeof value === "string" && /^[\w@.:+\- ]{1,100}$/.test(value) ? value : undefined;
}
