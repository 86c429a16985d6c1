import { isObject, type Json, type JsonObject } from "../json/json.js";

/** Replaces every secret value in what the emulator stores. */
const KEPT_OUT = "[kept out]";

const SECRET_HEADERS: readonly string[] = [
  "authorization",
  "proxy-authorization",
  "cookie",
  "api-key",
  "x-api-key",
];

/**
 * Copies a body with its secrets replaced: everything under `credentials`, each top-level field named
 * `api_key` or `…_api_key`, and the headers in `default_headers` that carry secrets.
 */
export function keepSecretsOut(body: JsonObject): JsonObject {
  const entries = Object.entries(body).map(([name, value]): [string, Json] => {
    if (name === "credentials") return [name, maskAll(value)];
    if (/(^|_)api_key$/.test(name)) return [name, KEPT_OUT];
    if (name === "default_headers" && isObject(value)) return [name, maskHeaders(value)];
    return [name, value];
  });
  return Object.fromEntries(entries);
}

function maskAll(value: Json): Json {
  if (Array.isArray(value)) return value.map(maskAll);
  if (!isObject(value)) return KEPT_OUT;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, maskAll(entry)]));
}

function maskHeaders(headers: JsonObject): JsonObject {
  const mask = ([name, value]: [string, Json]): [string, Json] => [
    name,
    SECRET_HEADERS.includes(name.toLowerCase()) ? KEPT_OUT : value,
  ];
  return Object.fromEntries(Object.entries(headers).map(mask));
}
