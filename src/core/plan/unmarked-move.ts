import { groupBy } from "../../json/groups.js";
import { warning, type Finding, type KeyPlace, type Place } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import type { Resource, ResourceLifecycle } from "../resources/resource.js";
import { movedFrom } from "../resources/former-address.js";
import type { Planning } from "./planning.js";

/** New resources, and the addresses of the same kind that are gone and had the same body. */
interface Likeness {
  readonly come: Resource[];
  readonly gone: string[];
}

const mostTold = 100;
const mostNamed = 5;

/** Warns of a rename without `moved_from`: a document gone, a new one of equal body or file; no guess among several. */
export function unmarkedMoves(planning: Planning): Finding[] {
  const { actions, fleet, lock } = planning;
  const byBody = new Map<string, Likeness>();
  for (const { action, address } of actions.values()) {
    const resource = action === "create" ? fleet.resources.get(address) : undefined;
    if (!resource || resource.lifecycle.adopt !== undefined) continue;
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
  const renames = alike.flatMap(renameIn);
  const seen = new Set(renames.flatMap(({ resource: { address }, from }) => [address, from]));
  for (const rename of [...renamedBack(planning), ...renamedInFile(planning)]) {
    const ends = [rename.resource.address, rename.from];
    if (ends.some((end) => seen.has(end))) continue;
    renames.push(rename);
    for (const end of ends) seen.add(end);
  }
  const expanded = renames.flatMap((rename) => {
    const { each } = rename.place;
    return each ? [{ ...rename, each }] : [];
  });
  const byDocument = groupBy(expanded, ({ place: { document, file } }) => `${document} ${file}`);
  const groups: (() => Finding)[] = [
    ...[...byDocument.values()].map((group) => () => explainExpanded(group)),
    ...renames.flatMap((rename) => (rename.place.each ? [] : [() => explainRename(rename)])),
    ...alike
      .filter(({ come, gone }) => come.length + gone.length > 2)
      .map((each) => () => explainUnclear(each)),
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

function keyOf(address: string, what: string): string {
  return `${address.slice(0, address.indexOf(":"))} ${what}`;
}

function renameIn({ come, gone }: Likeness): Rename[] {
  const [[resource, ...others], [from, ...more]] = [come, gone];
  if (!resource || from === undefined || others.length + more.length > 0) return [];
  return [{ resource, from, place: resource.place(["metadata", "name"]) }];
}

// A rename that is taken back, as by git, may be taken back with edits, and the entry knows where it came from.
function renamedBack({ actions, fleet, lock }: Planning): Rename[] {
  return Object.entries(lock.resources).flatMap(([from, { moved_from = [] }]) => {
    if (fleet.resources.has(from)) return [];
    const address = moved_from.findLast((each) => actions.get(each)?.action === "create");
    const resource = address === undefined ? undefined : fleet.resources.get(address);
    const place = resource?.place(["metadata", "name"]);
    if (!resource || !place || place.each || resource.lifecycle.adopt !== undefined) return [];
    return [{ resource, from, place, by: "to which it was renamed before" }];
  });
}

// Whoever renames often edits as well, and then the place of the document tells.
function renamedInFile({ actions, fleet, lock }: Planning): Rename[] {
  const gone = groupBy(
    Object.entries(lock.resources).flatMap(([from, { file }]) =>
      file === undefined || fleet.resources.has(from) || fleet.absent.has(from) ? [] : [{ from, file }],
    ),
    ({ from, file }) => keyOf(from, file),
  );
  if (gone.size === 0) return [];
  // What no update changes would be replaced for its edits, with its mark as well.
  const created = [...fleet.resources.values()].filter(
    ({ address, kind }) => kind.replacedBy !== "any" && actions.get(address)?.action === "create",
  );
  return [...groupBy(created, ({ address, file }) => keyOf(address, file))].flatMap(([key, come]) => {
    const [resource, ...others] = come;
    const [first, ...more] = gone.get(key) ?? [];
    const place = resource.place(["metadata", "name"]);
    if (!first || others.length + more.length > 0 || place.each || resource.lifecycle.adopt !== undefined)
      return [];
    return [{ resource, from: first.from, place, by: "which was in the same file" }];
  });
}

function explainRename({ resource, from, place, by = "which had an equal body" }: Rename): Finding {
  const { address, file, lifecycle } = resource;
  const message = say`${{ address }} is new, and ${{ from }}, ${by}, is gone`;
  // Another environment may still need the addresses that are there.
  const known = movedFrom(resource);
  const value = known.length > 0 ? `[${[from, ...known].join(", ")}]` : from;
  const hint =
    say`if it was renamed, ${markLine(lifecycle, value)} in ${file}: then its object keeps its ID`.proposing({
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

/** A new resource that was probably renamed, and its earlier address. */
interface Rename {
  readonly resource: Resource;
  readonly from: string;
  readonly place: Place;
  /** What tells it; its body unless given. */
  readonly by?: "which had an equal body" | "to which it was renamed before" | "which was in the same file";
}

/** A rename of a resource that was made for a key of a `for_each`. */
interface ExpandedRename extends Rename {
  readonly each: KeyPlace;
}

type ExpandedRenames = [ExpandedRename, ...ExpandedRename[]];

const mostRelated = 8;

/** Explains renames of a `for_each`, whose resources share one `moved_from`. */
function explainExpanded(renames: ExpandedRenames): Finding {
  const [{ resource, from, place }] = renames;
  const { address, lifecycle, file } = resource;
  const { each: _, ...where } = place;
  const more = renames.length - 1;
  const others =
    more > 0 ? say` (and ${bare({ count: more }, more.toLocaleString("en-US"))} more of its document)` : "";
  const message = say`${{ address }}${others} is new, and ${{ from }}, which had an equal body, is gone`;
  const line = `${markLine(lifecycle, '"${each:from}"')} in ${file}, and give each key its earlier address as \`from\`, or \`from: []\``;
  const related = renames.slice(0, mostRelated).map((each) => {
    return { message: `\`${each.resource.address}\` was \`${each.from}\``, place: each.each.place };
  });
  return {
    ...warning("move-unmarked", where, message, `if it was renamed, ${line}: then its object keeps its ID`),
    ...(more === 0 && { address }),
    related,
  };
}

function markLine(lifecycle: ResourceLifecycle, from: string): string {
  if (lifecycle.moved_from !== undefined) return `write \`moved_from: ${from}\` under \`lifecycle\``;
  return Object.keys(lifecycle).length > 0
    ? `add \`moved_from: ${from}\` under \`lifecycle\``
    : `add \`lifecycle: {moved_from: ${from}}\``;
}
