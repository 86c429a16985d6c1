import { isUntold } from "./adoption.js";
import { isConsequence } from "./consequence.js";
import { topField, type Change } from "./difference.js";
import type { Json, JsonObject } from "../../json/json.js";
import type { Kind } from "../kind/kind.js";
import { kindOfAddress } from "../kind/kinds.js";
import type { Planning } from "./planning.js";
import type { LockEntry } from "../state/lock.js";

/** Says what a change follows from: new IDs of what it refers to, an update whose outcome is unknown, a request. */
export function reasonsOf(
  changes: readonly Change[],
  entry: LockEntry,
  resent: readonly string[],
  planning: Planning,
): string[] {
  const moved = new Set(
    changes.flatMap(({ references = [] }) => references.map((text) => text.split("/", 1)[0])),
  );
  return [
    ...[...moved].map((address) => `${address} ${newIdReason(address ?? "", planning)}`),
    ...(entry.uncertain ? [uncertainReason(entry)] : []),
    ...(resent.length > 0 ? [resendReason(resent, entry.body)] : []),
  ];
}

/** Names the fields that a person edited, if there are any, so that they are not lost among other reasons. */
export function editReason(changes: readonly Change[]): string[] {
  const edited = changes.filter((change) => !isConsequence(change));
  const fields = edited.map((change) =>
    change.path.startsWith("lifecycle.") ? change.path : topField(change),
  );
  const names = [...new Set(fields)].map((field) => `\`${field}\``);
  if (names.length === 0) return [];
  return [`${names.join(", ")} ${names.length === 1 ? "was" : "were"} edited`];
}

function uncertainReason(entry: LockEntry): string {
  if (!isUntold(entry)) return "whether the last update arrived is not known, so it is sent again";
  const named = entry.id === undefined ? "it was adopted" : `it was adopted with the ID ${entry.id}`;
  return `${named}, and is sent what its document says for the first time`;
}

function newIdReason(address: string, { idsAfterPlan }: Planning): string {
  const many = kindOfAddress(address)?.operations !== undefined;
  if (idsAfterPlan.get(address)?.type === "new") return many ? "gets new IDs" : "gets a new ID";
  return many ? "has other IDs than were sent" : "has another ID than was sent";
}

/** Says why an object is replaced and not updated. */
export function cannotUpdate({ replacedBy, noun }: Kind, fields: readonly string[]): string {
  const names = fields.map((field) => `\`${field}\``).join(", ");
  if (replacedBy === "any") return `the service cannot update a ${noun[0]} (${names})`;
  return `the service cannot change ${names} of a ${noun[0]}`;
}

function resendReason(fields: readonly string[], body: JsonObject): string {
  const secret = fields.filter((field) => hasSecret(body[field]));
  return secret.length > 0 ? `resent on request: ${secret.join(", ")}` : "resent on request";
}

/** Whether a value has a secret in it. */
export function hasSecret(value: Json | undefined): boolean {
  return value !== undefined && JSON.stringify(value).includes("${env:");
}
