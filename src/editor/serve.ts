import {
  createConnection,
  DidChangeWatchedFilesNotification,
  TextDocuments,
  TextDocumentSyncKind,
  type Connection,
  type InitializeParams,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { version } from "../version.js";
import { answerRequests, capabilities } from "./answers.js";
import { EditorWorkspaces, type ServerOptions } from "./editor-workspaces.js";

/** The streams between a server and its editor. */
export interface Streams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Serves an editor until it says that it has ended. */
export async function serve(options: ServerOptions, { input, output }: Streams): Promise<void> {
  const connection = createConnection(input, output);
  const workspaces = new EditorWorkspaces(options, connection);
  followTexts(connection, workspaces);
  answerRequests(connection, workspaces);
  let isWatchable = false;
  connection.onInitialize(({ capabilities: client, ...rest }) => {
    isWatchable = client.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    for (const uri of foldersOf(rest)) workspaces.openFolder(uri);
    return {
      serverInfo: { name: "agentform", version },
      capabilities: {
        ...capabilities,
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
      },
    };
  });
  connection.onInitialized(() => {
    if (!isWatchable) return;
    const watchers = ["**/*.{yaml,yml,json,md,txt,lock,journal}", "**/.gitignore"].map((globPattern) => ({
      globPattern,
    }));
    void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
  });
  const ended = new Promise<void>((resolve) => {
    connection.onExit(() => resolve());
  });
  connection.onShutdown(() => workspaces.close());
  connection.listen();
  await ended;
}

function foldersOf({ workspaceFolders, rootUri }: Pick<InitializeParams, "workspaceFolders" | "rootUri">) {
  const folders = (workspaceFolders ?? []).map(({ uri }) => uri);
  return folders.length > 0 ? folders : rootUri === null ? [] : [rootUri];
}

function followTexts(connection: Connection, workspaces: EditorWorkspaces): void {
  const documents = new TextDocuments(TextDocument);
  const show = (uri: string, text: string | undefined) => {
    const found = workspaces.find(uri);
    found?.shown.edit(found.file, uri, text);
  };
  // A document that is opened has changed, too.
  documents.onDidChangeContent(({ document }) => show(document.uri, document.getText()));
  documents.onDidClose(({ document }) => show(document.uri, undefined));
  documents.onDidSave(({ document }) => workspaces.find(document.uri)?.shown.refresh());
  documents.listen(connection);
  connection.onDidChangeWatchedFiles(({ changes }) => {
    const changed = new Set(changes.flatMap(({ uri }) => workspaces.find(uri)?.shown ?? []));
    for (const shown of changed) shown.refresh();
  });
}
