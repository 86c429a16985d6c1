import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { parseJson } from "../../json/parse-json.js";
import type { Lock } from "../../generated/lock.js";
import type { LockLocation } from "../../generated/workspace.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { stateOptions } from "./state-choice.js";

/** The format of the text that takes the place of a lock while its state moves to a different store, and after it. */
export const moveFormat = "agentform/move/v1";

/** What both ends of a move have; the serial and the writes are those of the lock that arrives. */
type MoveEnd = Readonly<Pick<Lock, "workspace" | "environment" | "lineage" | "serial" | "writes">>;

type StateName = Readonly<Pick<Lock, "workspace" | "environment">>;

/** Takes the place of a lock whose state has moved away. */
export type DepartedLock = MoveEnd & {
  readonly to: JsonObject;
  /** Whose the state is there, if it was renamed. */
  readonly as?: StateName;
  readonly from?: undefined;
  readonly lock?: undefined;
};

/** Takes the place of a lock in the store that a state moves to, until the state has left the other one. */
export type ArrivingLock = MoveEnd & {
  readonly to?: undefined;
  readonly from: JsonObject;
  /** The text of the lock that arrives. */
  readonly lock: string;
};

/** Renders one end of a move. */
export function renderMove(end: DepartedLock | ArrivingLock): string {
  return `${JSON.stringify({ format: moveFormat, ...end }, null, 2)}\n`;
}

/** Parses what takes the place of a lock; undefined for a lock, and for anything else. */
export function parseMove(text: string): DepartedLock | ArrivingLock | undefined {
  // A lock may be large, so only its begin is looked at.
  if (!/^\s*\{\s*"format":\s*"agentform\/move\//.test(text.slice(0, 100))) return undefined;
  return moveIn(parseJson(text).value);
}

/** Gives what a parsed text says of a move; undefined if it says nothing of one. */
export function moveIn(value: Json | undefined): DepartedLock | ArrivingLock | undefined {
  if (!isObject(value) || value.format !== moveFormat) return undefined;
  const { lineage, serial, writes, to, from, lock, as } = value;
  if (!isName(value) || (as !== undefined && !isName(as))) return undefined;
  const { workspace, environment } = value;
  if (typeof lineage !== "string" || typeof writes !== "string") return undefined;
  if (typeof serial !== "number" || !Number.isSafeInteger(serial)) return undefined;
  const end: MoveEnd = { workspace, environment, lineage, serial, writes };
  if (isStore(to)) return { ...end, to, ...(as && { as }) };
  return isStore(from) && typeof lock === "string" ? { ...end, from, lock } : undefined;
}

function isName(value: Json | undefined): value is JsonObject & StateName {
  if (!isObject(value)) return false;
  const { workspace, environment } = value;
  return typeof workspace === "string" && (environment === null || typeof environment === "string");
}

function isStore(value: Json | undefined): value is JsonObject {
  return isObject(value) && typeof value.store === "string";
}

/** Explains why what takes the place of a lock is not used as one. */
export function explainMove(end: DepartedLock | ArrivingLock, lockName: string): Finding {
  const place = { file: lockName };
  if (end.to && end.as) {
    const message = say`the state of ${bare({ lock: lockName })} was renamed: it is now that of ${nameIn(end.as)}`;
    const hint = say`${hasNewName}; what is new needs a name that no state had, for this one keeps old checkouts away`;
    return error("lock-moved", place, message, hint);
  }
  if (end.to) {
    const hint = `set \`spec.lock\` of agentform.yaml to \`${storeText(end.to)}\`, or use a commit that has it`;
    return error(
      "lock-moved",
      place,
      say`the state has moved from ${bare({ lock: lockName })} to \`${bare({ to: storeText(end.to) })}\``,
      hint,
    );
  }
  const message = say`the state is on its way from \`${bare({ from: storeText(end.from) })}\` to ${bare({ lock: lockName })}, and the move is not finished`;
  const hint = `set \`spec.lock\` to \`${storeText(end.from)}\`, and run the same \`agentform lock move\` again`;
  return error("lock-moving", place, message, hint);
}

const hasNewName = "use a commit whose agentform.yaml has the new name";

function nameIn({ workspace, environment }: StateName): Sentence {
  const named = environment === null ? `\`${workspace}\`` : `\`${workspace}\` in \`${environment}\``;
  return bare({ expected: [workspace, environment] }, named);
}

/** Explains that a lock is from before its state moved away, as the text at `where` says. */
export function explainOlderThanMove(
  { to, as }: Pick<DepartedLock, "to" | "as">,
  lockName: string,
  where: string,
): Finding {
  const place = { file: lockName };
  const [lock, source] = [bare({ lock: lockName }), bare({ source: where })];
  if (as) {
    const restore = `agentform lock restore${stateOptions({ environment: as.environment, emulator: false })}`;
    const hint = say`${hasNewName}; or write that name, delete ${lock}, and run \`${restore}\``;
    const message = say`${lock} is older than the new name of its state, which is now that of ${nameIn(as)}, as ${source} says`;
    return error("lock-moved", place, message, hint);
  }
  const there = storeText(to);
  const message = say`${lock} is older than the move of the state to \`${bare({ to: there })}\`, which is in ${source}`;
  const hint = `set \`spec.lock\` of agentform.yaml to \`${there}\`, or use a commit that has it`;
  return error("lock-moved", place, message, hint);
}

/** Writes a store as the one-line YAML that a manifest and `lock move --to` take. */
export function storeText(store: LockLocation | Json): string {
  if (isObject(store)) {
    return `{${Object.entries(store)
      .map(([key, member]) => `${storeText(key)}: ${storeText(member)}`)
      .join(", ")}}`;
  }
  if (Array.isArray(store)) return `[${store.map(storeText).join(", ")}]`;
  return typeof store === "string" && isPlain(store) ? store : JSON.stringify(store);
}

// Without what YAML would read as something else than this text.
function isPlain(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_/.-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
}

/** Finds the serial in the text of a rendered lock, or of what takes its place, without parsing it. */
export function serialIn(text: string): number | undefined {
  // Each member of the whole has a line of its own, and nothing inside of them is indented so little.
  const at = text.indexOf('\n  "serial": ');
  if (at === -1) return undefined;
  const [, serial] = /^\n {2}"serial": (\d{1,16}),?(?:\n|$)/.exec(text.slice(at, at + 40)) ?? [];
  return serial === undefined ? undefined : Number(serial);
}
