import type { Action, Plan } from "../../generated/plan.js";
import { inTurns } from "../view/in-turns.js";
import { safeJson } from "../words/terminal-text.js";

/** A plan as programs get it. */
type ShownPlan = Omit<Plan, "documents">;

type LeftOutCounts = Record<string, number>;

/** Counts what there is room for, in bytes of indented JSON. */
class Room {
  #left: number;

  constructor(
    bytes: number,
    readonly depth: number,
  ) {
    this.#left = bytes;
  }

  /** Whether a value at some depth has room, which is taken then. */
  takes(value: unknown, depth: number): boolean {
    const bytes = bytesOf(value, this.depth + depth);
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  /** Gives the items that have room. */
  fit<Item>(items: readonly Item[]): Item[] {
    return items.filter((item) => this.takes(item, 2));
  }

  /** Gives the items that have room, in their order, and notes how many have not. */
  fill<Item>(name: string, items: readonly Item[], leftOut: LeftOutCounts): Item[] {
    const kept = this.fit(items);
    if (kept.length < items.length) leftOut[name] = items.length - kept.length;
    return kept;
  }
}

/** What is left out of an action, unless there is room. */
const late = ["body", "made_from", "reads", "affects", "requests", "causes"] as const;

// The names of what is left out, with their numbers.
const leftOutBytes = 400;

/**
 * Gives of a plan what has room in so many bytes of indented JSON: of each rule the first note, what changes of state,
 * settings and calls, the other notes and groups before the actions, these before their changes, and their bodies last;
 * `left_out` says how much is missing.
 * A plan inside of another document is indented to a depth.
 */
export function boundedPlan(plan: ShownPlan, maxBytes: number, depth: number): ShownPlan {
  if (bytesOf(plan, depth) <= maxBytes) return plan;
  const { format, workspace, environment, lock, partial, digest, summary } = plan;
  const leftOut: LeftOutCounts = {};
  const bare = { format, workspace, environment, lock, options: {}, partial, digest, summary };
  const room = new Room(
    maxBytes - bytesOf({ ...bare, notes: [], groups: [], diagnostics: [] }, depth) - leftOutBytes,
    depth,
  );
  const given = (name: string, value: object) => {
    if (room.takes(value, 1)) return value;
    leftOut[name] = 1;
    return {};
  };
  const [first = [], ...later] = inTurns(plan.notes);
  const told = new Set(room.fit(first));
  const state_changes = room.fill("state_changes", plan.state_changes ?? [], leftOut);
  const setting_changes = room.fill("setting_changes", plan.setting_changes ?? [], leftOut);
  const calls = room.fill("calls", plan.calls ?? [], leftOut);
  for (const note of room.fit(later.flat())) told.add(note);
  const notes = plan.notes.filter((note) => told.has(note));
  if (notes.length < plan.notes.length) leftOut["notes"] = plan.notes.length - notes.length;
  const diagnostics = room.fill("diagnostics", plan.diagnostics, leftOut);
  const groups = room.fill("groups", plan.groups ?? [], leftOut);
  const options = given("options", plan.options) as Plan["options"];
  const actions = boundedActions(plan.actions, room, leftOut);
  for (const name of ["settings", "unchanged", "peers", "observation"] as const) {
    if (plan[name] !== undefined) leftOut[name] = 1;
  }
  return {
    ...bare,
    options,
    notes,
    ...(plan.edits !== undefined && { edits: plan.edits }),
    ...(groups.length > 0 && { groups }),
    ...(state_changes.length > 0 && { state_changes }),
    ...(setting_changes.length > 0 && { setting_changes }),
    ...(calls.length > 0 && { calls }),
    diagnostics,
    left_out: leftOut,
    actions,
  };
}

// First each with its reasons, then the changes of each, then the rest.
function boundedActions(actions: readonly Action[], room: Room, leftOut: LeftOutCounts): Action[] {
  const short = (action: Action) => withoutLate({ ...action, changes: [], left_out: ["changes", ...late] });
  const kept = actions.filter((action) => room.takes(short(action), 2));
  if (kept.length < actions.length) leftOut["actions"] = actions.length - kept.length;
  const changes = new Map(
    kept.map((action) => [action, action.changes.filter((change) => room.takes(change, 4))] as const),
  );
  const left = kept.map((action) => action.changes.length - (changes.get(action)?.length ?? 0));
  const missing = left.reduce((sum, each) => sum + each, 0);
  if (missing > 0) leftOut["changes"] = missing;
  const bounded = kept.map((action): Action => {
    const shown = changes.get(action) ?? [];
    const isWhole = shown.length === action.changes.length;
    const rest = late.filter((name) => action[name] !== undefined);
    if (room.takes(Object.fromEntries(rest.map((name) => [name, action[name]])), 3)) {
      return { ...action, changes: shown, ...(!isWhole && { left_out: ["changes"] }) };
    }
    leftOut["bodies"] = (leftOut["bodies"] ?? 0) + 1;
    return withoutLate({ ...action, changes: shown, left_out: [...(isWhole ? [] : ["changes"]), ...rest] });
  });
  return bounded;
}

function withoutLate(action: Action): Action {
  const { body: _body, made_from: _from, requests: _requests, causes: _causes, ...rest } = action;
  return { ...rest, reads: {}, affects: [] };
}

/** Gives the bytes of a value as indented JSON at a depth, with the comma after it. */
export function bytesOf(value: unknown, depth = 0): number {
  const text = safeJson(JSON.stringify(value, null, 2));
  const lines = text.split("\n").length;
  return Buffer.byteLength(text) + lines * depth * 2 + 2;
}
