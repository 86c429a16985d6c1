import { stateOptions } from "./state-choice.js";
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
import { refused, type Checked, type Refusal } from "../finding/checked.js";
import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { canonical, countKeys, isObject, objectOf, type Json, type JsonObject } from "../../json/json.js";
import { repeatsKey } from "../../json/json-text.js";
import { parseJson } from "../../json/parse-json.js";
import { explainMove, moveFormat, moveIn } from "./lock-move.js";
import { refusedPath, unknownKind } from "../kind/unknown-kind.js";
import { misshapenBody, misshapenId, stateDepth } from "./lock-shape.js";

export type { AppliedSettings, Lock, LockEntry, LockService, RetiredObject, UnknownCreate };

/** The format of locks. */
export const lockFormat = "agentform/lock/v1";

/** The workspace and environment of a lock. */
export interface LockOwner {
  readonly workspace: string;
  readonly environment: string | null;
}

/** The owner of a lock by the settings of a workspace. */
export function ownerOf({
  name,
  environment,
}: { readonly name: string } & Pick<LockOwner, "environment">): LockOwner {
  return { workspace: name, environment };
}

/** Names an owner in a message. */
export function ownerText({ workspace, environment }: LockOwner): string {
  return environment === null ? `\`${workspace}\`` : `\`${workspace}\` in \`${environment}\``;
}

/** Whether two names are those of one state. */
export function isSameOwner(one: LockOwner, other: LockOwner): boolean {
  return one.workspace === other.workspace && one.environment === other.environment;
}

/** What the names of workspaces and environments match. */
export const statePattern = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/;

/** Gives the lock of an environment in which nothing was ever applied. */
export function emptyLock({ workspace, environment }: LockOwner, lineage: string): Lock {
  return {
    format: lockFormat,
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

/** Tells whether a lock says nothing yet: nothing was ever applied, or an apply was killed before it began anything. */
export function isBlank({ settings, resources, retired, unknown }: Lock): boolean {
  return !settings && [resources, retired, unknown].every((table) => Object.keys(table).length === 0);
}

function explainConflict(place: Place, { environment }: LockOwner): Finding {
  const hint = `run \`agentform lock merge${stateOptions({ environment })}\` to merge both sides, then \`git add\` the lock and plan again`;
  return error("lock-conflict", place, "the lock contains merge-conflict markers", hint);
}

function explainRestore({ environment }: LockOwner): string {
  return `run \`agentform lock restore${stateOptions({ environment })}\`, with \`--emulator\` if it is the emulator's: it puts together what git and this machine know of it; nothing was changed`;
}

/** Parses a lock's text; a lock that cannot be trusted as a whole is refused. */
export function parseLock(text: string, file: string, owner: LockOwner): Checked<{ readonly lock: Lock }> {
  const damaged = (message: Sentence, at: Omit<Place, "file"> = {}): Refusal =>
    refused([error("lock-damaged", { file, ...at }, message, explainRestore(owner))]);
  const newer = (message: Sentence, path: string[]): Refusal =>
    refused([error("lock-format", { file, path }, message, "use a newer agentform")]);
  const { value, offset } = parseJson(text);
  if (value === undefined) {
    const conflict = /^(<{7}|>{7}) /m.exec(text);
    if (conflict) return refused([explainConflict({ file, offset: conflict.index }, owner)]);
    return damaged("the lock is not valid JSON", { offset });
  }
  const keys = countKeys(value, stateDepth);
  if (Number.isNaN(keys)) return damaged("the lock is nested too deeply");
  const move = moveIn(value);
  if (move) return refused([explainOwner(move, file, owner) ?? explainMove(move, file)]);
  if (isObject(value) && value.format === moveFormat) {
    return damaged(
      say`the text in the place of the lock does not match the format ${{ format: moveFormat }}`,
    );
  }
  if (isObject(value) && typeof value.format === "string" && value.format !== lockFormat) {
    const message = say`the lock has the format \`${bare({ found: value.format })}\`, but this version reads ${{ format: lockFormat }}`;
    return newer(message, ["format"]);
  }
  if (repeatsKey(text, keys)) return damaged("the lock has a duplicate key");
  if (!validate(value)) {
    const unknown = unknownKind(value, validate);
    if (unknown) return newer(unknown.message, unknown.path);
    // Of a name, what is wrong with it comes before that it is a name.
    const errors = (validate.errors ?? []).filter((_, at, all) => all[at + 1]?.keyword !== "propertyNames");
    const problems = errors.slice(0, 5).flatMap((each) => {
      const path = refusedPath(each);
      const where = path.length > 0 ? say`\`${bare({ field: path.join(".") })}\`` : "the lock";
      return damaged(say`${where} does not match the lock's format (${each.keyword})`, { path }).problems;
    });
    return refused(problems);
  }
  const misshapen = misshapenBody(value);
  if (misshapen) {
    const message = say`\`${bare({ field: misshapen.join(".") })}\` does not match the lock's format: it must be an outline of its document`;
    return damaged(message, { path: misshapen });
  }
  const unfit = misshapenId(value);
  if (unfit)
    return damaged(say`\`${bare({ field: unfit.join(".") })}\` has something that cannot be an ID`, {
      path: unfit,
    });
  // It is for who keeps the state, and no part of what the state says.
  const { seal: _seal, ...lock }: Lock = value;
  return ownLock(lock, file, owner);
}

/** Gives a lock back if it belongs to the owner. */
export function ownLock(lock: Lock, file: string, owner: LockOwner): Checked<{ readonly lock: Lock }> {
  const foreign = explainOwner(lock, file, owner);
  return foreign ? refused([foreign]) : { ok: true, lock };
}

function explainOwner(lock: LockOwner, file: string, owner: LockOwner): Finding | undefined {
  if (isSameOwner(lock, owner)) return undefined;
  const message = say`the lock belongs to ${bare({ found: [lock.workspace, lock.environment] }, ownerText(lock))}, but this is ${bare({ expected: [owner.workspace, owner.environment] }, ownerText(owner))}`;
  const [folder] = /^\.agentform\/emulator\/[^/]*\//.exec(file) ?? [];
  if (folder !== undefined) {
    const hint = `if you renamed the workspace, delete ${folder}: the emulator begins anew, without the objects that it had`;
    return error("lock-foreign", { file, path: ["workspace"] }, message, hint);
  }
  const renamed = renamedHint(lock, owner);
  const moved = renamed === undefined ? "" : `; ${renamed}`;
  const hint = `do not copy a lock: each environment has its own${moved}${isOnRef(file) ? renamedFrom(lock, owner) : ""}`;
  return error("lock-foreign", { file, path: ["workspace"] }, message, hint);
}

/** Says what to do if the owner of a state is this one under its earlier name of the workspace; undefined if it cannot be. */
export function renamedHint({ workspace, environment }: LockOwner, owner: LockOwner): string | undefined {
  const isRenamed = workspace !== owner.workspace && environment === owner.environment;
  return isRenamed && statePattern.test(workspace)
    ? `if you renamed the workspace, run \`agentform lock move --from-workspace ${workspace}\``
    : undefined;
}

// Any other place has the name of the environment, so that what is there under another one was copied.
function isOnRef(file: string): boolean {
  return file.startsWith("refs/");
}

function renamedFrom(lock: LockOwner, { workspace, environment }: LockOwner): string {
  const { environment: before } = lock;
  const isRenamed = lock.workspace === workspace && before !== environment;
  if (!isRenamed || !statePattern.test(before ?? "default")) return "";
  const [from, to] = [before, environment].map((name) => name ?? "default");
  return `; if you renamed the environment, run \`agentform lock move --from-environment ${from} -e ${to}\``;
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
    .map((key) => {
      // Inside two objects whose text is removed again, so that the lines have the right indentation.
      const text = JSON.stringify({ "": { "": sorted(entries[key] as Json) } }, null, 2);
      return `    ${JSON.stringify(key)}: ${text.slice('{\n  "": {\n    "": '.length, -"\n  }\n}".length)}`;
    });
  return rendered.length === 0 ? "{}" : `{\n${rendered.join(",\n")}\n  }`;
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return objectOf(Object.keys(value).toSorted(), (key) => sorted(value[key] as Json));
}

/** Gives the digest of a body, for finding unchanged bodies without a comparison. */
export function bodyDigest(body: Json): string {
  return hash(canonical(body));
}

/** Gives the digest of all at an address, or null; of retired ones if none is managed: one may have come and gone. */
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
