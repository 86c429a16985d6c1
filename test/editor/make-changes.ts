import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { WorkspaceEdit } from "vscode-languageserver/node";
import { offsetAt, type ExampleEditor } from "./example-editor.js";

/** Renames what is at a place, and saves everything. */
export async function renamed(
  editor: ExampleEditor,
  file: string,
  needle: string,
  further: number,
  newName: string,
) {
  const edit: WorkspaceEdit = await editor.connection.sendRequest("textDocument/rename", {
    ...editor.at(file, needle, further),
    newName,
  });
  makeChanges(editor, edit);
}

/** Writes an edit to the disk, as an editor does that saves everything. */
export function makeChanges(editor: ExampleEditor, { changes = {} }: WorkspaceEdit): void {
  for (const [uri, edits] of Object.entries(changes)) {
    const file = fileURLToPath(uri).slice(editor.directory.length + 1);
    const text = editor.read(file);
    const ranges = edits.map(({ range, newText }) => ({
      start: offsetAt(text, range.start),
      end: offsetAt(text, range.end),
      newText,
    }));
    const changed = ranges
      .toSorted((a, b) => b.start - a.start)
      .reduce((all, { start, end, newText }) => all.slice(0, start) + newText + all.slice(end), text);
    writeFileSync(join(editor.directory, file), changed);
  }
}
