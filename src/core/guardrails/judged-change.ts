import type { Action, Change, GuardrailNote, Plan } from "../../generated/plan.js";
import { groupBy } from "../../json/groups.js";
import { isObject, type Json, type JsonObject, listOf } from "../../json/json.js";
import { kindOfAddress } from "../kind/kinds.js";
import { unknownToolsIn } from "./agent-reach.js";
import { mentionsIn } from "./mention.js";
import { readOperations, type OperationsOf } from "./operations.js";
import { hostsIn } from "./secret-places.js";

/** What is applied, and what is to be: the bodies by address. */
export interface PlannedBodies {
  readonly before: (address: string) => JsonObject | undefined;
  readonly after: (address: string) => JsonObject | undefined;
}

/** The plan that an action is part of, as far as rules see it. */
export interface PlanOfChange extends Pick<Plan, "environment" | "partial" | "summary"> {
  /** Whether a resource was last sent an earlier object of an address, of which nothing is known. */
  readonly hadAnother: (address: string, of: string) => boolean;
}

/** Makes what rules judge of each action: plan JSON, its notes, what it gains and loses, and the plan's counts. */
export function readChanges(
  { before, after }: PlannedBodies,
  notes: readonly GuardrailNote[],
  plan: PlanOfChange,
): (action: Action) => Json {
  const [was, is] = [readOperations(before), readOperations(after)];
  const { environment, partial, summary, hadAnother } = plan;
  const noted = groupBy(notes, ({ address }) => address);
  return (action) => {
    const { address, changes } = action;
    const isKnown = (of: string) => !hadAnother(address, of);
    const [had, has] = [
      holdingsOf(address, before(address), was, isKnown),
      holdingsOf(address, after(address), is),
    ];
    const own = noted.get(address) ?? [];
    return JSON.parse(
      JSON.stringify({
        ...action,
        kind: kindOfAddress(address).document,
        changes: changes.map(withDelta),
        notes: own.map(({ message: _message, ...note }) => note),
        gained: without(has, had),
        lost: without(had, has),
        plan: { environment, partial, summary },
      }),
    ) as Json;
  };
}

// JSON Schema cannot compare two values with each other.
function withDelta(change: Change): Change & { readonly delta?: number } {
  const { before, after } = change;
  return typeof before === "number" && typeof after === "number"
    ? { ...change, delta: differenceOf(before, after) }
    : change;
}

// With as many decimals as the two have: from 0.3 to 0.4 is 0.1, where a plain subtraction gives a little more.
function differenceOf(before: number, after: number): number {
  const decimals = [before, after].map((number) => /^-?\d+(?:\.(\d+))?$/.exec(String(number)));
  if (decimals.includes(null)) return after - before;
  return Number((after - before).toFixed(Math.max(...decimals.map((match) => match?.[1]?.length ?? 0))));
}

/** What a resource holds, each by what identifies it. */
type Holdings = Readonly<Record<"operations" | "hosts" | "features", ReadonlyMap<string, Json>>>;

function holdingsOf(
  address: string,
  body: JsonObject = {},
  operationsOf: OperationsOf,
  isKnown: (toolset: string) => boolean = () => true,
): Holdings {
  const isAgent = kindOfAddress(address).name === "agent";
  const operations = new Map<string, JsonObject>();
  const hold = (toolset: string, route: string): void => {
    const { named, writes } = operationsOf(toolset).all.get(route) ?? { named: { route }, writes: true };
    const [method = ""] = route.startsWith("/") ? [] : route.split(" ");
    operations.set(`${toolset} ${route}`, { toolset, ...named, method, writes });
  };
  const holdAll = (toolset: string): void => {
    for (const route of operationsOf(toolset).all.keys()) hold(toolset, route);
  };
  if (isAgent) {
    for (const { reference } of mentionsIn(body).values()) {
      const { address: toolset, operation } = reference;
      if (kindOfAddress(toolset).operations === undefined || !isKnown(toolset)) continue;
      if (operation === undefined) holdAll(toolset);
      else hold(toolset, operationsOf(toolset).routeOf(operation));
    }
    for (const name of unknownToolsIn(body)) {
      operations.set(` ${name}`, { toolset: "", name, route: "", method: "", writes: true });
    }
  } else if (kindOfAddress(address).operations) holdAll(address);
  const features = isAgent ? listOf(body.features).filter(isObject) : [];
  return {
    operations,
    hosts: new Map(hostsIn(body).map((host) => [host, host])),
    features: new Map(features.map(({ type = null }) => [String(type), type])),
  };
}

function without(all: Holdings, others: Holdings) {
  const onlyIn = (sort: keyof Holdings): Json[] =>
    [...all[sort]].flatMap(([key, value]) => (others[sort].has(key) ? [] : [value]));
  return { operations: onlyIn("operations"), hosts: onlyIn("hosts"), features: onlyIn("features") };
}
