import { isExpression, parseText } from "../expression/expression.js";

/** A text in which only the names of its secret variables matter, not their revisions. */
export interface SecretText {
  /** The same for two texts that differ only in the revisions of variables. */
  readonly key: string;
  /** The names of the secret variables, sorted, without repeats. */
  readonly variables: readonly string[];
}

/** Reads the secret variables of a symbolic text. */
export function readSecrets(text: string): SecretText {
  // The sign keeps it apart from the JSON of parts.
  if (!text.includes("${")) return { key: `=${text}`, variables: [] };
  const parts = parseText(text).map((part) => {
    if (!isExpression(part) || part.scheme !== "env") return typeof part === "string" ? part : part.source;
    return { variable: part.locator.split("@", 1)[0] ?? "" };
  });
  const variables = parts.flatMap((part) => (typeof part === "object" ? [part.variable] : []));
  return { key: JSON.stringify(parts), variables: [...new Set(variables)].toSorted() };
}
