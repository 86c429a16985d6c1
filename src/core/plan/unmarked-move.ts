import { warning, type Finding } from "../finding/diagnostic.js";
import type { Resource } from "../resources/resource.js";
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
export function unmarkedMoves({ actions, fleet, lock }: Planning): Finding[] {
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
  const told = alike.slice(0, mostTold).map(explain);
  const left = alike.length - told.length;
  if (left === 0) return told;
  const message = `${left.toLocaleString("en-US")} more new resources have the body of one that is gone`;
  return [
    ...told,
    warning("move-unmarked", undefined, message, "write `moved_from` for those that were renamed"),
  ];
}

function keyOf(address: string, digest: string): string {
  return `${address.slice(0, address.indexOf(":"))} ${digest}`;
}

function explain({ come, gone }: Likeness): Finding {
  const [resource] = come;
  const [from] = gone;
  const place = resource?.place(["metadata", "name"]);
  if (resource === undefined || come.length > 1 || gone.length > 1) {
    const message = `${named(
      "new",
      come.map(({ address }) => address),
    )} and ${named("gone", gone)} have equal bodies`;
    const hint = "if one was renamed, write `lifecycle: {moved_from: OLD-ADDRESS}` in its document";
    return warning("move-unmarked", place, message, hint);
  }
  const { address, file, lifecycle } = resource;
  const message = `\`${address}\` is new, and \`${from}\`, which had an equal body, is gone`;
  const line =
    Object.keys(lifecycle).length > 0
      ? `add \`moved_from: ${from}\` under \`lifecycle\``
      : `add \`lifecycle: {moved_from: ${from}}\``;
  const hint = `if it was renamed, ${line} in ${file}: then its object keeps its ID`;
  return { ...warning("move-unmarked", place, message, hint), address };
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
