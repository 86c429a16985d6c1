import { schemas } from "../generated/schemas.js";
import type { JsonObject } from "../json/json.js";
import type { Path } from "../json/path.js";
import { kindOfDocument } from "../core/kind/kinds.js";
import { descriptionIn, partsAt } from "../core/schema/schema-parts.js";

/** Gives what the schema of a kind of document says about a field; undefined if it says nothing. */
export async function describeField(kind: string, path: Path): Promise<string | undefined> {
  const name = kind === "Workspace" ? "workspace" : kindOfDocument(kind)?.name;
  if (name === undefined) return undefined;
  const root = (await schemas[name]()).default as unknown as JsonObject;
  return descriptionIn(partsAt(root, path));
}
