import type { EditedWorkspace } from "./edited-workspace.js";
import { movedFrom, type TextChange } from "./rename.js";
import { WrittenText } from "../core/position/written-text.js";

/** A mark that a plan proposes for a resource that was probably renamed. */
export interface ProposedMark {
  readonly title: string;
  readonly change: TextChange;
}

/** Gives the marks that plans propose for a document with a line, from 1. */
export async function unmarkedMoves(
  workspace: EditedWorkspace,
  file: string,
  line: number,
): Promise<ProposedMark[]> {
  const text = workspace.texts().read(file);
  if (text === undefined) return [];
  const found = new Map<string, ProposedMark>();
  for (const { diagnostics } of await workspace.plans()) {
    for (const each of diagnostics) {
      if (each.code !== "move-unmarked" || each.file !== file || each.line !== line) continue;
      const from = /^`[^`]+` is new, and `([^`]+)`/.exec(each.message)?.[1];
      const head = new WrittenText(text).heads().find(({ address }) => address === each.address);
      const change =
        from !== undefined && head?.nameRange && movedFrom({ file, text, range: head.nameRange }, from);
      if (change)
        found.set(from, { title: `It was ${from}: write moved_from, so that it keeps its ID`, change });
    }
  }
  return [...found.values()];
}
