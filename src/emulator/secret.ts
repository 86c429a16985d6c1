import type { KindName } from "../generated/kinds.js";
import { filterMembers, mapMembers, mapParts, type Json, type JsonObject } from "../json/json.js";

/** Replaces every secret value in what the emulator stores. */
const KEPT_OUT = "[kept out]";

/** Replaces every secret value in what a full service gives back. */
const REDACTED = "***";

/** The names of headers and other defaults that carry secrets. */
const SECRET_NAMES =
  /authorization|cookie|secret|passw|token$|signature|(?:api|access|private|subscription)[-_]?key/i;

/** How a field is secret: `all` that is in it, the whole `key`, or some of its `named` members. */
type Secrecy = "all" | "key" | "named";

/** The secret top-level fields of each kind; what is secret in one kind is secret in all. */
const secretFields: Readonly<Record<KindName, readonly { name: RegExp; secrecy: Secrecy }[]>> = {
  policy: [],
  toolset: [
    { name: /(^|_)api_key$/, secrecy: "key" },
    { name: /^(?:default_\w+|endpoint_defaults)$/, secrecy: "named" },
  ],
  credential: [{ name: /^credentials$/, secrecy: "all" }],
  agent: [{ name: /(^|_)api_key$/, secrecy: "key" }],
};

const secrets = Object.values(secretFields).flat();

/** Replaces secrets: all under `credentials`, `api_key` and `…_api_key` on top, defaults named as secrets. */
export function keepSecretsOut(body: JsonObject): JsonObject {
  return mapMembers(body, (value, name) => mask(value, secrecyOf(name), KEPT_OUT));
}

/** Copies a stored body as a full service shows it: without its keys, and with `***` for its other secrets. */
export function redactSecrets(body: JsonObject): JsonObject {
  const shown = filterMembers(body, (name) => secrecyOf(name) !== "key");
  return mapMembers(shown, (value, name) => mask(value, secrecyOf(name), REDACTED));
}

function secrecyOf(field: string): Secrecy | undefined {
  return secrets.find(({ name }) => name.test(field))?.secrecy;
}

function mask(value: Json, secrecy: Secrecy | undefined, by: string): Json {
  if (secrecy === "all") return maskAll(value, by);
  if (secrecy === "key") return by;
  return secrecy === "named" ? maskNamed(value, by) : value;
}

function maskAll(value: Json, by: string): Json {
  return typeof value === "object" && value !== null ? mapParts(value, (part) => maskAll(part, by)) : by;
}

// A mapping has names of its own; a number or a boolean is no secret.
function maskTexts(value: Json, by: string): Json {
  if (Array.isArray(value)) return value.map((item) => maskTexts(item, by));
  return typeof value === "string" ? by : maskNamed(value, by);
}

function maskNamed(value: Json, by: string): Json {
  return mapParts(value, (part, name) =>
    typeof name === "string" && SECRET_NAMES.test(name) ? maskTexts(part, by) : maskNamed(part, by),
  );
}
