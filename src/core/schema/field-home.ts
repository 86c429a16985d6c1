import type { DocumentField, Field } from "../../generated/fields.js";
import type { Path } from "../../json/path.js";
import { nearest, slipOf } from "../finding/nearest.js";
import { quote } from "../finding/quotation.js";
import { bare, say, type Said } from "../finding/said.js";
import type { ReferencePlaces } from "../kind/kind.js";

/** Says where an unknown field of the wrong level belongs; other names may mean something to a service. */
export function homeOf(
  path: Path,
  root: DocumentField,
  places: ReferencePlaces | undefined,
): Said | undefined {
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
  root: DocumentField,
  places: ReferencePlaces | undefined,
): Map<string, string> {
  const homes = new Map<string, string>();
  if (at === "spec" && places) {
    for (const [place, takes] of Object.entries(places)) {
      const [name = "", ...above] = place.split(".").toReversed();
      if (takes !== null && above.length > 0) homes.set(name, homeAt(above.toReversed(), root.fields.spec));
    }
  }
  const inside = (home: string) => {
    if (depth > 1 && at === home) return;
    for (const name of Object.keys(root.fields[home]?.fields ?? {})) homes.set(name, `under ${quote(home)}`);
  };
  inside("lifecycle");
  inside("metadata");
  inside("spec");
  // Both a document and its `spec` have a name, unlike the manifest.
  if (places)
    homes.set("name", "under `metadata` as the key, and under `spec` as the name that the service shows");
  if (depth > 1) for (const name of Object.keys(root.fields)) homes.set(name, "beside `spec`");
  return homes;
}

/** Names the parts of a `spec` that have a field which stands beside them; which of them is meant, only the writer knows. */
export function partsWith(path: Path, root: DocumentField): Said | undefined {
  if (path[0] !== "spec" || path.length !== 2) return undefined;
  const key = String(path[1]);
  const parts = Object.entries(root.fields.spec.fields)
    .filter(([, { fields = {}, open }]) => !open && Object.hasOwn(fields, key))
    .map(([part]) => quote(`spec.${part}`));
  if (parts.length === 0) return undefined;
  const where = parts.length > 2 ? `one of ${parts.join(", ")}` : parts.join(" or ");
  return say`${bare({ meant: key }, quote(key))} belongs under ${where}`;
}

function homeAt(keys: readonly string[], spec: Field): string {
  let field: Field | undefined = spec;
  for (const [index, key] of keys.entries()) {
    field = field?.fields?.[key];
    if (!field?.items) continue;
    const list = quote(["spec", ...keys.slice(0, index + 1)].join("."));
    const below = keys.slice(index + 1).join(".");
    return `${below === "" ? "" : `under ${quote(below)} `}in an item of the list ${list}`;
  }
  return `under ${quote(["spec", ...keys].join("."))}`;
}
