import { addTo } from "../../json/groups.js";
import type { Action, Change, Plan } from "../../generated/plan.js";
import { isConsequence } from "../../core/plan/difference.js";
import { unitsOf } from "../../core/review/edit-units.js";
import { reviewOf } from "../../core/review/review.js";
import { scriptJson } from "./html-text.js";
import { type PageGraph, pageGraph } from "./page-graph.js";

/** What the page's script reads: the plan without what the page does not show, and each change that is shared once. */
export interface PagePlan {
  readonly plan: Plan;
  /** Changes that several actions have, with the indexes of these and the places in the changes of each. */
  readonly shared: readonly (readonly [
    change: Change,
    places: readonly (readonly [action: number, at: number])[],
  ])[];
  readonly graph: PageGraph;
}

/** Renders JSON that can stand inside a `script` element; undefined if it is more than so many characters. */
export function pagePlanJson(plan: Plan, most: number): string | undefined {
  const { plan: held, shared, graph } = pagePlan(plan);
  const { actions, ...rest } = held;
  let room = most;
  const texts: string[] = [];
  for (const each of [...actions, ...shared]) {
    const text = scriptJson(each);
    room -= text.length;
    if (room < 0) return undefined;
    texts.push(text);
  }
  const head = scriptJson({ ...rest, actions: [] }).slice(0, -2);
  const [own, more] = [texts.slice(0, actions.length), texts.slice(actions.length)];
  return `{"plan":${head}${own.join(",")}]},"shared":[${more.join(",")}],"graph":${scriptJson(graph)}}`;
}

function pagePlan(plan: Plan): PagePlan {
  const { documents: _documents, checksum: _checksum, ...rest } = plan;
  const shared = sharedChanges(plan);
  const left = new Map<Action, Set<Change>>();
  for (const { taken } of shared) {
    for (const [action, change] of taken) {
      const known = left.get(action);
      if (known) known.add(change);
      else left.set(action, new Set([change]));
    }
  }
  const indexes = new Map(plan.actions.map((action, index) => [action, index]));
  return {
    plan: { ...rest, actions: plan.actions.map((action) => slim(action, left.get(action))) },
    shared: shared.map(({ change, taken }) => [
      change,
      taken.map(([action, own]) => [indexes.get(action) ?? 0, action.changes.indexOf(own)]),
    ]),
    graph: pageGraph(plan),
  };
}

// Bodies are in the changes; of an unknown outcome, they say what to look for.
function slim(action: Action, shared: ReadonlySet<Change> = new Set()): Action {
  const { body, fields: _fields, reads: _reads, waits_for: _waits, ...rest } = action;
  return {
    ...rest,
    ...(body && action.action === "unknown" && { body }),
    changes: action.changes.filter((change) => !shared.has(change)),
    reads: {},
    waits_for: [],
  };
}

function isAlone({ changes }: Action, { path }: Change): boolean {
  return changes.filter((each) => each.path === path && !isConsequence(each)).length === 1;
}

// An edit in other surroundings is held as in the first resource; what waits for a person is in no group.
function sharedChanges(
  plan: Plan,
): { readonly change: Change; readonly taken: readonly (readonly [Action, Change])[] }[] {
  const { groups, held } = reviewOf(plan);
  const byText = new Map<string, [Action, Change][]>();
  for (const action of held) {
    for (const change of action.changes) {
      addTo(byText, JSON.stringify(change), [action, change]);
    }
  }
  return [
    ...groups
      .filter(({ linesDiffer }) => !linesDiffer)
      .map(({ change, edits }) => ({
        change,
        // Of a change with more edits than this one, the group has a part.
        taken: edits.flatMap(({ action, whole }): [Action, Change][] =>
          whole && unitsOf(whole).length === 1 && isAlone(action, whole) ? [[action, whole]] : [],
        ),
      }))
      .filter(({ taken }) => taken.length > 0),
    ...[...byText.values()].flatMap((taken) => {
      const [[, change] = []] = taken;
      return change && taken.length > 1 ? [{ change, taken }] : [];
    }),
  ];
}
