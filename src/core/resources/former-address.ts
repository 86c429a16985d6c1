import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { isAddress } from "../kind/address.js";
import { isOfKind } from "../kind/kinds.js";
import type { Resource } from "./resource.js";

/** The addresses in a document's `lifecycle.moved_from`. */
export function movedFrom({ lifecycle }: Resource): readonly string[] {
  const { moved_from: from = [] } = lifecycle;
  return typeof from === "string" ? [from] : from;
}

/** Finds what `lifecycle.moved_from` has beside addresses of other objects of the same kind. */
export function misnamedFormer(resource: Resource): Finding[] {
  const { address, kind } = resource;
  const isList = typeof resource.lifecycle.moved_from !== "string";
  return movedFrom(resource).flatMap((from, index) => {
    if (isAddress(from) && from !== address && isOfKind(from, kind.name)) return [];
    const message = say`\`${bare({ from })}\` is not the address of a different ${kind.noun[0]}`;
    const hint = say`write \`${bare({ expected: `${kind.name}:OLD-NAME` })}\``;
    const path = ["lifecycle", "moved_from", ...(isList ? [index] : [])];
    return [error("move-invalid", resource.place(path), message, hint)];
  });
}
