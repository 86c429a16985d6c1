import { warning, type Finding, type KeyPlace, type Place } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import type { ResourceLifecycle, Resource } from "../resources/resource.js";
import type { Planning } from "./planning.js";

/** A new resource that was probably renamed, and its earlier address. */
export interface Rename {
  readonly resource: Resource;
  readonly from: string;
  readonly place: Place;
}

/** A rename of a resource that was made for a key of a `for_each`. */
export interface ExpandedRename extends Rename {
  readonly each: KeyPlace;
}

/** The renames of one document. */
export type ExpandedRenames = [ExpandedRename, ...ExpandedRename[]];

/** An earlier address with the key of `for_each` in it. */
interface KeyedAddress {
  readonly before: string;
  readonly after: string;
}

const mostNamed = 8;

/**
 * Explains renames without `moved_from` of resources that one document makes with `for_each`, so that they share its
 * `moved_from`. The earlier addresses of other renames are taken.
 */
export function explainExpanded(
  renames: ExpandedRenames,
  planning: Planning,
  isTaken: (address: string) => boolean,
): Finding {
  const [{ resource, from, place }] = renames;
  const { address, lifecycle, file } = resource;
  const { each: _, ...where } = place;
  const count = renames.length;
  const more =
    count > 1 ? say` and ${bare({ count: count - 1 }, (count - 1).toLocaleString("en-US"))} more` : "";
  const [are, bodies] = count > 1 ? ["are", "equal bodies"] : ["is", "an equal body"];
  const message = say`${{ address }}${more} ${are} new, and ${{ from }}${more}, which had ${bodies}, ${are} gone`;
  const keyed = keyedAddress(renames);
  const shared = keyed && fitsOthers(keyed, renames, planning, isTaken) ? keyed : undefined;
  const [those, keep] =
    count > 1 ? ["they were", "their objects keep their IDs"] : ["it was", "its object keeps its ID"];
  const line = shared
    ? `${markLine(lifecycle, `"${shared.before}\${each:key}${shared.after}"`)} in ${file}`
    : `${markLine(lifecycle, '"${each:from}"')} in ${file}, and give each key its earlier address as \`from\`, or \`from: []\``;
  const related = renames.slice(0, mostNamed).map((each) => {
    return { message: `\`${each.resource.address}\` was \`${each.from}\``, place: each.each.place };
  });
  return {
    ...warning("move-unmarked", where, message, `if ${those} renamed, ${line}: then ${keep}`),
    ...(count === 1 && { address }),
    ...((count > 1 || !shared) && { related }),
  };
}

/** Says which line marks a rename in a document with this `lifecycle`. */
export function markLine(lifecycle: ResourceLifecycle, from: string): string {
  if (lifecycle.moved_from !== undefined) return `write \`moved_from: ${from}\` under \`lifecycle\``;
  return Object.keys(lifecycle).length > 0
    ? `add \`moved_from: ${from}\` under \`lifecycle\``
    : `add \`lifecycle: {moved_from: ${from}}\``;
}

// The key must be a word of the address: as a part of one, it is there by chance.
function keyedAddress(renames: ExpandedRenames): KeyedAddress | undefined {
  const [{ from, each }] = renames;
  const { key } = each;
  if (key === "") return undefined;
  for (let at = from.indexOf(key); at !== -1; at = from.indexOf(key, at + 1)) {
    const keyed = { before: from.slice(0, at), after: from.slice(at + key.length) };
    const isWord = !/[a-z0-9]$/.test(keyed.before) && !/^[a-z0-9]/.test(keyed.after);
    if (isWord && renames.every((other) => other.from === addressFor(other.each.key, keyed))) return keyed;
  }
  return undefined;
}

function addressFor(key: string, { before, after }: KeyedAddress): string {
  return `${before}${key}${after}`;
}

// The other resources of the document have the same line: for them there must be nothing to move, or their own.
function fitsOthers(
  keyed: KeyedAddress,
  renames: ExpandedRenames,
  { fleet, lock, actions }: Planning,
  isTaken: (address: string) => boolean,
): boolean {
  const [{ resource, place }] = renames;
  const renamed = new Set(renames.map(({ resource: { address } }) => address));
  for (const other of fleet.resources.values()) {
    if (other.file !== resource.file || renamed.has(other.address)) continue;
    const { each, document } = other.place(["metadata", "name"]);
    if (!each || document !== place.document) continue;
    const from = addressFor(each.key, keyed);
    if (fleet.resources.has(from)) return false;
    if (lock.resources[from] === undefined && lock.unknown[from] === undefined) continue;
    if (isTaken(from) || actions.get(other.address)?.action !== "create") return false;
  }
  return true;
}
