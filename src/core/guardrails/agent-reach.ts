import type { Json } from "../../json/json.js";
import { oncePer } from "../../json/once.js";
import { referencesInText } from "../expression/reference.js";
import { isOfKind } from "../kind/kinds.js";
import { featuresGained } from "./agent-policy.js";
import { firmerIn, firmness, type Mention } from "./mention.js";
import { sortOperations, type SortedOperations } from "./operations.js";
import { listOf, type RemarkOf, type Side, type Subject } from "./rule.js";

/** Finds new tools of an agent that read, or of which nothing but an ID is known, and features of new types. */
export function toolsGained(subject: Subject): RemarkOf<"tool-gained">[] {
  const features = featuresGained(subject);
  return [
    ...gainedOf(subject, "reading"),
    ...toolFields.flatMap((field): RemarkOf<"tool-gained">[] => {
      const tools = literalsGained(subject, field);
      return tools.length === 0 ? [] : [{ path: field, parts: { tools } }];
    }),
    ...(features.length === 0 ? [] : [{ path: "features", parts: { features } }]),
  ];
}

const toolFields = ["tools", "tool"];

/** The fields of an agent in which an item that is a text may be the ID of what it reaches. */
export const idFields: ReadonlySet<string> = new Set([...toolFields, "managed_agents"]);

/** Finds new tools of an agent that write. */
export function writingToolsGained(subject: Subject): RemarkOf<"writing-tool-gained">[] {
  return gainedOf(subject, "writing");
}

function gainedOf(subject: Subject, sort: keyof SortedOperations): RemarkOf<"writing-tool-gained">[] {
  return gained(subject).flatMap(({ toolset, field, [sort]: operations }) =>
    operations.length === 0 ? [] : [{ path: field, parts: { toolset, operations } }],
  );
}

/** Finds further agents that an agent refers to, or has the IDs of. */
export function agentsGained(subject: Subject): RemarkOf<"agent-gained">[] {
  const { before, after } = subject;
  const referred = firmerIn(after.mentions(), before.mentions(), "agent").map(({ reference, field }) => ({
    path: field,
    reference: reference.text,
    parts: { agent: reference.text },
  }));
  const agents = literalsGained(subject, "managed_agents");
  return agents.length === 0 ? referred : [...referred, { path: "managed_agents", parts: { agents } }];
}

interface Gain extends SortedOperations {
  readonly toolset: string;
  readonly field: string;
}

// For two rules.
const gained = oncePer((subject: Subject): readonly Gain[] => {
  const before = reachOf(subject.before);
  return [...reachOf(subject.after)].map(([toolset, reach]) => {
    return { toolset, field: reach.field, ...newIn(toolset, reach, before.get(toolset), subject) };
  });
});

function newIn(toolset: string, reach: Reach, before: Reach | undefined, subject: Subject): SortedOperations {
  // The growth of a set is computed once for all agents that have the whole set.
  if (reach.whole === 2 && before?.whole === 2) return subject.added(toolset);
  const { all } = subject.after.operations(toolset);
  const had = subject.before.operations(toolset).all;
  const routes = new Set([...(reach.whole > 0 ? all.keys() : []), ...reach.single.keys()]);
  const fresh = [...routes]
    .filter((route) => firmnessOf(reach, route, all) > firmnessOf(before, route, had))
    .map((route) => all.get(route) ?? { named: { name: route }, writes: false });
  return sortOperations(fresh);
}

function firmnessOf(reach: Reach | undefined, route: string, all: { has(route: string): boolean }): number {
  if (!reach) return 0;
  return Math.max(all.has(route) ? reach.whole : 0, reach.single.get(route) ?? 0);
}

/** The part of one tool set that an agent has. */
interface Reach {
  /** How firmly it holds the whole set. */
  whole: number;
  /** The first field that refers to the set, if possible one where that is a whole value. */
  field: string;
  isAlone: boolean;
  /** How firmly it holds single operations, by `METHOD /path`. */
  readonly single: Map<string, number>;
}

function reachOf({ mentions, operations }: Side): Map<string, Reach> {
  const reached = new Map<string, Reach>();
  for (const mention of mentions().values()) {
    const { address, operation } = mention.reference;
    if (!isOfKind(address, "toolset")) continue;
    const { field, alone: isAlone } = mention;
    const reach = reached.get(address) ?? { whole: 0, field, isAlone, single: new Map() };
    if (isAlone && !reach.isAlone) Object.assign(reach, { field, isAlone });
    reached.set(address, reach);
    if (operation === undefined) reach.whole = firmness(mention);
    else hold(reach, operations(address).routeOf(operation), mention);
  }
  return reached;
}

function hold({ single }: Reach, route: string, mention: Mention): void {
  single.set(route, Math.max(firmness(mention), single.get(route) ?? 0));
}

/** Gives the texts without a reference that a list did not have before, each once. */
function literalsGained({ before, after }: Subject, field: string): string[] {
  const known = new Set(literalsIn(before, field));
  return [...new Set(literalsIn(after, field))].filter((text) => !known.has(text));
}

function literalsIn({ body }: Side, field: string): string[] {
  const isText = (item: Json): item is string => typeof item === "string" && item !== "";
  return listOf(body[field])
    .filter(isText)
    .filter((text) => referencesInText(text).length === 0);
}
