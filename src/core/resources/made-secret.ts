import type { Finding, Place } from "../finding/diagnostic.js";
import { isObject, type Json } from "../../json/json.js";
import { beginsWith } from "../../json/path.js";
import { isExpression, parseText, type Expression } from "../expression/expression.js";
import type { Layer } from "./layer.js";

/**
 * Gives the findings of a document's secrets if one of them is the value of a parameter or a variable, and else none.
 * The document may use that value in other places, too, so that any other message about it could show the secret.
 */
export function madeSecrets(findings: readonly Finding[], layers: readonly Layer[]): Finding[] {
  const secrets = findings.filter(({ code }) => code === "secret-literal");
  const expressions = secrets.flatMap(({ place }) => (place ? writtenAt(layers, place) : []));
  // Templates have parameters, too.
  const isOfKey = layers.some(({ each }) => each);
  const isMade = expressions.some(({ scheme }) => isOfKey || scheme === "var");
  if (!isMade) return [];
  return expressions.some(mayBeKey) ? secrets.map(withoutKey) : secrets;
}

// A secret that may be the key itself is told without the key.
function withoutKey(finding: Finding): Finding {
  const { each, ...place } = finding.place ?? { file: "" };
  return each ? { ...finding, place } : finding;
}

function mayBeKey({ scheme, locator }: Expression): boolean {
  return scheme === "template" || (scheme === "each" && locator === "key");
}

// An expression may stand for a mapping that the secret is in.
function writtenAt(layers: readonly Layer[], { file, document, path = [] }: Place): Expression[] {
  const layer = layers.find(
    (each) => each.file === file && each.index === document && beginsWith(path, each.at ?? []),
  );
  let value: Json | undefined = layer?.value;
  for (const segment of path.slice(layer?.at?.length ?? 0)) {
    if (Array.isArray(value)) value = value[Number(segment)];
    else if (isObject(value)) value = Object.hasOwn(value, segment) ? value[segment] : undefined;
  }
  return typeof value === "string" ? parseText(value).filter(isExpression) : [];
}
