import type { KindName } from "../../generated/kinds.js";
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

/** Gives the kind of an address, or undefined if its prefix is none. */
export function kindOfAddress(address: string): Kind | undefined {
  return byName.get(address.slice(0, address.indexOf(":")));
}

/** Whether an address, or a reference that begins with one, is of a kind. */
export function isOfKind(address: string, name: KindName): boolean {
  return kindOfAddress(address)?.name === name;
}
