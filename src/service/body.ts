import { isExpression, parseEnvironmentLocator, parseText, type Part } from "../core/expression.js";
import type { Json, JsonObject } from "../core/json.js";
import type { SecretSource } from "./secret.js";

/** A body names an environment variable that is not set. */
export class MissingSecretError extends Error {
  override readonly name = "MissingSecretError";
  readonly variable: string;

  constructor(variable: string) {
    super(`the environment variable ${variable} is not set`);
    this.variable = variable;
  }
}

/**
 * Renders a symbolic body as the JSON text that is sent: secrets filled in, top-level fields renamed to the
 * deployment's names, keys in their order.
 * @throws MissingSecretError if a variable is not set
 */
export function renderBody(
  body: JsonObject,
  secrets: SecretSource,
  fieldNames: Readonly<Record<string, string>>,
): string {
  const wireName = (field: string): string =>
    Object.hasOwn(fieldNames, field) ? (fieldNames[field] ?? field) : field;
  const members = Object.entries(body).map(([field, value]) => [wireName(field), evaluate(value, secrets)]);
  return JSON.stringify(Object.fromEntries(members));
}

function evaluate(value: Json, secrets: SecretSource): Json {
  if (typeof value === "string") return value.includes("${") ? evaluateText(value, secrets) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => evaluate(item, secrets));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, evaluate(member, secrets)]));
}

/**
 * Evaluates one symbolic text, such as the manifest's API key, with its secrets filled in.
 * @throws MissingSecretError if a variable is not set
 */
export function evaluateText(text: string, secrets: SecretSource): string {
  return parseText(text)
    .map((part) => evaluatePart(part, secrets))
    .join("");
}

function evaluatePart(part: Part, secrets: SecretSource): string {
  if (typeof part === "string") return part;
  const variable = isExpression(part) && part.scheme === "env" && parseEnvironmentLocator(part.locator);
  if (!variable) return part.source;
  const secret = secrets(variable.name);
  if (!secret) throw new MissingSecretError(variable.name);
  return secret.unwrap();
}
