import type { Diagnostic } from "../core/finding/diagnostic.js";
import { WrittenText } from "../core/position/written-text.js";
import type { EditedWorkspace } from "./edited-workspace.js";
import type { TextPlace } from "./find-names.js";
import { adopted, movedFrom, type TextChange } from "./lifecycle-changes.js";

/** A mark in `lifecycle` that a plan proposes, so that a resource keeps the object that it had. */
export interface ProposedMark {
  readonly title: string;
  readonly change: TextChange;
}

/** Gives the marks that plans propose for a document with a line, from 1. */
export async function proposedMarks(
  workspace: EditedWorkspace,
  file: string,
  line: number,
): Promise<ProposedMark[]> {
  const text = workspace.texts().read(file);
  if (text === undefined) return [];
  const plans = await workspace.plans();
  const found = new Map<string, ProposedMark>();
  for (const { environment, diagnostics } of plans) {
    for (const each of diagnostics) {
      if (each.file !== file || each.line !== line) continue;
      const range = new WrittenText(text).heads().find(({ address }) => address === each.address)?.nameRange;
      const mark = range && markOf(each, { file, text, range }, environment, plans.length > 1);
      if (mark) found.set(mark.title, mark);
    }
  }
  return [...found.values()];
}

function markOf(
  { code, message, hint = "" }: Diagnostic,
  name: TextPlace,
  environment: string | null,
  isOneOfSeveral: boolean,
): ProposedMark | undefined {
  if (code === "move-unmarked") {
    const from = /^`[^`]+` is new, and `([^`]+)`/.exec(message)?.[1];
    const change = from === undefined ? undefined : movedFrom(name, from);
    return change && { title: `It was ${from}: write moved_from, so that it keeps its ID`, change };
  }
  const ids = code === "retired-address" ? /`lifecycle: \{adopt: ([^`]+)\}`/.exec(hint)?.[1] : undefined;
  // The IDs of one environment are wrong in the others, and the default one has no name to give them for.
  if (ids === undefined || ids === "ID" || ids.includes("…")) return undefined;
  if (environment === null && isOneOfSeveral) return undefined;
  const change = adopted(name, environment === null ? ids : `{${environment}: ${ids}}`);
  return change && { title: `Take over what exists: write adopt: ${ids}`, change };
}
