import { addTo, groupBy } from "../../json/groups.js";
import type { OperationPick } from "../../generated/toolset.js";
import type { Budget } from "../../json/budget.js";
import { routeOf, type OperationSource } from "./openapi-operation.js";

/** The operations that picks choose. */
export interface OperationChoice {
  /** In document order. */
  readonly chosen: readonly OperationSource[];
  readonly others: readonly OperationSource[];
  /** The indexes of the picks that choose nothing. */
  readonly unmatched: readonly number[];
}

/** Finds the operations that picks choose; nothing that comes after the limit of work is found. */
export function chooseOperations(
  sources: readonly OperationSource[],
  picks: readonly OperationPick[],
  budget: Budget,
): OperationChoice {
  const find = buildFinder(sources, budget);
  const chosen = new Set<OperationSource>();
  const unmatched: number[] = [];
  for (const [index, pick] of picks.entries()) {
    const found = find(pick);
    if (found.length === 0) unmatched.push(index);
    for (const source of found) chosen.add(source);
  }
  return {
    chosen: sources.filter((source) => chosen.has(source)),
    others: sources.filter((source) => !chosen.has(source)),
    unmatched,
  };
}

/** The names of the tags of an operation. */
export function tagsOf({ content }: OperationSource): string[] {
  const { tags } = content;
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];
}

/** Splits a `METHOD /path` at its first space, the method in upper case; undefined for any other text. */
export function splitRoute(text: string): { readonly method: string; readonly path: string } | undefined {
  const [, method, path] = /^(\S+) +(\S.*)$/.exec(text) ?? [];
  return method === undefined || path === undefined ? undefined : { method: method.toUpperCase(), path };
}

type Finder = (pick: OperationPick) => readonly OperationSource[];

function buildFinder(sources: readonly OperationSource[], budget: Budget): Finder {
  const byId = groupByNames(sources, ({ operation }) => operation.operationId ?? []);
  const byRoute = groupBy(sources, ({ operation }) => routeOf(operation));
  const byTag = groupByNames(sources, tagsOf);
  const matching = (pattern: string): OperationSource[] => {
    const pieces = pattern.split("*");
    return sources.filter(({ operation }) => {
      const route = routeOf(operation);
      return budget.spend(pieces.length + route.length) && matches(route, pieces);
    });
  };
  return (pick) => {
    if (typeof pick !== "string") return byTag.get(pick.tag) ?? [];
    const split = splitRoute(pick);
    if (split === undefined) return byId.get(pick) ?? [];
    const route = `${split.method} ${split.path}`;
    const routes = route.includes("*") ? matching(route) : (byRoute.get(route) ?? []);
    return [...(byId.get(pick) ?? []), ...routes];
  };
}

function groupByNames(
  sources: readonly OperationSource[],
  namesOf: (source: OperationSource) => string | readonly string[],
): Map<string, OperationSource[]> {
  const groups = new Map<string, OperationSource[]>();
  for (const source of sources) {
    for (const name of [namesOf(source)].flat()) addTo(groups, name, source);
  }
  return groups;
}

/** Whether a text is some pieces with any text between them; no regular expression, whose work could explode. */
function matches(text: string, pieces: readonly string[]): boolean {
  const [first = "", ...rest] = pieces;
  const last = rest.pop() ?? "";
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const piece of rest) {
    const at = text.indexOf(piece, from);
    if (at === -1) return false;
    from = at + piece.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}
