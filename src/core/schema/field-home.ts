import type { Field } from "../../generated/fields.js";
import type { Path } from "../../json/path.js";
import { nearest, slipOf } from "../finding/nearest.js";
import { quote } from "../finding/quotation.js";
import { bare, say, type Said } from "../finding/said.js";
import type { ReferencePlaces } from "../kind/kind.js";

/**
 * Says where an unknown field belongs that is at the wrong level: one of a document in its `spec`, one of its `spec`
 * above it, or one that takes references elsewhere. Other names may mean something of their own to a service.
 */
export function homeOf(path: Path, root: Field, places: ReferencePlaces | undefined): Said | undefined {
  const homes = homesOutside(String(path[0]), path.length, root, places);
  const key = String(path.at(-1));
  const names = [...homes.keys()];
  const name = homes.has(key)
    ? key
    : (slipOf(key, names) ?? (key.length > 4 ? nearest(key, names) : undefined));
  if (name === undefined) return undefined;
  return say`${bare({ meant: name }, quote(name))} belongs ${homes.get(name) ?? ""}`;
}

function homesOutside(
  at: string,
  depth: number,
  root: Field,
  places: ReferencePlaces | undefined,
): Map<string, string> {
  const homes = new Map<string, string>();
  if (at === "spec" && places) {
    for (const [place, takes] of Object.entries(places)) {
      const name = place.slice(place.lastIndexOf(".") + 1);
      if (takes !== null && name !== place) homes.set(name, `at ${quote(`spec.${place}`)}`);
    }
  }
  const inside = (home: string) => {
    if (depth > 1 && at === home) return;
    for (const name of Object.keys(root.fields?.[home]?.fields ?? {}))
      homes.set(name, `under ${quote(home)}`);
  };
  inside("lifecycle");
  inside("metadata");
  inside("spec");
  // Both a document and its `spec` have a name, unlike the manifest.
  if (places)
    homes.set("name", "under `metadata` as the key, and under `spec` as the name that the service shows");
  if (depth > 1) for (const name of Object.keys(root.fields ?? {})) homes.set(name, "beside `spec`");
  return homes;
}
