import { TextDocument } from "vscode-languageserver-textdocument";
import {
  type Connection,
  type Location,
  type Position,
  type Range as ProtocolRange,
  type ServerCapabilities,
  type TextDocumentPositionParams,
} from "vscode-languageserver/node";
import type { Range } from "../core/position/range.js";
import type { EditorWorkspaces, ShownWorkspace } from "./editor-workspaces.js";
import type { EditedWorkspace } from "./edited-workspace.js";
import { definitionsOf, nameAt, namesOf, type TextPlace } from "./find-names.js";

/** What the server can be asked. */
export const capabilities: ServerCapabilities = {
  definitionProvider: true,
  referencesProvider: true,
};

/** Answers what an editor asks about a place or a file. */
export function answerRequests(connection: Connection, workspaces: EditorWorkspaces): void {
  connection.onDefinition(async (asked) => {
    const at = await spotOf(workspaces, asked);
    const name = at && nameAt(at.workspace, at.file, at.offset);
    return at && name ? locations(at.shown, definitionsOf(at.workspace, name.meaning)) : null;
  });
  connection.onReferences(async (asked) => {
    const at = await spotOf(workspaces, asked);
    const name = at && nameAt(at.workspace, at.file, at.offset);
    if (!at || !name) return null;
    const found = namesOf(at.workspace, name.meaning);
    return locations(
      at.shown,
      found.filter(({ role }) => asked.context.includeDeclaration || role !== "definition"),
    );
  });
}

/** A place that an editor asks about. */
interface Spot {
  readonly shown: ShownWorkspace;
  readonly workspace: EditedWorkspace;
  readonly file: string;
  readonly text: string;
  readonly offset: number;
}

async function spotOf(
  workspaces: EditorWorkspaces,
  { textDocument: { uri }, position }: TextDocumentPositionParams,
): Promise<Spot | undefined> {
  const found = workspaces.find(uri);
  if (!found) return undefined;
  const { shown, file } = found;
  await shown.checking.first;
  const { workspace } = shown;
  const text = workspace.texts().read(file);
  return text === undefined ? undefined : { shown, workspace, file, text, offset: offsetAt(text, position) };
}

function locations(shown: ShownWorkspace, places: readonly TextPlace[]): Location[] {
  return places.map(({ file, text, range }) => ({ uri: shown.uriOf(file), range: rangeIn(text, range) }));
}

function offsetAt(text: string, position: Position): number {
  return documentOf(text).offsetAt(position);
}

function rangeIn(text: string, { start, end }: Range): ProtocolRange {
  const document = documentOf(text);
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

// For its table of lines.
let last = TextDocument.create("", "", 0, "");
function documentOf(text: string): TextDocument {
  if (last.getText() !== text) last = TextDocument.create("", "", 0, text);
  return last;
}
