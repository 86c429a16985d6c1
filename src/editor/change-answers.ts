import {
  CodeActionKind,
  LSPErrorCodes,
  ResponseError,
  type CodeAction,
  type CodeActionContext,
  type Connection,
  type Diagnostic as Published,
  type ServerCapabilities,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver/node";
import type { Fix } from "../core/finding/said.js";
import type { EditorWorkspaces, ShownWorkspace } from "./editor-workspaces.js";
import type { OfferedChange, TextChange } from "./lifecycle-changes.js";
import { proposedMarks } from "./proposed-marks.js";
import { rename, renameableAt } from "./rename.js";
import { fileOf, offsetAt, rangeIn, spotOf, type AskedFile } from "./spot.js";
import { editOf } from "../core/position/fix-edit.js";
import type { TextPlace } from "./find-names.js";

/** What the server can be asked to change; the editor makes the changes. */
export const changeCapabilities: ServerCapabilities = {
  renameProvider: { prepareProvider: true },
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
};

/** Answers which changes an editor may make. */
export function answerChanges(connection: Connection, workspaces: EditorWorkspaces): void {
  connection.onPrepareRename(async (asked) => {
    const at = await spotOf(workspaces, asked);
    if (!at) return null;
    const found = renameableAt(at.workspace, at.file, at.offset);
    return found.ok ? rangeIn(at.text, found.name.range) : refused(found.problem);
  });
  connection.onRenameRequest(async (asked) => {
    const at = await spotOf(workspaces, asked);
    if (!at) return null;
    const renamed = await rename(at.workspace, at.file, at.offset, asked.newName);
    return renamed.ok ? workspaceEdit(at.shown, renamed.changes) : refused(renamed.problem);
  });
  connection.onCodeAction(async ({ textDocument: { uri }, range, context }) => {
    if (!asksForFixes(context)) return [];
    const asked = await fileOf(workspaces, uri);
    if (!asked) return null;
    const marks = await proposedMarks(asked.workspace, asked.file, range.start.line + 1);
    return [
      ...context.diagnostics.flatMap((diagnostic) => actionsFor(diagnostic, asked)),
      ...marks.map((mark) => actionFor(mark, asked.shown)),
    ];
  });
}

// A kind means those below it, too, and the empty one all.
function asksForFixes({ only }: CodeActionContext): boolean {
  return !only || only.some((kind) => kind === CodeActionKind.Empty || kind === CodeActionKind.QuickFix);
}

function refused(problem: string): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestFailed, problem);
}

function actionFor({ title, change }: OfferedChange, shown: ShownWorkspace): CodeAction {
  return { title, kind: CodeActionKind.QuickFix, edit: workspaceEdit(shown, [change]) };
}

function actionsFor(diagnostic: Published, { shown, file, text }: AskedFile): CodeAction[] {
  const { source, data } = diagnostic;
  const { fixes = [] } = (data ?? {}) as { readonly fixes?: readonly Fix[] };
  if (source !== "agentform") return [];
  const range = { start: offsetAt(text, diagnostic.range.start), end: offsetAt(text, diagnostic.range.end) };
  return fixes.flatMap((fix) => {
    const offered = correctionOf({ file, text, range }, fix);
    return offered ? [{ ...actionFor(offered, shown), diagnostics: [diagnostic] }] : [];
  });
}

function workspaceEdit(shown: ShownWorkspace, changes: readonly TextChange[]): WorkspaceEdit {
  const edits: Record<string, TextEdit[]> = {};
  for (const { file, text, range, newText } of changes) {
    (edits[shown.uriOf(file)] ??= []).push({ range: rangeIn(text, range), newText });
  }
  return { changes: edits };
}

/** Gives the change that a diagnostic at a range of a text proposes, if the text is still the one it is about. */
function correctionOf({ file, text, range }: TextPlace, fix: Fix): OfferedChange | undefined {
  const edit = editOf(text, range, fix);
  return edit && { title: titleOf(fix, edit.newText), change: { file, text, ...edit } };
}

function titleOf({ type, to = "" }: Fix, newText: string): string {
  switch (type) {
    case "quote":
      return "Put it in quotes";
    case "escape":
      return "Send the text itself: write $${";
    case "write":
      return `Write ${to}`;
    default:
      return `Change to ${newText}`;
  }
}
