import { TextDocument } from "vscode-languageserver-textdocument";
import {
  DocumentUri,
  ErrorCodes,
  Position,
  ResponseError,
  type Location,
  type Range as ProtocolRange,
  type TextDocumentPositionParams,
} from "vscode-languageserver/node";
import type { Range } from "../core/position/range.js";
import type { EditedWorkspace } from "./edited-workspace.js";
import type { EditorWorkspaces, ShownWorkspace } from "./editor-workspaces.js";
import type { TextPlace } from "./find-names.js";

/** A file that an editor asks about. */
export interface AskedFile {
  readonly shown: ShownWorkspace;
  readonly workspace: EditedWorkspace;
  readonly file: string;
  readonly text: string;
}

/** A place that an editor asks about. */
export interface Spot extends AskedFile {
  readonly offset: number;
}

/** What an answer waits for: the first check of all environments, or of the first alone, to have an answer soon. */
export type Need = "all" | "begun";

/** Gives the file of a URI, once its workspace was checked as far as needed; undefined if it is in none by then. */
export async function fileOf(
  workspaces: EditorWorkspaces,
  uri: string,
  need: Need = "all",
): Promise<AskedFile | undefined> {
  if (!DocumentUri.is(uri)) throw new ResponseError(ErrorCodes.InvalidParams, "`uri` must be a string");
  const found = workspaces.find(uri);
  if (!found) return undefined;
  const { shown, file } = found;
  await (need === "all" ? shown.check.first : shown.check.begun);
  if (workspaces.find(uri)?.shown !== shown) return undefined;
  const { workspace } = shown;
  const text = workspace.texts().read(file);
  return text === undefined ? undefined : { shown, workspace, file, text };
}

/** Gives the place of a request, in the same way. */
export async function spotOf(
  workspaces: EditorWorkspaces,
  { textDocument, position }: TextDocumentPositionParams,
  need: Need = "all",
): Promise<Spot | undefined> {
  if (!Position.is(position))
    throw new ResponseError(ErrorCodes.InvalidParams, "`position` must have a line and a character");
  const asked = await fileOf(workspaces, textDocument.uri, need);
  return asked && { ...asked, offset: offsetAt(asked.text, position) };
}

/** Gives places as the protocol has them. */
export function locations(shown: ShownWorkspace, places: readonly TextPlace[]): Location[] {
  return places.map(({ file, text, range }) => ({ uri: shown.uriOf(file), range: rangeIn(text, range) }));
}

/** Gives the offset of a position. */
export function offsetAt(text: string, position: Position): number {
  return documentOf(text).offsetAt(position);
}

/** Gives a range as the protocol has it. */
export function rangeIn(text: string, { start, end }: Range): ProtocolRange {
  const document = documentOf(text);
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

// Several ranges of one text share its table of lines. The text itself is kept, too: another one that is equal would be
// compared with it character by character, for each range.
let last = { text: "", document: TextDocument.create("", "", 0, "") };
function documentOf(text: string): TextDocument {
  const document = last.text === text ? last.document : TextDocument.create("", "", 0, text);
  last = { text, document };
  return document;
}
