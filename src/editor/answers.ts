import {
  CompletionItemKind,
  MarkupKind,
  SymbolKind,
  type Connection,
  type ServerCapabilities,
} from "vscode-languageserver/node";
import { completionsAt } from "./completion.js";
import { answerChanges, changeCapabilities } from "./change-answers.js";
import type { EditorWorkspaces } from "./editor-workspaces.js";
import { documentSymbols, fileLinks, workspaceSymbols } from "./file-symbols.js";
import { definitionsOf, nameAt, namesOf } from "./find-names.js";
import { hoverAt } from "./hover.js";
import { planLenses } from "./plan-lenses.js";
import { fileOf, locations, rangeIn, spotOf } from "./spot.js";

/** What the server can be asked. */
export const capabilities: ServerCapabilities = {
  definitionProvider: true,
  referencesProvider: true,
  hoverProvider: true,
  completionProvider: { triggerCharacters: ["{", ":", "/"] },
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  documentLinkProvider: {},
  codeLensProvider: {},
  ...changeCapabilities,
};

/** Answers what an editor asks about a place or a file. */
export function answerRequests(connection: Connection, workspaces: EditorWorkspaces): void {
  answerNames(connection, workspaces);
  answerFiles(connection, workspaces);
  answerChanges(connection, workspaces);
}

function answerNames(connection: Connection, workspaces: EditorWorkspaces): void {
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
    const wanted = found.filter(({ role }) => asked.context.includeDeclaration || role !== "definition");
    return locations(at.shown, wanted);
  });
  connection.onHover(async (asked) => {
    const at = await spotOf(workspaces, asked, "begun");
    const hover = at && (await hoverAt(at.workspace, at.file, at.text, at.offset));
    if (!at || !hover) return null;
    return {
      contents: { kind: MarkupKind.Markdown, value: hover.markdown },
      range: rangeIn(at.text, hover.range),
    };
  });
  connection.onCompletion(async (asked) => {
    const spot = await spotOf(workspaces, asked, "begun");
    const found = spot && completionsAt(spot.workspace, spot.file, spot.text, spot.offset);
    if (!spot || !found) return null;
    const range = rangeIn(spot.text, found.at);
    return found.items.map(({ text, detail, isPart }) => ({
      label: text,
      kind: isPart ? CompletionItemKind.Keyword : CompletionItemKind.Reference,
      filterText: text,
      textEdit: { range, newText: isPart || found.at.isClosed ? text : `${text}}` },
      ...(detail !== undefined && { detail }),
    }));
  });
}

function answerFiles(connection: Connection, workspaces: EditorWorkspaces): void {
  connection.onDocumentSymbol(async ({ textDocument: { uri } }) => {
    const asked = await fileOf(workspaces, uri, "begun");
    if (!asked) return null;
    const { file, text } = asked;
    return documentSymbols(file, text).map(({ name, range, nameRange }) => ({
      name,
      kind: SymbolKind.Object,
      range: rangeIn(text, range),
      selectionRange: rangeIn(text, nameRange),
    }));
  });
  connection.onWorkspaceSymbol(async ({ query }) => {
    const found = await Promise.all(
      Array.from(workspaces.all(), async (shown) => {
        await shown.check.first;
        return workspaceSymbols(shown.workspace, query).flatMap(({ address, place }) =>
          locations(shown, [place]).map((location) => ({ name: address, kind: SymbolKind.Object, location })),
        );
      }),
    );
    return found.flat();
  });
  connection.onDocumentLinks(async ({ textDocument: { uri } }) => {
    const asked = await fileOf(workspaces, uri, "begun");
    if (!asked) return null;
    const { shown, workspace, file, text } = asked;
    return fileLinks(workspace, file, text).map(({ range, target }) => ({
      range: rangeIn(text, range),
      target: shown.uriOf(target),
    }));
  });
  connection.onCodeLens(async ({ textDocument: { uri } }) => {
    const asked = await fileOf(workspaces, uri);
    if (!asked) return null;
    const lenses = await planLenses(asked.workspace, asked.file, asked.text);
    // A lens without a command is a text.
    return lenses.map(({ title, range }) => ({
      range: rangeIn(asked.text, range),
      command: { title, command: "" },
    }));
  });
}
