import { isObject, type Json, type JsonObject } from "../../core/json.js";
import { headOf } from "./cut-text.js";
import { countText } from "./count-text.js";
import { safeLine } from "./terminal-text.js";

const digest = /^[0-9a-f]{16}$/;
const insideOutline = /\boperations\[|\.security\.schemes$/;
const shownOperations = 5;

/** An OpenAPI document as plans hold it: its operations, and digests of what they are made of. */
export type OutlineValue = JsonObject & { readonly operations: readonly JsonObject[] };

/** Whether a value is the outline of an OpenAPI document, by its shape. */
export function isOutline(value: Json | undefined): value is OutlineValue {
  return isObject(value) && Array.isArray(value.operations) && value.operations.every(isOperation);
}

/** Renders an outline: the first line counts, the others name the first few operations. */
export function outlineLines(outline: OutlineValue): [string, ...string[]] {
  const { operations, servers } = outline;
  const hosts = Array.isArray(servers)
    ? servers.flatMap((server) => (isObject(server) ? textOf(server.url) : []))
    : [];
  const at = hosts.length > 0 ? ` at ${safeLine(headOf(hosts.slice(0, 3).join(", "), 200))}` : "";
  const left = operations.length - shownOperations;
  return [
    `${countText(operations.length, "operation")}${at}`,
    ...operations.slice(0, shownOperations).map(operationText),
    ...(left > 0 ? [`… ${left} more`] : []),
  ];
}

/**
 * Renders what a change inside an outline says where only digests are known: its path, and a word or two;
 * undefined if the change is none of these.
 */
export function outlineChange(
  path: string,
  before: Json | undefined,
  after: Json | undefined,
): { readonly path: string; readonly text: string } | undefined {
  if (!insideOutline.test(path)) return undefined;
  const value = after ?? before;
  if ([before, after].every((side) => side === undefined || isDigest(side))) {
    const text = before === undefined ? "added" : after === undefined ? "removed" : "changed";
    return { path: path.replace(/\.digest$/, ""), text };
  }
  if (before !== undefined && after !== undefined) return undefined;
  if (isOperation(value))
    return { path, text: typeof value.operationId === "string" ? safeLine(value.operationId) : "" };
  if (isParameter(value)) return { path, text: value.required === true ? "required" : "optional" };
  return undefined;
}

function operationText({ method, path, operationId }: JsonObject): string {
  const name = typeof operationId === "string" ? ` (${headOf(operationId, 100)})` : "";
  return safeLine(`${textOf(method).join("")} ${headOf(textOf(path).join(""), 200)}${name}`);
}

function isOperation(value: Json | undefined): value is JsonObject {
  return isObject(value) && typeof value.method === "string" && typeof value.path === "string";
}

function isParameter(value: Json | undefined): value is JsonObject {
  return isObject(value) && typeof value.in === "string" && isDigest(value.digest);
}

function isDigest(value: Json | undefined): boolean {
  return typeof value === "string" && digest.test(value);
}

function textOf(value: Json | undefined): string[] {
  return typeof value === "string" ? [value] : [];
}
