import { equal } from "../json/json.js";
import type { FoundName } from "./find-names.js";
import { documentOf, lifecycleOf, marked, type TextChange } from "./lifecycle-changes.js";
import { withAddress, withoutAddress } from "./moved-from.js";

/** What can be changed, or a sentence that says why it cannot. */
export type Changeable<Value> = ({ readonly ok: true } & Value) | ReturnType<typeof unchangeable>;

/** Changes of texts, or why there can be none. */
export type Changes = Changeable<{ readonly changes: readonly TextChange[] }>;

/** Makes the result of what cannot be changed. */
export function unchangeable(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

/**
 * Gives the changes of `moved_from` that a rename needs: each document that makes the resource names its earlier address,
 * if a lock may know it, and none names its own; so do patches that have a `moved_from`, which hides the document's.
 */
export function keepingIds(
  documents: readonly FoundName[],
  from: string,
  to: string,
  isKnown: boolean,
): Changes {
  const changes: TextChange[] = [];
  for (const name of documents) {
    const need = isKnown ? `needs \`moved_from: ${from}\` to keep the ID` : `has \`moved_from: ${to}\``;
    const refused = unchangeable(
      `${name.file} ${need}, which cannot be changed there: correct its errors, or change it by hand first`,
    );
    const place = documentOf(name);
    const lifecycle = place ? lifecycleOf(place) : "unknown";
    if (!place || lifecycle === "unknown" || (name.role === "patch" && lifecycle === null)) {
      if (isKnown) return refused;
      continue;
    }
    const known = lifecycle?.["moved_from"];
    if (name.role === "patch" && known === undefined) continue;
    const kept = withoutAddress(known, to);
    const wanted = isKnown ? withAddress(kept, from) : kept;
    if (isKnown && wanted === undefined) return refused;
    if (wanted === undefined && known === undefined) continue;
    if (wanted !== undefined && known !== undefined && equal(wanted, known)) continue;
    const change =
      marked(place, "moved_from", wanted) ??
      (wanted === undefined ? marked(place, "moved_from", []) : undefined);
    if (!change) return refused;
    changes.push(change);
  }
  return { ok: true, changes };
}
