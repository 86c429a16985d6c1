import { kindOfAddress } from "../../core/kind/kinds.js";
import { filterMembers, isObject, type Json, type JsonObject, mapMembers } from "../../json/json.js";
import { headOf } from "./cut-text.js";
import { countText } from "./count-text.js";
import { safeLine } from "./terminal-text.js";
import { flowText } from "./value-text.js";

const digest = /^[0-9a-f]{64}$/;
// As of a long text of a new object: nothing else says what a new tool set can do.
const shownOperations = 200;
const shownWords = 20_000;
// Where calls go has a part of its own, and the others are digests.
const shownElsewhere: ReadonlySet<string> = new Set([
  "operations",
  "servers",
  "secrets_in_digests",
  "by_name",
  "components",
]);

/** An OpenAPI document as plans hold it: its operations, and digests of what they are made of. */
export type OutlineValue = JsonObject & { readonly operations: readonly JsonObject[] };

/** Gives the outline in a field of a body; undefined where the kind has none there. */
export function outlineIn(address: string, field: string, value: Json): OutlineValue | undefined {
  return kindOfAddress(address).outlined.includes(field) && isOutline(value) ? value : undefined;
}

/** Whether a value has the shape of an outline. */
export function isOutline(value: Json | undefined): value is OutlineValue {
  return isObject(value) && Array.isArray(value.operations) && value.operations.every(isOperation);
}

/** Renders an outline: counts, the first operations, and the rest with texts and settings, while there is room. */
export function outlineLines(outline: OutlineValue): [string, ...string[]] {
  const { operations, servers } = outline;
  const hosts = Array.isArray(servers)
    ? servers.flatMap((server) => (isObject(server) ? textOf(server.url) : []))
    : [];
  const at = hosts.length > 0 ? ` at ${safeLine(headOf(hosts.slice(0, 3).join(", "), 200))}` : "";
  const left = operations.length - shownOperations;
  let room = shownWords;
  const take = (said: Json): string => {
    const words = flowText(said, Math.max(room, 0));
    room -= words.length;
    return words;
  };
  const others = Object.entries(filterMembers(outline, (key) => !shownElsewhere.has(key)));
  return [
    `${countText(operations.length, "operation")}${at}`,
    ...operations.slice(0, shownOperations).map((each) => {
      const { method: _method, path: _path, operationId: _name, ...words } = withoutDigests(each);
      return Object.keys(words).length > 0 ? `${operationText(each)} ${take(words)}` : operationText(each);
    }),
    ...(left > 0 ? [`… ${left} more`] : []),
    ...others.map(([key, value]) => `${safeLine(key)}: ${take(named(value))}`),
  ];
}

function operationText({ method, path, operationId }: JsonObject): string {
  const name = typeof operationId === "string" ? ` (${headOf(operationId, 100)})` : "";
  return safeLine(`${textOf(method).join("")} ${headOf(textOf(path).join(""), 200)}${name}`);
}

/** Whether a value is an operation of an outline. */
export function isOperation(value: Json | undefined): value is JsonObject {
  return isObject(value) && typeof value.method === "string" && typeof value.path === "string";
}

/** Gives an operation of an outline without its digests, whose names stay, and its parameters by name and place. */
export function withoutDigests({
  parameters,
  request_body: _body,
  responses: _responses,
  ...operation
}: JsonObject): JsonObject {
  const said = mapMembers(operation, named);
  if (!Array.isArray(parameters)) return said;
  return {
    ...said,
    parameters: parameters.flatMap((each) =>
      isParameter(each)
        ? [
            `${textOf(each.name).join("")} (${textOf(each.in).join("")}${each.required === true ? ", required" : ""})`,
          ]
        : [],
    ),
  };
}

function named(value: Json): Json {
  if (isDigest(value)) return "(a digest)";
  return isObject(value) ? mapMembers(value, named) : value;
}

/** Whether a value is a parameter of an operation in an outline, and nothing more. */
export function isParameter(value: Json | undefined): value is JsonObject {
  if (!isObject(value) || Object.keys(value).length !== parameterKeys.length) return false;
  return parameterKeys.every((key) => Object.hasOwn(value, key)) && isDigest(value.digest);
}

const parameterKeys = ["in", "name", "required", "digest"];

/** Whether a value is a digest as outlines hold them. */
export function isDigest(value: Json | undefined): boolean {
  return typeof value === "string" && digest.test(value);
}

function textOf(value: Json | undefined): string[] {
  return typeof value === "string" ? [value] : [];
}
