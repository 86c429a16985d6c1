import { isAddress } from "../kind/address.js";
import type { Adoption } from "../plan/adoption.js";
import type { Finding } from "../finding/diagnostic.js";
import { idsOf } from "../kind/identity.js";
import { adopt } from "./adopt.js";
import { heldAt, type Edited, type Editing } from "./edited.js";
import { problem } from "./lock-edit-check.js";
import { mapTools } from "./map-tools.js";
import { resolveAs, resolveAsNothing, type Resolution } from "./resolve.js";
import { takeIn } from "./take-in.js";
import type { Lock, LockEntry } from "../state/lock.js";
import type { Resource } from "../resources/resource.js";
import { State } from "../state/state.js";

/** A person's statement: an existing object, also one that was read, the outcome of a create, or which tool is which. */
export type LockEdit =
  | { readonly type: "adopt"; readonly address: string; readonly adoption: Adoption }
  | (Resolution & { readonly type: "resolve" })
  | { readonly type: "not-created"; readonly address: string }
  | { readonly type: "import"; readonly address: string; readonly entry: LockEntry }
  | { readonly type: "map"; readonly address: string; readonly pairs: readonly string[] };

/** A lock after a person's edits. */
export interface EditedLock {
  readonly lock: Lock;
  /** Whether the lock has changed. */
  readonly isChanged: boolean;
  /** What was done, one line for each edit. */
  readonly changes: readonly string[];
}

/** Edits a lock, or gives all findings against the edits; the given lock is not changed. */
export function editLock(
  before: Lock,
  resources: ReadonlyMap<string, Resource>,
  edits: readonly LockEdit[],
): EditedLock | Finding[] {
  const state = new State(before);
  const { lock } = state;
  const findings: Finding[] = [];
  const changes: string[] = [];
  const seen = new Set<string>();
  let isChanged = false;
  for (const edit of edits) {
    const edited = seen.has(edit.address)
      ? problem("adopt-invalid", edit.address, "is given twice", "give each address once")
      : editOne(edit, { lock, resources });
    seen.add(edit.address);
    if ("code" in edited) {
      findings.push(edited);
      continue;
    }
    changes.push(`${edit.address}: ${edited.text}`);
    const { records, rest, left = {} } = edited;
    if (records.length === 0 && !rest) continue;
    isChanged = true;
    const at = heldAt(edit.address, resources, lock.unknown);
    for (const record of records) state.advance(record);
    if (rest) lock.unknown[at] = rest;
    for (const [operation, id] of Object.entries(left)) {
      lock.retired[id] = { address: at, reason: "replaced", operation };
    }
    // What is managed again is not left behind any more.
    for (const id of idsOf(lock.resources[edit.address] ?? {})) delete lock.retired[id];
  }
  return findings.length > 0 ? findings : { lock, isChanged, changes };
}

function editOne(edit: LockEdit, editing: Editing): Edited | Finding {
  const { address } = edit;
  if (!isAddress(address)) {
    return problem(
      "adopt-invalid",
      address,
      "is not an address",
      "an address has a form such as agent:support",
    );
  }
  switch (edit.type) {
    case "adopt":
      return adopt(address, edit.adoption, editing);
    case "import":
      return takeIn(address, edit.entry, editing);
    case "map":
      return mapTools(address, edit.pairs, editing);
    default:
      return edit.type === "resolve" ? resolveAs(edit, editing) : resolveAsNothing(address, editing);
  }
}
