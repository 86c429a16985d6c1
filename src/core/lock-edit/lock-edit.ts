import { isAddress } from "../kind/address.js";
import type { Adoption } from "../plan/adoption.js";
import { refused, type Checked } from "../finding/checked.js";
import type { Finding } from "../finding/diagnostic.js";
import { heldAt, refuse, type Edited, type Editing } from "./edited.js";
import type { RepairChange } from "./repair-change.js";
import { resolveAs, resolveAsNothing } from "./resolve.js";
import { defined } from "../state/defined.js";
import type { Lock } from "../state/lock.js";
import type { Resource } from "../resources/resource.js";
import { putRetired } from "../state/ledger.js";
import { State } from "../state/state.js";

/** What is told of an address: its object, or that a create made none. */
export type LockEdit = { readonly address: string } & (
  | { readonly type: "resolve"; readonly adoption: Adoption }
  | { readonly type: "not-created" }
);

/** A lock after a person's edits. */
export interface EditedLock {
  readonly lock: Lock;
  readonly isChanged: boolean;
  /** What was done, one for each edit. */
  readonly changes: readonly RepairChange[];
}

/** Edits a lock, or gives all findings against the edits; the given lock is not changed. */
export function editLock(
  before: Lock,
  resources: ReadonlyMap<string, Resource>,
  edits: readonly LockEdit[],
): Checked<EditedLock> {
  const state = new State(before);
  const { lock } = state;
  const problems: Finding[] = [];
  const changes: RepairChange[] = [];
  const seen = new Set<string>();
  let isChanged = false;
  for (const edit of edits) {
    const edited = seen.has(edit.address)
      ? refuse("adopt-invalid", edit.address, "is given twice", "give each address once")
      : editOne(edit, { lock, resources });
    seen.add(edit.address);
    if (!edited.ok) {
      problems.push(...edited.problems);
      continue;
    }
    changes.push({ address: edit.address, ...edited.change });
    const { records, rest, left = {} } = edited;
    if (records.length === 0 && !rest) continue;
    isChanged = true;
    const at = heldAt(edit.address, resources, lock.unknown);
    const { labels } = lock.resources[at] ?? lock.unknown[at] ?? {};
    for (const record of records) state.advance(record);
    if (rest) lock.unknown[at] = rest;
    for (const [operation, id] of Object.entries(left)) {
      const object = { address: at, reason: "replaced", operation, untold: true } as const;
      putRetired(lock.retired, id, { ...object, ...defined({ labels }) });
    }
  }
  return problems.length > 0 ? refused(problems) : { ok: true, lock, isChanged, changes };
}

function editOne(edit: LockEdit, editing: Editing): Checked<Edited> {
  const { address } = edit;
  if (!isAddress(address)) {
    return refuse(
      "adopt-invalid",
      address,
      "is not an address",
      "an address has a form such as agent:support",
    );
  }
  return edit.type === "resolve"
    ? resolveAs(address, edit.adoption, editing)
    : resolveAsNothing(address, editing);
}
