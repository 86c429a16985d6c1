import {
  type Connection,
  type Location,
  type ServerCapabilities,
  type CodeLens,
  SymbolKind,
  type DocumentLink,
  type DocumentSymbol,
  type SymbolInformation,
} from "vscode-languageserver/node";
import { completionsAt } from "./completion.js";
import { answerChanges, changeCapabilities } from "./change-answers.js";
import type { EditorWorkspaces, ShownWorkspace } from "./editor-workspaces.js";
import { definitionsOf, nameAt, namesOf } from "./find-names.js";
import { hoverAt } from "./hover.js";
import { fileOf, locations, spotOf, rangeIn, type AskedFile } from "./spot.js";
import { addTo } from "../json/groups.js";
import { WrittenText } from "../core/position/written-text.js";
import { isYaml, meaningOf, type NameMeaning } from "./occurrence.js";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { manifestFile } from "../core/resources/manifest-file.js";
import { usedAddress } from "../core/resources/used.js";
import { expressionsIn } from "../core/position/written-expression.js";

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
    if (!at || !name) return null;
    const elsewhere = await definitionElsewhere(workspaces, at, name.meaning);
    return elsewhere ?? locations(at.shown, definitionsOf(at.workspace, name.meaning));
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

// Finds what a name of another workspace means there; undefined for a name of this one.
async function definitionElsewhere(
  workspaces: EditorWorkspaces,
  { workspace }: AskedFile,
  meaning: NameMeaning,
): Promise<Location[] | undefined> {
  const of = usedAddress(meaning.name);
  if (!of || meaning.scheme === "env" || meaning.scheme === "file") return undefined;
  const directory = workspace
    .fleets()
    .map(({ used }) => used.get(of.use)?.directory)
    .find(Boolean);
  const manifest = directory && pathToFileURL(join(directory, manifestFile)).href;
  const there = manifest ? await fileOf(workspaces, manifest) : undefined;
  return there
    ? locations(there.shown, definitionsOf(there.workspace, { ...meaning, name: of.address }))
    : [];
}

// Gives what plans would do with each document of a file; nothing for those that stay as they are.
async function planLenses({ workspace, file, text }: AskedFile): Promise<CodeLens[]> {
  if (!isYaml(file)) return [];
  const plans = await workspace.plans();
  const titles = new Map<number, string[]>();
  for (const fleet of workspace.fleets()) {
    const { environment } = fleet.settings;
    const actions = plans.find((each) => each.environment === environment)?.plan?.actions ?? [];
    const counts = new Map<number, Map<string, number>>();
    for (const { address, action } of actions) {
      const resource = fleet.resources.get(address);
      if (resource?.file !== file) continue;
      const { document = 0 } = resource.place(["metadata", "name"]);
      const ofDocument = counts.get(document) ?? new Map<string, number>();
      counts.set(document, ofDocument.set(action, (ofDocument.get(action) ?? 0) + 1));
    }
    for (const [document, ofDocument] of counts) {
      const said = Array.from(ofDocument, ([action, count]) => wordsOf(action, count)).join(", ");
      const where = environment === null ? "" : `${environment}: `;
      addTo(titles, document, `${where}${said}`);
    }
  }
  return new WrittenText(text).heads().flatMap(({ document, range }) => {
    const said = titles.get(document);
    if (!said) return [];
    // A lens without a command is a text.
    const command = { title: said.join(" · "), command: "" };
    return [{ range: rangeIn(text, { start: range.start, end: range.start }), command }];
  });
}

function wordsOf(action: string, count: number): string {
  return action === "unknown" || action === "blocked" ? `${count} ${action}` : `${count} to ${action}`;
}

// Gives the documents of a file, by address if they have one.
function documentSymbols({ file, text }: AskedFile): DocumentSymbol[] {
  if (!isYaml(file)) return [];
  return new WrittenText(text).heads().map(({ address, kind, name, range, nameRange }) => ({
    name: address ?? [kind ?? "document", name].filter((each) => each !== undefined).join(" "),
    kind: SymbolKind.Object,
    range: rangeIn(text, range),
    selectionRange: rangeIn(text, nameRange ?? { start: range.start, end: range.start }),
  }));
}

const mostSymbols = 200;

function workspaceSymbols(shown: ShownWorkspace, query: string): SymbolInformation[] {
  const { workspace } = shown;
  const addresses = new Set(workspace.fleets().flatMap(({ resources }) => [...resources.keys()]));
  const wanted = query.toLowerCase();
  const found = [...addresses].filter((address) => address.includes(wanted)).slice(0, mostSymbols);
  return found.flatMap((address) =>
    locations(shown, definitionsOf(workspace, meaningOf(address))).map((location) => ({
      name: address,
      kind: SymbolKind.Object,
      location,
    })),
  );
}

function fileLinks({ shown, workspace, file, text }: AskedFile): DocumentLink[] {
  const texts = workspace.texts();
  return expressionsIn(text, isYaml(file)).flatMap(({ scheme, locator, source, start }) => {
    if (scheme !== "file" && scheme !== "template") return [];
    const target = texts.resolve(file, locator);
    if (target === undefined) return [];
    const from = start + source.indexOf(locator, scheme.length + 3);
    return [
      { target: shown.uriOf(target), range: rangeIn(text, { start: from, end: from + locator.length }) },
    ];
  });
}
