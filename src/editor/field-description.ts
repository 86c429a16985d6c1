import type { Path } from "../json/path.js";
import { kindOfDocument } from "../core/kind/kinds.js";
import { descriptionIn, loadSchema, partsAt } from "../core/schema/schema-parts.js";

/** Gives what the schema of a kind of document says about a field; undefined if it says nothing. */
export async function describeField(kind: string, path: Path): Promise<string | undefined> {
  const name = kind === "Workspace" ? "workspace" : kindOfDocument(kind)?.name;
  if (name === undefined) return undefined;
  return descriptionIn(partsAt(await loadSchema(name), path));
}
