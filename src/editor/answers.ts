import type { Connection, ServerCapabilities } from "vscode-languageserver/node";
import { completionsAt } from "./completion.js";
import { answerChanges, changeCapabilities } from "./change-answers.js";
import type { EditorWorkspaces } from "./editor-workspaces.js";
import { documentSymbols, fileLinks, workspaceSymbols } from "./file-symbols.js";
import { definitionsOf, nameAt, namesOf } from "./find-names.js";
import { hoverAt } from "./hover.js";
import { planLenses } from "./plan-lenses.js";
import { fileOf, locations, spotOf } from "./spot.js";

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
    const spot = await spotOf(workspaces, asked, "begun");
    return spot ? await hoverAt(spot) : null;
  });
  connection.onCompletion(async (asked) => {
    const spot = await spotOf(workspaces, asked, "begun");
    return spot ? completionsAt(spot) : null;
  });
  connection.onDocumentSymbol(async ({ textDocument: { uri } }) => {
    const asked = await fileOf(workspaces, uri, "begun");
    return asked ? documentSymbols(asked) : null;
  });
  connection.onWorkspaceSymbol(async ({ query }) => {
    const found = await Promise.all(
      Array.from(workspaces.all(), async (shown) => {
        await shown.check.first;
        return workspaceSymbols(shown, query);
      }),
    );
    return found.flat();
  });
  connection.onDocumentLinks(async ({ textDocument: { uri } }) => {
    const asked = await fileOf(workspaces, uri, "begun");
    return asked ? fileLinks(asked) : null;
  });
  connection.onCodeLens(async ({ textDocument: { uri } }) => {
    const asked = await fileOf(workspaces, uri);
    return asked ? await planLenses(asked) : null;
  });
  answerChanges(connection, workspaces);
}
