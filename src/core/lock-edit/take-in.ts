import type { Finding } from "../finding/diagnostic.js";
import type { LockEntry } from "../state/lock.js";
import { idText, record, type Edited, type Editing } from "./edited.js";
import { problem } from "./lock-edit-check.js";

/** Gives an address an object that was read, with what it has; no other address has its ID. */
export function takeIn(address: string, entry: LockEntry, { lock }: Editing): Edited | Finding {
  if (lock.resources[address] || lock.unknown[address]) {
    return problem("adopt-taken", address, "is already managed", "use a different address");
  }
  return record(address, entry, `imported ${idText(entry)}`);
}
