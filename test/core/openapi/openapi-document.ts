import { hash } from "../../../src/digest.js";
import { canonical, type Json, type JsonObject } from "../../../src/json/json.js";
import { outline, type OutlineOperation } from "../../../src/core/openapi/openapi.js";

/** The digest that a value without references has in an outline. */
export const digestOf = (value: Json): string => hash(canonical(value)).slice(7);

/** The outline of the one operation of a document made of it and `rest`. */
export function outlined(operation: JsonObject, rest: JsonObject = {}): OutlineOperation {
  const document = { openapi: "3.1.0", paths: { "/pets": { get: operation } }, ...rest };
  const [first] = outline(document).operations;
  if (first === undefined) throw new Error("the document has no operation");
  return first;
}

export const schemaRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** An operation that answers with a schema. */
export const answering = (schema: Json): JsonObject => ({
  responses: { 200: { description: "ok", content: { "application/json": { schema } } } },
});

export const withSchemas = (schemas: JsonObject): JsonObject => ({ components: { schemas } });
