import { lasting } from "../kind/body.js";
import type { Kind } from "../kind/kind.js";
import { comparing, type Lookup } from "../expression/resolution.js";
import type { JsonObject } from "../../json/json.js";
import type { LockEntry } from "../state/lock.js";
import { specOf } from "./observed-body.js";
import { withPickedOperations } from "./picked-operations.js";
import { sightingOf, type Sighting } from "./sighting.js";

/** Compares what a managed object was last sent with what was observed of it, for a tool set of each of its tools. */
export function sightingsOf(entry: LockEntry, kind: Kind, observed: readonly JsonObject[]): Sighting[] {
  return sightingsOfBody(entry.body, entry, kind, observed, ({ text }) => entry.references?.[text]);
}

/** Compares a body, whose references stand for what a lookup says, with what was observed of a managed object. */
export function sightingsOfBody(
  body: JsonObject,
  { baseline }: Pick<LockEntry, "baseline">,
  kind: Kind,
  observed: readonly JsonObject[],
  lookup: Lookup,
): Sighting[] {
  const sent = lasting(body, kind);
  const hidden = baseline ? new Set(baseline.hidden) : "all";
  const sight = { meaning: comparing(lookup), fields: specOf(kind), hidden } as const;
  return observed.map((seen) => sightingOf(sent, withPickedOperations(sent, seen, kind), sight));
}
