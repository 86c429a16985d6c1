import type { LockEntry } from "../../generated/lock.js";
import { defined } from "./defined.js";

/** What the lock records of a document that is not sent. */
export type RecordedMarks = Pick<LockEntry, "protect" | "on_removal" | "on_replaced" | "labels">;

/** What is kept of a document beside what is sent, from the plan by way of the journal to the lock. */
type DocumentMarks = RecordedMarks & Pick<LockEntry, "file" | "moved_from">;

/** Gives what is kept of a document beside what is sent. */
export function documentMarks({ file, moved_from, ...others }: DocumentMarks): DocumentMarks {
  return defined({ file, ...marksApart(others).marks, moved_from });
}

/** Parts the recorded marks of an entry or action from the rest. */
export function marksApart<Marked extends RecordedMarks>({
  protect,
  on_removal,
  on_replaced,
  labels,
  ...rest
}: Marked) {
  return { marks: defined({ protect, on_removal, on_replaced, labels }), rest };
}
