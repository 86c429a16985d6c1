import type { KindName } from "../../generated/kinds.js";
import { isObject, type Json } from "../../json/json.js";
import type { Kind } from "./kind.js";
import { agent } from "./kinds/agent.js";
import { credential } from "./kinds/credential.js";
import { policy } from "./kinds/policy.js";
import { toolset } from "./kinds/toolset.js";

/** The kinds by name, in the order in which they are listed. */
export const kinds: Readonly<Record<KindName, Kind>> = { policy, toolset, credential, agent };

/** The names of the kinds. */
export const kindNames = Object.keys(kinds) as readonly KindName[];

const byName: ReadonlyMap<string, Kind> = new Map(Object.entries(kinds));

const byDocument: ReadonlyMap<string, Kind> = new Map(
  Object.values(kinds).map((kind) => [kind.document, kind]),
);

/** Gives the kind of a document's `kind`, or undefined. */
export function kindOfDocument(document: string): Kind | undefined {
  return byDocument.get(document);
}

/** Gives the address of a value that is a document, by the kind and the name that it says. */
export function addressIn(document: Json): string | undefined {
  const { kind, metadata } = isObject(document) ? document : {};
  const { name } = isObject(metadata) ? metadata : {};
  const known = typeof kind === "string" ? kindOfDocument(kind) : undefined;
  return known && typeof name === "string" ? `${known.name}:${name}` : undefined;
}

/** Gives the kind of a text that may be an address, or a reference that begins with one, by its prefix; undefined if it is neither. */
export function kindOfText(text: string): Kind | undefined {
  return byName.get(text.slice(0, text.indexOf(":")));
}

/** Gives the kind of an address, or of a reference that begins with one; what a person may have typed is for kindOfText. */
export function kindOfAddress(address: string): Kind {
  const kind = kindOfText(address);
  if (!kind) throw new Error(`${address} is of no kind`);
  return kind;
}

/** Whether an address, or a reference that begins with one, is of a kind. */
export function isOfKind(address: string, name: KindName): boolean {
  return kindOfText(address)?.name === name;
}
