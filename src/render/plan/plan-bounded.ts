import type { Action, Plan } from "../../generated/plan.js";
import { inTurns } from "../view/in-turns.js";
import { rankOf } from "../view/plan-review.js";
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

  /** Adds to what is kept the items that have room in a share of what is left, by the value that is shown of each. */
  keep<Each extends object>(
    kept: Set<object>,
    items: readonly Each[],
    share: number,
    shown: (item: Each) => object = (item) => item,
  ): void {
    const held = this.#left * (1 - share);
    this.#left -= held;
    for (const item of items) if (!kept.has(item) && this.takes(shown(item), 2)) kept.add(item);
    this.#left += held;
  }
}

/** What is left out of an action, unless there is room. */
const late = ["body", "made_from", "reads", "affects", "requests", "causes"] as const;

// The names of what is left out, with their numbers.
const leftOutBytes = 400;

/** Gives of a plan what so many bytes of indented JSON hold, the gravest first; `left_out` says how much is missing. */
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
  const { state_changes = [], setting_changes = [], calls = [], groups = [], diagnostics } = plan;
  const kept = new Set<object>();
  room.keep(kept, first, 1);
  const options = given("options", plan.options) as Plan["options"];
  const gravestFirst = plan.actions.toSorted((one, other) => rankOf(one) - rankOf(other));
  // None takes all of the room before the others have had a share.
  for (const [ofList, ofActions] of [
    [0.25, 0.5],
    [1, 1],
  ] as const) {
    for (const list of [state_changes, setting_changes, calls, later.flat(), diagnostics, groups])
      room.keep<object>(kept, list, ofList);
    room.keep(kept, gravestFirst, ofActions, shortAction);
  }
  const only = <Each extends object>(name: string, items: readonly Each[]): Each[] => {
    const shown = items.filter((item) => kept.has(item));
    if (shown.length < items.length) leftOut[name] = items.length - shown.length;
    return shown;
  };
  const some = <Each extends object>(name: string, items: readonly Each[]) => {
    const shown = only(name, items);
    return shown.length > 0 ? { [name]: shown } : {};
  };
  const lists = {
    notes: only("notes", plan.notes),
    ...(plan.edits !== undefined && { edits: plan.edits }),
    ...some("groups", groups),
    ...some("state_changes", state_changes),
    ...some("setting_changes", setting_changes),
    ...some("calls", calls),
    diagnostics: only("diagnostics", diagnostics),
  };
  const actions = boundedActions(only("actions", plan.actions), room, leftOut);
  for (const name of ["settings", "unchanged", "peers", "observation"] as const) {
    if (plan[name] !== undefined) leftOut[name] = 1;
  }
  return { ...bare, options, ...lists, left_out: leftOut, actions };
}

function shortAction(action: Action): Action {
  return withoutLate({ ...action, changes: [], left_out: ["changes", ...late] });
}

// Of actions that have room in short the changes of each, then the rest.
function boundedActions(kept: readonly Action[], room: Room, leftOut: LeftOutCounts): Action[] {
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
