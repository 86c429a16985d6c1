import { StoreFailedError } from "../../core/state/lock-store.js";
import { joinPieces, longestText, type TextPieces } from "../../core/state/state-text.js";

// A lock has its bodies on many lines, with what is around them.
const lockFactor = 1.5;
// A journal has a body in the claim and in the record that begins its action.
const journalFactor = 2.5;

const most = `${longestText / 1_000_000} MB, the most that this store keeps`;
const hint = "use the store `file`, or several workspaces";

/** Gives a lock as the one text that a store over the network sends; throws StoreFailedError if it is too long for that. */
export function asOneText(lock: TextPieces, name: string): string {
  const text = joinPieces(lock);
  if (text === undefined) throw new StoreFailedError(`the lock for ${name} is larger than ${most}`, hint);
  return text;
}

/**
 * Throws StoreFailedError if a lock of so many characters, or its journal, would become too long for one text when its
 * bodies grow by so many.
 */
export function reserveText(length: number, growth: number, name: string): void {
  if (length + lockFactor * growth <= longestText && journalFactor * growth <= longestText) return;
  throw new StoreFailedError(
    `this apply would make the state for ${name} larger than ${most}, so nothing was sent`,
    hint,
  );
}
