import { schemas } from "../../generated/schemas.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { atPointer } from "../../json/json-pointer.js";
import { valueAt, type Path } from "../../json/path.js";

/** Loads a schema as data; TypeScript knows it only by what is in it. */
export async function loadSchema(name: keyof typeof schemas): Promise<JsonObject> {
  return (await schemas[name]()).default;
}

/** Gives all parts of a schema that describe the value at a path, alternatives included: the nearest first. */
export function partsAt(root: JsonObject, path: Path): JsonObject[] {
  let parts = formsOf(root, root);
  for (const step of path) parts = parts.flatMap((part) => formsOf(memberOf(part, step), root));
  return parts;
}

function memberOf({ properties, items, additionalProperties }: JsonObject, step: string | number) {
  if (typeof step === "number") return items;
  return valueAt(properties, [step]) ?? additionalProperties;
}

// A schema, and what it refers to and allows beside itself.
function formsOf(schema: Json | undefined, root: JsonObject): JsonObject[] {
  if (!isObject(schema)) return [];
  const forms = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((each) =>
    Array.isArray(each) ? each : [],
  );
  if (typeof schema.$ref === "string") {
    forms.push(atPointer(root, schema.$ref) ?? null);
  }
  return [schema, ...forms.flatMap((form) => formsOf(form, root))];
}

/** Gives what a schema says of the value that some parts of it describe, in Markdown; undefined if it says nothing. */
export function descriptionIn(parts: readonly JsonObject[]): string | undefined {
  const described = parts.find(({ description }) => typeof description === "string");
  return described?.description as string | undefined;
}
