import { renderDetails, renderRow } from "./plan-resource.js";
import type { RankedAction } from "./plan-risk.js";
import { frameBytes, type ShownAction } from "./plan-table.js";

// The sentence that says what is left out.
const sentenceBytes = 200;
// No details are as short, and rendering differences to throw them away takes long.
const leastDetails = 60;

/**
 * Chooses what to show of actions, the gravest first, in so many bytes; a row and the details that belong to
 * it are shown whole or not at all. Undefined if the rows of replacements alone are too much.
 */
export function chooseShown(
  ranked: readonly RankedAction[],
  environment: string | null,
  bytes: number,
): ShownAction[] | undefined {
  const rows = ranked.map((item) => ({
    item,
    row: renderRow(item),
    isKept: item.action.action === "replace",
  }));
  const kept = rows.filter(({ isKept }) => isKept).reduce((sum, { row }) => sum + bytesOf(row), 0);
  let room = bytes - kept - (ranked.length > 0 ? frameBytes + sentenceBytes : 0);
  if (room < 0) return undefined;
  const take = (text: string): boolean => {
    const isTaken = bytesOf(text) <= room;
    if (isTaken) room -= bytesOf(text);
    return isTaken;
  };
  return rows.flatMap(({ item, row, isKept }): ShownAction[] => {
    if (!isKept && !take(row)) return [];
    const details = room > leastDetails ? renderDetails(item, environment) : undefined;
    const shown = { action: item.action.action, weight: item.weight, row };
    return [details !== undefined && take(details) ? { ...shown, details } : shown];
  });
}

// With the line ends around it.
function bytesOf(text: string): number {
  return Buffer.byteLength(text) + 2;
}
