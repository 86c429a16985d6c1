import type { Action } from "../generated/plan.js";
import { canonical, type Hash, type Json, type JsonObject } from "./json.js";

/** Gives the digest of what a plan does and what it rests on; what only explains it is left out. */
export function planDigest(
  actions: readonly Action[],
  documents: Readonly<Record<string, JsonObject>>,
  hash: Hash,
): string {
  const essence = actions.map((action) => {
    const {
      reasons: _reasons,
      changes: _changes,
      affects: _affects,
      affects_more: _more,
      file: _file,
      ...rest
    } = action;
    const whole = documents[rest.address];
    // The order of a document's keys is sent, so it counts.
    return { ...rest, ...(whole && { documents: hash(JSON.stringify(whole)) }) };
  });
  return hash(canonical(essence as unknown as Json));
}
