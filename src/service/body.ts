import { parseEnvironmentLocator } from "../core/expression/expression.js";
import { isObject, type JsonObject } from "../json/json.js";
import type { References } from "../core/kind/kind.js";
import { toReference } from "../core/expression/reference.js";
import { evaluate, evaluateText, type ExpressionValue } from "../core/expression/resolution.js";
import type { SecretSource } from "./secret.js";

/** A body names an environment variable that is not set. */
export class MissingSecretError extends Error {
  readonly variable: string;

  constructor(variable: string) {
    super(`the environment variable ${variable} is not set`);
    this.variable = variable;
  }
}

/** The values that are put into a symbolic body when its bytes are written. */
export interface Filling {
  readonly secrets: SecretSource;
  readonly references?: References | undefined;
  /** The deployment's own names of top-level fields. */
  readonly fieldNames?: Readonly<Record<string, string>> | undefined;
}

/** Renders the JSON text that is sent, IDs, secrets and the deployment's names in place; throws MissingSecretError. */
export function renderBody(body: JsonObject, { secrets, references = {}, fieldNames = {} }: Filling): string {
  const filled = evaluate(body, filling(secrets, references));
  if (!isObject(filled)) throw new TypeError("the body must be an object");
  const wireName = (field: string): string =>
    Object.hasOwn(fieldNames, field) ? (fieldNames[field] ?? field) : field;
  const members = Object.entries(filled).map(([field, value]) => [wireName(field), value]);
  return JSON.stringify(Object.fromEntries(members));
}

/** Renders one symbolic text with its secrets in place; throws MissingSecretError if a variable is not set. */
export function renderText(text: string, secrets: SecretSource): string {
  return evaluateText(text, filling(secrets, {}));
}

function filling(secrets: SecretSource, references: References): ExpressionValue {
  return (expression) => {
    if (expression.scheme !== "env") {
      const { text = "" } = toReference(expression) ?? {};
      return Object.hasOwn(references, text) ? references[text] : undefined;
    }
    const variable = parseEnvironmentLocator(expression.locator);
    if (!variable) return undefined;
    const secret = secrets(variable.name);
    if (!secret) throw new MissingSecretError(variable.name);
    return secret.unwrap();
  };
}
