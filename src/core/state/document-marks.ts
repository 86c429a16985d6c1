import type { LockEntry } from "../../generated/lock.js";
import { defined } from "./defined.js";

/** What is kept of a document beside what is sent, from the plan by way of the journal to the lock. */
type DocumentMarks = Pick<
  LockEntry,
  "file" | "protect" | "on_removal" | "on_replaced" | "labels" | "moved_from"
>;

/** Gives what is kept of a document beside what is sent. */
export function documentMarks({
  file,
  protect,
  on_removal,
  on_replaced,
  labels,
  moved_from,
}: DocumentMarks): DocumentMarks {
  return defined({ file, protect, on_removal, on_replaced, labels, moved_from });
}
