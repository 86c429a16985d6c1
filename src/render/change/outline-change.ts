import type { Change } from "../../generated/plan.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { pathSegment } from "../../json/path.js";
import {
  isDigest,
  isOperation,
  isOutline,
  isParameter,
  type OutlineValue,
  withoutDigests,
} from "../words/outline-text.js";
import { safeLine } from "../words/terminal-text.js";
import { flowText } from "../words/value-text.js";

// Below the field itself: what it holds is kept so that no text of a document looks like a digest.
const insideOutline = /^[\w$-]+\./;

/** Gives the outline that a change adds or takes away whole; undefined for any value that is not marked as one. */
export function outlineOf({ outline, before, after }: Change): OutlineValue | undefined {
  const value = after ?? before;
  return outline === true && isOutline(value) ? value : undefined;
}

/** Gives the lines of an operation that is added or removed; undefined for other changes. Not safe to show. */
export function operationLines({ path, before, after, outline }: Change): [string, ...string[]] | undefined {
  if (outline !== true || !insideOutline.test(path) || (before !== undefined && after !== undefined))
    return undefined;
  const value = after ?? before;
  if (!isOperation(value)) return undefined;
  const { operationId, method: _method, path: _path, ...said } = withoutDigests(value);
  const lines = Object.entries(said).map(
    ([key, member]) => `${pathSegment(key)}: ${flowText(member, wholeLine)}`,
  );
  return [typeof operationId === "string" ? operationId : "", ...lines];
}

// A text of an outline has at most 2,000 characters.
const wholeLine = 4000;

/** Says what a change inside an outline says where only digests are known, safely; undefined if it is none. */
export function outlinePart({
  path,
  before,
  after,
  outline,
}: Change): { readonly path: string; readonly words: string } | undefined {
  if (outline !== true || !insideOutline.test(path)) return undefined;
  const value = after ?? before;
  const words = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  if ([before, after].every((side) => side === undefined || isDigest(side)))
    return { path: path.replace(/\.digest$/, ""), words };
  if (before !== undefined && after !== undefined) return undefined;
  if (isParameter(value)) return { path, words: value.required === true ? "required" : "optional" };
  const names = isObject(value) ? digestNames(value) : [];
  return names.length > 0 ? { path, words: `${words}: ${names.map(safeLine).join(", ")}` } : undefined;
}

/** Gives the names by which a value has digests and nothing else; none if it has anything else. */
function digestNames(value: JsonObject): string[] {
  const names = Object.entries(value).map(([key, member]: [string, Json]): string[] => {
    if (isDigest(member)) return [key];
    return isObject(member) ? digestNames(member).map((name) => `${key} ${name}`) : [];
  });
  return names.every((each) => each.length > 0) ? names.flat() : [];
}
