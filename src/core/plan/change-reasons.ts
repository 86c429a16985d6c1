import { isUntold } from "../state/attempts.js";
import { cause, type Cause } from "./cause.js";
import { topField, type Change, isConsequence } from "./difference.js";
import type { Json } from "../../json/json.js";
import { hasText } from "../../json/texts.js";
import { environmentNames } from "../expression/reference.js";
import type { Kind } from "../kind/kind.js";
import { kindOfAddress } from "../kind/kinds.js";
import { beforePending, isPending, usedAddress } from "../resources/used.js";
import type { Planning } from "./planning.js";
import { isRecorded } from "./recorded-marks.js";
import type { LockEntry } from "../state/lock.js";

/** Gives what a change follows from: new IDs of what it refers to, an update whose outcome is unknown, a request. */
export function reasonsOf(
  changes: readonly Change[],
  entry: LockEntry,
  resent: readonly string[],
  planning: Planning,
): Cause[] {
  const moved = new Set(
    changes.flatMap(({ references = [] }) => references.map((text) => text.split("/", 1)[0])),
  );
  return [
    ...[...moved].map((address = "") => idCause(address, planning)),
    ...(entry.uncertain ? [uncertainCause(entry)] : []),
    ...(resent.length > 0
      ? [cause("resend-asked", { fields: resent.filter((field) => hasSecret(entry.body[field])) })]
      : []),
  ];
}

/** Gives the fields that a person edited, which are not to be lost among other reasons. */
export function editedFields(changes: readonly Change[]): string[] {
  const edited = changes.filter((change) => !isConsequence(change));
  const fields = edited.map((change) => (isRecorded(change.path) ? change.path : topField(change)));
  return [...new Set(fields)];
}

function uncertainCause(entry: LockEntry): Cause {
  if (!isUntold(entry)) return cause("update-uncertain", {});
  return cause("never-sent", entry.id === undefined ? {} : { id: entry.id });
}

function idCause(address: string, { idsAfterPlan, fleet: { used } }: Planning): Cause {
  const many = kindOfAddress(address).operations !== undefined;
  const of = usedAddress(address);
  if (of) {
    const pending = beforePending(used, address) ? "new" : "created";
    return cause("new-id-there", { ...of, many, ...(isPending(used, address) && { pending }) });
  }
  return cause(idsAfterPlan.get(address)?.type === "new" ? "new-id" : "other-id", { address, many });
}

/** Gives that no update can undo what somebody changed in the service; nothing where that is no field. */
export function lastingCauses(address: string, changes: readonly Change[]): Cause[] {
  const fields = [...new Set(changes.map(topField))];
  return fields.length > 0 ? [cause("no-update-undoes", { address, fields })] : [];
}

/** Gives that the service has what nobody sent; nothing where that is no field. */
export function ownCauses(address: string, own: readonly Change[], { replacedBy }: Kind): Cause[] {
  return own.length > 0 ? [cause("only-in-service", { address, anew: replacedBy === "any" })] : [];
}

/** Whether a value has a secret in it. */
export function hasSecret(value: Json | undefined): boolean {
  return value !== undefined && hasText(value, (text) => environmentNames(text).length > 0);
}
