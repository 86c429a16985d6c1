import { addTo } from "../../json/groups.js";
import { lazy, oncePer } from "../../json/once.js";
import type { Change, GuardrailNote, NamedOperation } from "../../generated/plan.js";
import { itemSegment } from "../../json/path.js";
import { referencesIn } from "../expression/reference.js";
import type { Remark } from "./rule.js";

/** Makes what gives the path of the change that a remark is about, or the nearest around it. */
export function leadToChanges(changes: readonly Change[]): (remark: Remark) => string | undefined {
  const known = new Set(changes.map(({ path }) => path));
  const below = changesBelow(changes);
  const byReference = lazy(() => pathsByReference(changes));
  const holderOf = (reference: string, parent: string): string | undefined =>
    byReference()
      .get(reference)
      ?.find((path) => isBelow(path, parent));
  return ({ path, reference }) => {
    if (path === undefined) return undefined;
    for (const parent of withParents(path)) {
      if (known.has(parent)) return parent;
      const [first, another] = below.get(parent) ?? [];
      if (first === undefined) continue;
      if (another === undefined) return first.path;
      return (reference !== undefined && holderOf(reference, parent)) || parent;
    }
    return path;
  };
}

/** Gives the changes at or below each path of some changes, and at or below each of what is around them. */
export const changesBelow = oncePer((changes: readonly Change[]): ReadonlyMap<string, Change[]> => {
  const below = new Map<string, Change[]>();
  for (const change of changes) for (const parent of withParents(change.path)) addTo(below, parent, change);
  return below;
});

/** Gives the paths that a note is about: for several operations, or all of a document, those of each. */
export const pathsOfNote = oncePer(
  ({ path = "", parts: { operations = [] } }: GuardrailNote): ReadonlySet<string> => {
    const [, field = "", members = ""] = /^([\w$-]+)\.(.+)$/s.exec(path) ?? [];
    const member = ofDocument.exec(members)?.[1] ?? memberIn(members, operations);
    if (member === undefined) return new Set([path]);
    const end = member === "" ? "" : `.${member}`;
    return new Set([
      path,
      ...operations.map(({ route = "" }) => `${field}.operations${itemSegment(route)}${end}`),
    ]);
  },
);

/** What a document says for all operations that do not say it themselves. */
const ofDocument = /^(servers|security(?=\.requirements))(?![\w$-])/;

function memberIn(members: string, operations: readonly NamedOperation[]): string | undefined {
  if (!members.startsWith("operations[")) return undefined;
  for (const { route = "" } of operations) {
    const start = `operations${itemSegment(route)}`;
    if (members === start) return "";
    const [, member] = members.startsWith(`${start}.`)
      ? (/^([\w$-]+)/.exec(members.slice(start.length + 1)) ?? [])
      : [];
    if (member !== undefined) return member;
  }
  return undefined;
}

/** Gives a path and those of everything around it, the nearest first. */
export function withParents(path: string): string[] {
  const parents = [path];
  for (let end = path.length - 1; end > 0; end--) {
    if (openings.includes(path[end] ?? "")) parents.push(path.slice(0, end));
  }
  return parents;
}

const openings: readonly string[] = [".", "[", "{"];

/** Whether a path goes on below another one. */
export function isBelow(path: string, parent: string): boolean {
  return path.startsWith(parent) && openings.includes(path[parent.length] ?? "");
}

function pathsByReference(changes: readonly Change[]): Map<string, string[]> {
  const paths = new Map<string, string[]>();
  for (const { path, before, after } of changes) {
    const texts = [before, after].flatMap((side) => (side === undefined ? [] : referencesIn(side)));
    for (const text of new Set(texts.map((reference) => reference.text))) addTo(paths, text, path);
  }
  return paths;
}

/** Gives the keys of the path of a change as far as mappings go: a list comes from one layer as a whole. */
export function mappingPath(change: string): string[] {
  const keys: string[] = [];
  for (const [, plain, quoted] of change.matchAll(/(?:^|\.)(?:([\w$-]+)|("(?:[^"\\]|\\.)*"))|[^]/g)) {
    const key = quoted === undefined ? plain : (JSON.parse(quoted) as string);
    if (key === undefined) break;
    keys.push(key);
  }
  return keys;
}
