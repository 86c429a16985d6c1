import type { Journal } from "./journal.js";

/** How far the apply that writes a journal has come, in numbers of actions. */
export interface JournalProgress {
  /** The creates and updates that it claimed before it sent anything; 0 where a store needs no claim. */
  readonly claimed: number;
  readonly begun: number;
  readonly done: number;
  /** Those that were refused or not sent. */
  readonly failed: number;
  /** Those whose outcome could not be learnt. */
  readonly unknown: number;
  /** Those that have begun and have no outcome yet. */
  readonly open: number;
}

/** Counts what a journal has recorded. */
export function progressOf({ records }: Journal): JournalProgress {
  const counts = { claimed: 0, begun: 0, done: 0, failed: 0, unknown: 0 };
  const open = new Set<number>();
  for (const record of records) {
    if (record.type === "claim") counts.claimed += record.creates.length + (record.updates?.length ?? 0);
    if (record.type === "begin") {
      counts.begun++;
      open.add(record.n);
    }
    // Without an action that is open, an outcome is one that was recorded before.
    if (!("n" in record) || record.type === "begin" || !open.delete(record.n)) continue;
    if (record.type === "done") counts.done++;
    else if (record.type === "unknown") counts.unknown++;
    else counts.failed++;
  }
  return { ...counts, open: open.size };
}

/** Says the progress in short, such as `8 actions claimed, 5 actions begun, 3 done`. */
export function progressText({ claimed, begun, done, failed, unknown }: JournalProgress): string {
  const actions = (count: number) => `${count} ${count === 1 ? "action" : "actions"}`;
  return [
    ...(claimed > 0 ? [`${actions(claimed)} claimed`] : []),
    `${actions(begun)} begun, ${done} done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
  ].join(", ");
}
