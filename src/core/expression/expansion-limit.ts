import { error, type Finding, type Place } from "../finding/diagnostic.js";

/** The limit for what one resource includes. In characters of text, with a constant for each value and expression. */
export const resourceLimit = 64 * 1024 * 1024;

/** The limit for all resources of a workspace together: as much as two resources. */
export const workspaceExpansion = 2 * resourceLimit;

/** The cost of each `${`, literal or not: else files that include two files twice double the size with every step. */
export const openingCost = 64;

/** The cost of one expression beside that of its `${`: 100,000 fill a resource. */
export const expressionCost = 671 - openingCost;

/** Reports that a resource includes too much. */
export function explainTooMuch(place: Place): Finding {
  const message = "this document includes too much: more than 64 MB, or 100,000 expressions";
  return error("expansion-too-large", place, message, "include less, or split the document");
}
