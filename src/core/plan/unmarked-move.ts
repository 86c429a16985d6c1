import { addTo } from "../../json/groups.js";
import { warning, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import type { Resource } from "../resources/resource.js";
import { explainExpanded, markLine, type ExpandedRenames, type Rename } from "./expanded-move.js";
import { movedFrom } from "./move.js";
import type { Planning } from "./planning.js";

/** New resources, and the addresses of the same kind that are gone and had the same body. */
interface Likeness {
  readonly come: Resource[];
  readonly gone: string[];
}

const mostTold = 100;
const mostNamed = 5;

/**
 * Warns where a document is gone and a new one has an equal body, which is a rename without `moved_from`. Where
 * several are alike none is guessed.
 */
export function unmarkedMoves(planning: Planning): Finding[] {
  const { actions, fleet, lock } = planning;
  const byBody = new Map<string, Likeness>();
  for (const { action, address } of actions.values()) {
    const resource = action === "create" ? fleet.resources.get(address) : undefined;
    if (!resource || resource.lifecycle.adopt !== undefined || movedFrom(resource).length > 0) continue;
    const key = keyOf(address, resource.digest);
    const known = byBody.get(key);
    if (known) known.come.push(resource);
    else byBody.set(key, { come: [resource], gone: [] });
  }
  if (byBody.size === 0) return [];
  for (const [address, { digest }] of Object.entries(lock.resources)) {
    if (!fleet.resources.has(address)) byBody.get(keyOf(address, digest))?.gone.push(address);
  }
  const alike = [...byBody.values()].filter(({ gone }) => gone.length > 0);
  const { renames, expanded, unclear } = sortLikenesses(alike);
  const isTaken = (address: string) => renames.has(address);
  const groups: (() => Finding)[] = [
    ...[...expanded.values()].map((group) => () => explainExpanded(group, planning, isTaken)),
    ...[...renames.values()].flatMap((rename) => (rename.place.each ? [] : [() => explainRename(rename)])),
    ...unclear.map((likeness) => () => explainUnclear(likeness)),
  ];
  const told = groups.slice(0, mostTold).map((explain) => explain());
  const left = groups.length - told.length;
  if (left === 0) return told;
  const message = say`${bare({ count: left }, left.toLocaleString("en-US"))} more new resources have the body of one that is gone`;
  return [
    ...told,
    warning("move-unmarked", undefined, message, "write `moved_from` for those that were renamed"),
  ];
}

function keyOf(address: string, digest: string): string {
  return `${address.slice(0, address.indexOf(":"))} ${digest}`;
}

/** Likenesses by what can be said of them. */
interface SortedRenames {
  /** The probable renames, by earlier address. */
  readonly renames: Map<string, Rename>;
  /** Those among them that a document makes with `for_each`, by document. */
  readonly expanded: Map<string, ExpandedRenames>;
  /** Where several are alike. */
  readonly unclear: Likeness[];
}

function sortLikenesses(alike: readonly Likeness[]): SortedRenames {
  const sorted: SortedRenames = { renames: new Map(), expanded: new Map(), unclear: [] };
  for (const likeness of alike) {
    const [[resource, ...others], [from, ...more]] = [likeness.come, likeness.gone];
    if (!resource || from === undefined || others.length > 0 || more.length > 0) {
      sorted.unclear.push(likeness);
      continue;
    }
    const place = resource.place(["metadata", "name"]);
    sorted.renames.set(from, { resource, from, place });
    const { each, file, document } = place;
    if (!each) continue;
    const rename = { resource, from, place, each };
    addTo(sorted.expanded, `${document} ${file}`, rename);
  }
  return sorted;
}

function explainRename({ resource: { address, file, lifecycle }, from, place }: Rename): Finding {
  const message = say`${{ address }} is new, and ${{ from }}, which had an equal body, is gone`;
  const hint =
    say`if it was renamed, ${markLine(lifecycle, from)} in ${file}: then its object keeps its ID`.proposing({
      type: "mark",
      field: "moved_from",
      values: [from],
    });
  return { ...warning("move-unmarked", place, message, hint), address };
}

function explainUnclear({ come, gone }: Likeness): Finding {
  const addresses = come.map(({ address }) => address);
  const message = say`${bare({ to: addresses }, named("new", addresses))} and ${bare({ from: [...gone] }, named("gone", gone))} have equal bodies`;
  const place = come[0]?.place(["metadata", "name"]);
  const mark = "if one was renamed, write `lifecycle: {moved_from: OLD-ADDRESS}` in its document";
  const hint = place?.each
    ? `${mark}; for a key of \`for_each\`, write \`moved_from: "\${each:from}"\`, and its old address, or \`[]\`, as \`from\` of each key`
    : mark;
  return warning("move-unmarked", place, message, hint);
}

function named(word: string, addresses: readonly string[]): string {
  if (addresses.length > mostNamed) {
    return `${addresses.length.toLocaleString("en-US")} ${word} resources`;
  }
  return `the ${word} ${addresses
    .toSorted()
    .map((address) => `\`${address}\``)
    .join(", ")}`;
}
