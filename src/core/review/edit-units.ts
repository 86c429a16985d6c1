import { connected } from "../../json/groups.js";
import { latest, lazy, oncePer } from "../../json/once.js";
import { canonical, type Json } from "../../json/json.js";
import type { Change } from "../../generated/plan.js";
import { differingRuns, hasWords, type Run } from "./differing-runs.js";
import { sequenceEdit, wordEdit } from "./edit-key.js";
import { titlesAbove } from "./title-above.js";

/** Cuts a change into edits: a text's hunks with their titles, the items of a list; any other is one. */
export function unitsOf(change: Change): readonly Change[] {
  return cutOf(change).units;
}

/** Puts some of the edits of a change together again, as one change to what is there after all of them. */
export function together(change: Change, units: readonly Change[]): Change {
  const { units: all, without } = cutOf(change);
  const [first] = units;
  if (first && units.length === 1) return first;
  return units.length >= all.length || !without ? change : { ...change, before: without(new Set(units)) };
}

interface Cut {
  readonly units: readonly Change[];
  /** Gives the new value as it would be without some of several edits. */
  readonly without?: (units: ReadonlySet<Change>) => Json;
}

const cutOf = oncePer((change: Change): Cut => {
  const { before, after, order, outline, references = [] } = change;
  const isCut = order !== true && outline !== true && references.length === 0;
  const found =
    isCut && typeof before === "string" && typeof after === "string"
      ? cutText(change)
      : isCut && Array.isArray(before) && Array.isArray(after)
        ? cutList(change, before, after)
        : undefined;
  return found ?? { units: [change] };
});

// Each edit holds the value without it; a text or a list that is rewritten in more places is read as a whole.
const mostCharacters = 50_000_000;

// An item takes longer than its characters do.
const perItem = 100;

function cutList(change: Change, before: Json[], after: Json[]): Cut | undefined {
  const texts = [before.map(canonical), after.map(canonical)] as const;
  const edit = sequenceEdit(...texts);
  if (!edit) return undefined;
  const count = edit.removed.length + edit.added.length;
  const size = texts.flat().reduce((sum, text) => sum + text.length + perItem, 0);
  if (count < 2 || count * size > mostCharacters) return undefined;
  const items = new Map(
    [...edit.removed, ...edit.added].map((text, at): [Change, { text: string; isGone: boolean }] => {
      const item = { text, isGone: at < edit.removed.length };
      return [{ ...change, before: listWithout(after, [item]) }, item];
    }),
  );
  return {
    units: [...items.keys()],
    without: (units) =>
      listWithout(
        after,
        [...units].flatMap((unit) => items.get(unit) ?? []),
      ),
  };
}

function listWithout(after: readonly Json[], items: readonly { text: string; isGone: boolean }[]): Json[] {
  const list = [...after];
  for (const { text, isGone } of items) {
    if (isGone) list.push(JSON.parse(text) as Json);
    else
      list.splice(
        list.findIndex((each) => canonical(each) === text),
        1,
      );
  }
  return list;
}

interface TextSides {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

// Many resources in turn have the same edit of a file that they include.
const sidesOf = latest(
  (change: Change) => {
    const sides = { before: String(change.before).split("\n"), after: String(change.after).split("\n") };
    return { sides, hunks: lazy(() => hunksOf(sides)) };
  },
  (one, other) => one.before === other.before && one.after === other.after,
);

function cutText(change: Change): Cut | undefined {
  const { sides, hunks: found } = sidesOf(change);
  if (sides.before.length === 1 && sides.after.length === 1) return undefined;
  const hunks = found();
  const length = String(change.before).length + String(change.after).length;
  if (hunks.length === 0 || hunks.length * length > mostCharacters) return undefined;
  const [only, another] = hunks;
  return only && !another ? { units: [titled(change, only, sides)] } : cutHunks(change, hunks, sides);
}

// Apart, for what it gives holds on to the lines.
function cutHunks(change: Change, hunks: readonly Run[][], sides: TextSides): Cut {
  // Of a change one such text is held at a time: all those of many resources would not fit into memory.
  let held: { readonly runs: readonly Run[]; readonly text: string } | undefined;
  const textOf = (runs: readonly Run[]): string => {
    if (held?.runs !== runs) held = { runs, text: textWithout(sides, runs) };
    return held.text;
  };
  const unitOf = (runs: readonly Run[]): Change => {
    const { before: _before, ...rest } = titled(change, runs, sides);
    return {
      ...rest,
      get before() {
        return textOf(runs);
      },
    };
  };
  const runsOf = new Map(hunks.map((runs): [Change, readonly Run[]] => [unitOf(runs), runs]));
  const inOrder = (runs: readonly Run[]) => runs.toSorted((one, other) => one.after[0] - other.after[0]);
  return {
    units: [...runsOf.keys()],
    without: (units) => textWithout(sides, inOrder([...units].flatMap((unit) => runsOf.get(unit) ?? []))),
  };
}

function titled(change: Change, [first]: readonly Run[], sides: TextSides): Change {
  const under = first ? titlesOf(first, sides) : [];
  return under.length === 0 ? change : { ...change, under: [...under] };
}

function textWithout({ before, after }: TextSides, runs: readonly Run[]): string {
  let at = 0;
  const parts = runs.map((run) => {
    const kept = after.slice(at, run.after[0]);
    at = run.after[1];
    return [...kept, ...before.slice(...run.before)];
  });
  return [...parts.flat(), ...after.slice(at)].join("\n");
}

function titlesOf({ before: [from], after: [start, end] }: Run, sides: TextSides): readonly string[] {
  return end > start ? titlesAbove(sides.after, start) : titlesAbove(sides.before, from);
}

/** Gives runs of lines read as one edit: moved lines with where they were, lines without a word with those before. */
function hunksOf(sides: TextSides): Run[][] {
  const runs = differingRuns(sides.before, sides.after) ?? [];
  const slid = runs
    .flatMap((run) => byLine(run, sides))
    .map((run, index, all) => slidDown(run, sides, all[index + 1]));
  if (slid.length < 2) return slid.map((run) => [run]);
  const removedIn = new Map<string, number>();
  for (const [index, run] of slid.entries())
    for (const line of sides.before.slice(...run.before)) if (hasWords(line)) removedIn.set(line, index);
  const goesWith = ([index, run]: [number, Run]): number[] => {
    const added = sides.after.slice(...run.after);
    const isSilent = ![...sides.before.slice(...run.before), ...added].some(hasWords);
    const beside = isSilent ? [index === 0 ? 1 : index - 1] : [];
    return [index, ...beside, ...added.flatMap((line) => removedIn.get(line) ?? [])];
  };
  return connected(slid.entries(), goesWith).map((each) => each.map(([, run]) => run));
}

// Lines that are reworded are edits of their own, and so are others that are new or gone beside them.
function byLine(run: Run, { before, after }: TextSides): Run[] {
  const [old, now] = [run.before[1] - run.before[0], run.after[1] - run.after[0]];
  const count = Math.min(old, now);
  if (count === 0 || (old === 1 && now === 1)) return [run];
  const areReworded = (atOld: number, atNow: number) =>
    Array.from({ length: count }, (_, index) => index).every((index) =>
      areAlike(before[atOld + index] ?? "", after[atNow + index] ?? ""),
    );
  const [fromOld, fromNow] = [run.before[0], run.after[0]];
  const offset = areReworded(fromOld, fromNow)
    ? { old: 0, now: 0 }
    : areReworded(run.before[1] - count, run.after[1] - count)
      ? { old: old - count, now: now - count }
      : undefined;
  if (!offset) return [run];
  const [atOld, atNow] = [fromOld + offset.old, fromNow + offset.now];
  const part = (oldFrom: number, oldTo: number, nowFrom: number, nowTo: number): Run => ({
    before: [oldFrom, oldTo],
    after: [nowFrom, nowTo],
  });
  return [
    part(fromOld, atOld, fromNow, atNow),
    ...Array.from({ length: count }, (_, index) =>
      part(atOld + index, atOld + index + 1, atNow + index, atNow + index + 1),
    ),
    part(atOld + count, run.before[1], atNow + count, run.after[1]),
  ].filter(({ before: [start, end], after: [first, last] }) => end > start || last > first);
}

function areAlike(one: string, other: string): boolean {
  const edit = wordEdit({ path: "", before: one, after: other });
  if (!edit) return false;
  const words = (text: string) => text.match(/[\p{L}\p{N}]{1,1000}/gu)?.length ?? 0;
  const kept = edit.around.reduce((sum, counts) => sum + [...counts.values()].reduce((a, b) => a + b, 0), 0);
  return 2 * kept >= Math.max(words(one), words(other));
}

// Of a line that is new or gone beside an equal one it is the last, so that it is the same one in every text.
function slidDown(run: Run, { before, after }: TextSides, next: Run | undefined): Run {
  const [removed, added] = [run.before[1] - run.before[0], run.after[1] - run.after[0]];
  if (removed > 0 && added > 0) return run;
  const [lines, [from, to], end] =
    added > 0
      ? [after, run.after, next?.after[0] ?? after.length]
      : [before, run.before, next?.before[0] ?? before.length];
  let by = 0;
  while (to + by < end && lines[from + by] === lines[to + by]) by++;
  return {
    before: [run.before[0] + by, run.before[1] + by],
    after: [run.after[0] + by, run.after[1] + by],
  };
}
