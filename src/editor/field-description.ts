import { schemas } from "../generated/schemas.js";
import { isObject, type Json, type JsonObject } from "../json/json.js";
import type { Path } from "../json/path.js";
import { kindOfDocument } from "../core/kind/kinds.js";

/** Gives what the schema of a kind of document says about a field; undefined if it says nothing. */
export async function describeField(kind: string, path: Path): Promise<string | undefined> {
  const name = kind === "Workspace" ? "workspace" : kindOfDocument(kind)?.name;
  if (name === undefined) return undefined;
  const root = (await schemas[name]()).default as unknown as JsonObject;
  return descriptionsAt(root, root, path)[0];
}

function descriptionsAt(schema: Json | undefined, root: JsonObject, path: Path): string[] {
  if (!isObject(schema)) return [];
  const forms = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((each) =>
    Array.isArray(each) ? each : [],
  );
  if (typeof schema.$ref === "string") {
    const target = schema.$ref.split("/").slice(1).reduce<Json | undefined>(memberOf, root);
    forms.push(target ?? null);
  }
  const inForms = (rest: Path) => forms.flatMap((each) => descriptionsAt(each, root, rest));
  const [first, ...rest] = path;
  if (first === undefined) {
    return [...(typeof schema.description === "string" ? [schema.description] : []), ...inForms(path)];
  }
  const { properties, items, additionalProperties } = schema;
  const member = typeof first === "number" ? items : (memberOf(properties, first) ?? additionalProperties);
  return [...descriptionsAt(member, root, rest), ...inForms(path)];
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
