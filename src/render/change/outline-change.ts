import type { Change } from "../../generated/plan.js";
import { isDigest, isOperation, isOutline, isParameter, type OutlineValue } from "../words/outline-text.js";
import { safeLine } from "../words/terminal-text.js";

// Below the field itself: servers and requirements are texts of the document, and may have any names.
const insideOutline = /^[\w$-]+\.(?:operations\[|security\.schemes$)/;

/** Gives the outline that a change adds or takes away whole; undefined for any value that is not marked as one. */
export function outlineOf({ outline, before, after }: Change): OutlineValue | undefined {
  const value = after ?? before;
  return outline === true && isOutline(value) ? value : undefined;
}

/**
 * Says what a change inside an outline says where only digests are known: its path, and a safe word or two;
 * undefined if the change is none of these.
 */
export function outlinePart({
  path,
  before,
  after,
  outline,
}: Change): { readonly path: string; readonly words: string } | undefined {
  if (outline !== true || !insideOutline.test(path)) return undefined;
  const value = after ?? before;
  if ([before, after].every((side) => side === undefined || isDigest(side))) {
    const words = before === undefined ? "added" : after === undefined ? "removed" : "changed";
    return { path: path.replace(/\.digest$/, ""), words };
  }
  if (before !== undefined && after !== undefined) return undefined;
  if (isOperation(value)) {
    return { path, words: typeof value.operationId === "string" ? safeLine(value.operationId) : "" };
  }
  if (isParameter(value)) return { path, words: value.required === true ? "required" : "optional" };
  return undefined;
}
