import { addTo, groupBy } from "../../json/groups.js";
import { oncePer } from "../../json/once.js";
import { hash } from "../../digest.js";
import type {
  AppliedSettings,
  Lock,
  LockEntry,
  LockService,
  RetiredObject,
  UnknownCreate,
} from "../../generated/lock.js";
import { validate } from "../../generated/validate-lock.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { canonical, isObject, isShallow, type Json, type JsonObject } from "../../json/json.js";
import { pointerKeys } from "../../json/json-pointer.js";
import { repeatsKey } from "../../json/json-text.js";
import { parseJson } from "../../json/parse-json.js";
import { explainMove, moveFormat, moveIn } from "./lock-move.js";
import { misshapenBody, stateDepth } from "./lock-shape.js";

export type { AppliedSettings, Lock, LockEntry, LockService, RetiredObject, UnknownCreate };

const format = "agentform/lock/v1";

/** The workspace and environment of a lock. */
export interface LockOwner {
  readonly workspace: string;
  readonly environment: string | null;
}

/** Gives the lock of an environment in which nothing was ever applied. */
export function emptyLock({ workspace, environment }: LockOwner, lineage: string): Lock {
  return {
    format,
    workspace,
    environment,
    lineage,
    serial: 0,
    writes: "",
    resources: {},
    retired: {},
    unknown: {},
  };
}

const keep = "restore the file from git; agentform has not changed it";

function explainConflict(place: { readonly file: string; readonly offset?: number }): Finding {
  const hint = "run `agentform lock merge` to merge both sides, then `git add` the lock and plan again";
  return error("lock-conflict", place, "the lock contains merge-conflict markers", hint);
}

/** Parses a lock's text; a lock that cannot be trusted as a whole gives only findings. */
export function parseLock(text: string, file: string, owner: LockOwner): Lock | Finding[] {
  const conflict = /^(<{7}|>{7}) /m.exec(text);
  if (conflict) return [explainConflict({ file, offset: conflict.index })];
  const { value, offset } = parseJson(text);
  if (value === undefined) {
    return [error("lock-damaged", { file, offset }, "the lock is not valid JSON", keep)];
  }
  if (!isShallow(value, stateDepth)) {
    const message = "the lock is nested too deeply";
    return [error("lock-damaged", { file }, message, keep)];
  }
  const move = moveIn(value);
  if (move) {
    const foreign = ownLock(move, file, owner);
    return Array.isArray(foreign) ? foreign : [explainMove(move, file)];
  }
  if (isObject(value) && value.format === moveFormat) {
    const message = say`the text in the place of the lock does not match the format ${{ format: moveFormat }}`;
    return [error("lock-damaged", { file }, message, keep)];
  }
  if (isObject(value) && typeof value.format === "string" && value.format !== format) {
    const message = say`the lock has the format \`${bare({ found: value.format })}\`, but this version reads ${{ format }}`;
    return [error("lock-format", { file, path: ["format"] }, message, "use a newer agentform")];
  }
  if (repeatsKey(text, value)) {
    return [error("lock-damaged", { file }, "the lock has a duplicate key", keep)];
  }
  if (!validate(value)) {
    return (validate.errors ?? []).slice(0, 5).map(({ instancePath, keyword }) => {
      const path = pointerKeys(instancePath);
      const where = path.length > 0 ? say`\`${bare({ field: path.join(".") })}\`` : "the lock";
      return error(
        "lock-damaged",
        { file, path },
        say`${where} does not match the lock's format (${keyword})`,
        keep,
      );
    });
  }
  const misshapen = misshapenBody(value);
  if (misshapen) {
    const message = say`\`${bare({ field: misshapen.join(".") })}\` does not match the lock's format: it must be an outline of its document`;
    return [error("lock-damaged", { file, path: misshapen }, message, keep)];
  }
  return ownLock(value, file, owner);
}

/** Gives a lock back if it belongs to the owner, and findings if not. */
export function ownLock<Owned extends LockOwner>(
  lock: Owned,
  file: string,
  owner: LockOwner,
): Owned | Finding[] {
  if (lock.workspace === owner.workspace && lock.environment === owner.environment) return lock;
  const of = ({ workspace, environment }: LockOwner) =>
    environment === null ? `\`${workspace}\`` : `\`${workspace}\` in \`${environment}\``;
  const message = say`the lock belongs to ${bare({ found: [lock.workspace, lock.environment] }, of(lock))}, but this is ${bare({ expected: [owner.workspace, owner.environment] }, of(owner))}`;
  const hint =
    "do not copy a lock: each environment has its own; if you renamed the workspace, restore `metadata.name`";
  return [error("lock-foreign", { file, path: ["workspace"] }, message, hint)];
}

/** Renders a lock: keys sorted, one member per line, a newline at the end. */
export function renderLock(lock: Lock): string {
  const members = Object.keys(lock)
    .toSorted()
    .map((key) => {
      const member = (lock as unknown as JsonObject)[key] as Json;
      const text = isObject(member) ? renderEntries(member) : JSON.stringify(member);
      return `  ${JSON.stringify(key)}: ${text}`;
    });
  return `{\n${members.join(",\n")}\n}\n`;
}

function renderEntries(entries: JsonObject): string {
  const rendered = Object.keys(entries)
    .toSorted()
    .map((key) => `    ${JSON.stringify(key)}: ${renderEntry(entries[key] as Json)}`);
  return rendered.length === 0 ? "{}" : `{\n${rendered.join(",\n")}\n  }`;
}

// Inside two objects whose text is removed again, so that the lines have the right indentation.
function renderEntry(entry: Json): string {
  const text = JSON.stringify({ "": { "": sorted(entry) } }, null, 2);
  return text.slice('{\n  "": {\n    "": '.length, -"\n  }\n}".length);
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key] as Json)]),
  );
}

/** Gives the digest of a body, for finding unchanged bodies without a comparison. */
export function bodyDigest(body: Json): string {
  return hash(canonical(body));
}

/**
 * Gives the digest of everything that a lock has at an address, null if it has nothing. If nothing is managed,
 * retired objects count: an object may have been created and retired since.
 */
export function entryDigest({ resources, unknown, retired }: Lock, address: string): string | null {
  const entry = resources[address];
  const pending = unknown[address];
  // A replacement of unknown outcome is listed beside the old entry, and counts as well.
  const managed = [entry, pending].filter((each) => each !== undefined);
  const all = managed.length > 0 ? managed : (retiredIds(retired).get(address) ?? []);
  return all.length > 0 ? hash(canonical(all as unknown as Json)) : null;
}

// A ledger grows for as long as the workspace exists, so it is sorted by address only once for a plan.
const retiredIds = oncePer((retired: Lock["retired"]) =>
  groupBy(Object.keys(retired).toSorted(), (id) => retired[id]?.address ?? ""),
);

/** Gives the resources that refer to each address in what was last applied. */
export function dependentsIn({ resources }: Lock): Map<string, string[]> {
  const dependents = new Map<string, string[]>();
  for (const [address, { references = {} }] of Object.entries(resources)) {
    for (const target of new Set(Object.keys(references).map((text) => text.split("/", 1)[0] ?? text))) {
      addTo(dependents, target, address);
    }
  }
  return dependents;
}
