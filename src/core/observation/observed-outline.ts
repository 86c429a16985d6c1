import { evaluate } from "../expression/resolution.js";
import { escapeStrings } from "../expression/substituted.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import type { Kind } from "../kind/kind.js";

/**
 * Gives a body that was answered with its documents as outlines. The digests in the outline of a workspace's document
 * are of its escaped texts, so they are here, too; what is not a digest is as it was answered.
 */
export function outlineAnswered(body: JsonObject, kind: Kind): JsonObject {
  const documents = kind.outlined.filter((field) => isObject(body[field]));
  if (documents.length === 0) return body;
  const escaped = documents.map((field): [string, Json] => [field, escapeStrings(body[field] as Json)]);
  const { body: outlined } = kind.outline({ ...body, ...Object.fromEntries(escaped) });
  const literal = documents.map((field): [string, Json] => [
    field,
    evaluate(outlined[field] ?? null, () => undefined),
  ]);
  return { ...outlined, ...Object.fromEntries(literal) };
}
