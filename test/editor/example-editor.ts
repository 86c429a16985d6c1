import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Location, Position, Range, TextDocumentPositionParams } from "vscode-languageserver/node";
import { startEditor, type EditorClient } from "./editor-client.js";
import { example } from "./random-edits.js";

/** Copies the example into a folder that goes with the test. */
export function copyExample(): string {
  const directory = mkdtempSync(join(tmpdir(), "agentform-editor-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(example, directory, { recursive: true });
  return directory;
}

/** An editor that shows a workspace, and ways to say where something is in it. */
export interface ExampleEditor extends EditorClient {
  readonly directory: string;
  /** Gives the text of a file on the disk. */
  read(file: string): string;
  /** Gives the place of the first character of a text in a file, and so many further. */
  at(file: string, needle: string, further?: number): TextDocumentPositionParams;
  /** Gives locations as file and text, such as `policies/strict.yaml: strict`. */
  told(locations: Location[] | Location | null): string[];
}

/** Opens the example, or a different workspace, in an editor. */
export async function openExample(
  directory = copyExample(),
  environment: string | null = null,
): Promise<ExampleEditor> {
  const editor = await startEditor(directory, environment);
  // It is answered once all environments were checked; what completes and explains would not wait for them.
  await editor.connection.sendRequest("workspace/symbol", { query: "" });
  const read = (file: string) => readFileSync(join(directory, file), "utf8");
  return {
    ...editor,
    directory,
    read,
    at(file, needle, further = 0) {
      const text = read(file);
      const offset = text.indexOf(needle);
      if (offset === -1) throw new Error(`${file} has no ${needle}`);
      return { textDocument: { uri: editor.uriOf(file) }, position: positionAt(text, offset + further) };
    },
    told(locations) {
      const list = Array.isArray(locations) ? locations : locations ? [locations] : [];
      return list
        .map(({ uri, range }) => {
          const file = fileURLToPath(uri).slice(directory.length + 1);
          return `${file}: ${textIn(read(file), range)}`;
        })
        .toSorted();
    },
  };
}

/** Gives the position of an offset. */
export function positionAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

/** Gives the offset of a position. */
export function offsetAt(text: string, { line, character }: Position): number {
  const before = text.split("\n").slice(0, line);
  return before.reduce((sum, each) => sum + each.length + 1, character);
}

/** Gives the text of a range. */
function textIn(text: string, { start, end }: Range): string {
  return text.slice(offsetAt(text, start), offsetAt(text, end));
}
