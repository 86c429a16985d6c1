import {
  isExpression,
  parseEnvironmentLocator,
  parseText,
  splitToolLocator,
  type Expression,
  type ParsedPart,
} from "./expression.js";
import { isObject, type Json } from "../../json/json.js";
import { kindOfAddress, kinds } from "../kind/kinds.js";

/** The target of a reference: an object, or one tool of a set. */
export interface Reference {
  readonly address: string;
  /** One operation of a tool set: its operationId, or `METHOD /path`. */
  readonly operation?: string;
  /** The reference as written in the lock, such as `policy:strict` or `toolset:helpdesk/createTicket`. */
  readonly text: string;
}

/** Parses an expression as a reference; undefined if its scheme is not a kind. */
export function toReference({ scheme, locator }: Expression): Reference | undefined {
  if (!Object.hasOwn(kinds, scheme)) return undefined;
  return readReference(`${scheme}:${locator}`);
}

/** Parses a reference as written in the lock; its scheme is that of a kind. */
export function readReference(text: string): Reference {
  const colon = text.indexOf(":");
  if (!kindOfAddress(text).operations) return { address: text, text };
  const { key, operation } = splitToolLocator(text.slice(colon + 1));
  return operation === undefined
    ? { address: text, text }
    : { address: text.slice(0, colon + 1) + key, text, operation };
}

/** Whether a reference means all tools of a set, and so gives a list of IDs. */
export function isWholeSet({ address, operation }: Reference): boolean {
  return operation === undefined && kindOfAddress(address).operations !== undefined;
}

/** Gives the references of a symbolic text. */
export function referencesInText(text: string): Reference[] {
  return text.includes("${") ? referencesAmong(parseText(text)) : [];
}

/** Gives the references among the parts of a text. */
export function referencesAmong(parts: readonly ParsedPart[]): Reference[] {
  const references: Reference[] = [];
  for (const part of parts) {
    const reference = isExpression(part) ? toReference(part) : undefined;
    if (reference) references.push(reference);
  }
  return references;
}

/** Gives the references anywhere in a symbolic value, without repeats. */
export function referencesIn(value: Json): Reference[] {
  const found = new Map<string, Reference>();
  eachText(value, (text) => {
    for (const reference of referencesInText(text)) found.set(reference.text, reference);
  });
  return [...found.values()];
}

/** Gives the names of the environment variables in a symbolic text. */
export function environmentNames(text: string): string[] {
  if (!text.includes("${env:")) return [];
  return parseText(text).flatMap((part) => {
    const isVariable = isExpression(part) && part.scheme === "env";
    return (isVariable ? parseEnvironmentLocator(part.locator)?.name : undefined) ?? [];
  });
}

/** Calls back for every string in a value. */
export function eachText(value: Json, visit: (text: string) => void): void {
  if (typeof value === "string") visit(value);
  else if (Array.isArray(value)) for (const item of value) eachText(item, visit);
  else if (isObject(value)) for (const key in value) eachText(value[key] as Json, visit);
}
