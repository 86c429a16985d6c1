/** References between the objects of a bench workspace, for tools that do not support them. */

const reference = /^\$\{(?:policy|toolset):([^}]+)\}$/;

/** The names of all objects that a spec refers to. */
export function referencesOf(value) {
  if (typeof value === "string") return reference.exec(value)?.slice(1) ?? [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(referencesOf) : [];
}

/** The same spec with IDs instead of references; `idsOf` gives the IDs of a name. */
export function fillIn(value, idsOf) {
  if (typeof value === "string") {
    const name = reference.exec(value)?.[1];
    return name === undefined ? value : idsOf(name)[0];
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.flatMap((item) => fillItem(item, idsOf));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, idsOf)]));
}

// In a list, a tool set means all of its tools.
function fillItem(item, idsOf) {
  const name = typeof item === "string" ? reference.exec(item)?.[1] : undefined;
  return name === undefined ? [fillIn(item, idsOf)] : idsOf(name);
}
