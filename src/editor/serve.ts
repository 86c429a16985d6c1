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

/** Serves an editor until it says that it has ended. */
export async function serve(
  options: ServerOptions,
  { input, output }: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream },
): Promise<void> {
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
  // A document that is opened has changed, too.
  documents.onDidChangeContent(({ document }) => workspaces.edit(document.uri, document.getText()));
  documents.onDidClose(({ document }) => workspaces.edit(document.uri, undefined));
  documents.onDidSave(({ document }) => workspaces.refresh([document.uri]));
  documents.listen(connection);
  connection.onDidChangeWatchedFiles(({ changes }) => workspaces.refresh(changes.map(({ uri }) => uri)));
}
