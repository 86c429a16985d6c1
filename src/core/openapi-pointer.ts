import { isObject, type Json, type JsonObject } from "./json.js";

/** A place in a document: its JSON pointer in one spelling (`#/a/b`) and the value that stands there. */
export interface Place {
  pointer: string;
  value: Json;
}

/** A `$ref` to something outside the document, with the path of the `$ref` key itself. */
export interface ExternalReference {
  path: (string | number)[];
  ref: string;
}

const MAX_HOPS = 100;
const MAX_EXTERNAL_REFERENCES = 100;

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parsePointer(ref: string): string[] | undefined {
  if (ref === "#") return [];
  if (!ref.startsWith("#/")) return undefined;
  return ref
    .slice(2)
    .split("/")
    .map((token) => decodePercent(token).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function renderPointer(tokens: readonly string[]): string {
  return ["#", ...tokens.map((token) => token.replaceAll("~", "~0").replaceAll("/", "~1"))].join("/");
}

function childOf(value: Json | undefined, token: string): Json | undefined {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
  return isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

/**
 * Finds the place that a local `$ref` points to, also when its pointer leads through other local `$ref`s;
 * undefined when the `$ref` is external, is no JSON pointer, or leads nowhere.
 */
export function locate(document: Json, ref: string): Place | undefined {
  let tokens = parsePointer(ref);
  for (let hops = 0; tokens !== undefined && hops < MAX_HOPS; hops += 1) {
    let value: Json | undefined = document;
    let detour: string[] | undefined;
    for (const [index, token] of tokens.entries()) {
      const child: Json | undefined = childOf(value, token);
      if (child === undefined && isObject(value) && typeof value.$ref === "string") {
        const target = parsePointer(value.$ref);
        detour = target && [...target, ...tokens.slice(index)];
      }
      value = child;
      if (value === undefined) break;
    }
    if (value !== undefined) return { pointer: renderPointer(tokens), value };
    tokens = detour;
  }
  return undefined;
}

/**
 * Follows the local `$ref`s of an object to the object that they end at, on which the siblings of each `$ref`
 * are laid; undefined when they end at no object, outside the document, or after 100 steps (a cycle).
 */
export function follow(document: Json, value: Json): JsonObject | undefined {
  let current: Json | undefined = value;
  const layers: JsonObject[] = [];
  for (let hops = 0; hops < MAX_HOPS; hops += 1) {
    if (!isObject(current)) return undefined;
    const ref: Json | undefined = current.$ref;
    if (typeof ref !== "string") {
      // The object itself, where possible: what is worked out about it is remembered by its identity.
      if (layers.length === 0) return current;
      return Object.fromEntries([current, ...layers.toReversed()].flatMap((layer) => Object.entries(layer)));
    }
    const siblings = Object.entries(current).filter(([key]) => key !== "$ref");
    if (siblings.length > 0) layers.push(Object.fromEntries(siblings));
    current = locate(document, ref)?.value;
  }
  return undefined;
}

/** Lists the `$ref`s of a document that do not begin with `#`, the first 100 in document order. */
export function externalReferences(document: Json): ExternalReference[] {
  const found: ExternalReference[] = [];
  const path: (string | number)[] = [];
  const visit = (value: Json): void => {
    if (value === null || typeof value !== "object") return;
    for (const [key, child] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      if (found.length >= MAX_EXTERNAL_REFERENCES) return;
      path.push(key);
      if (key === "$ref" && typeof child === "string") {
        if (!child.startsWith("#")) found.push({ path: [...path], ref: child });
      } else {
        visit(child);
      }
      path.pop();
    }
  };
  visit(document);
  return found;
}
