import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { pathSegment } from "../../json/path.js";
import { isExpression, parseText } from "../expression/expression.js";
import { eachText } from "../expression/reference.js";

/** A value that is sent with the calls of a tool set, and the secret variables in it. */
export type SentSecret = { field: string; variables: string[] };

/** The sections with the defaults of a tool set (docs/reference/interface.md, 2.2), and the noun for one of each. */
export const defaultNouns: Readonly<Record<string, string>> = {
  default_headers: "default header",
  default_query_params: "default query parameter",
  default_body_params: "default body parameter",
  endpoint_defaults: "endpoint default",
};

/** Gives the values with secrets that the defaults of a tool set add to its calls, in the order of the body. */
export function secretsSent(body: JsonObject): SentSecret[] {
  const found: SentSecret[] = [];
  const visit = (value: Json, path: string): void => {
    if (isObject(value)) {
      for (const [key, member] of Object.entries(value)) visit(member, `${path}.${pathSegment(key)}`);
      return;
    }
    const variables = new Set<string>();
    eachText(value, (text) => {
      for (const name of variablesIn(text)) variables.add(name);
    });
    if (variables.size > 0) found.push({ field: path, variables: [...variables].toSorted() });
  };
  for (const section of Object.keys(defaultNouns)) visit(body[section] ?? null, section);
  return found;
}

function variablesIn(text: string): string[] {
  if (!text.includes("${env:")) return [];
  return parseText(text).flatMap((part) =>
    isExpression(part) && part.scheme === "env" ? [part.locator.split("@", 1)[0] ?? ""] : [],
  );
}
