import type { JsonObject } from "../../json/json.js";
import { referencesIn } from "../expression/reference.js";
import { resolvedReferences } from "../expression/resolution.js";
import { baselineOf } from "../observation/baseline.js";
import { sightingsOf } from "../observation/entry-sighting.js";
import type { FoundResource } from "../observation/found-objects.js";
import { bodyDigest, type LockEntry } from "../state/lock.js";

/** Gives the lock entry of a resource that was found with another body, which its document now says. */
export function keptEntry(
  found: FoundResource,
  body: JsonObject,
  observed: readonly JsonObject[],
  left: readonly string[],
): LockEntry {
  const { entry, kind, lookup } = found;
  const { references: _references, baseline, ...rest } = entry;
  const references = resolvedReferences(referencesIn(body), lookup);
  const kept = { ...rest, body, digest: bodyDigest(body), ...(references && { references }) };
  if (!baseline) return kept;
  const hidden = new Set(baseline.hidden);
  const { own } = baselineOf(sightingsOf({ ...kept, baseline }, kind, observed, { hidden }));
  // What is not in a document is still to be seen as somebody's change.
  for (const pointer of left) {
    const was = Object.hasOwn(baseline.own, pointer) ? baseline.own[pointer] : undefined;
    if (was === undefined) delete own[pointer];
    else own[pointer] = was;
  }
  return { ...kept, baseline: { ...baseline, own } };
}
