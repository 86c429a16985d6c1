import { PassThrough } from "node:stream";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import {
  createProtocolConnection,
  FileChangeType,
  StreamMessageReader,
  StreamMessageWriter,
  type Diagnostic as Published,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
} from "vscode-languageserver/node";
import type { Diagnostic } from "../../src/core/finding/diagnostic.js";
import { serve } from "../../src/editor/serve.js";

/** An editor that speaks with a server of its own through a pipe. */
export interface EditorClient {
  readonly connection: ProtocolConnection;
  readonly initialized: InitializeResult;
  uriOf(file: string): string;
  /** Shows a file's text, for the first time or anew. */
  show(file: string, text: string): Promise<void>;
  /** Puts a text in the place of a part of an open file. */
  replace(file: string, start: Position, end: Position, text: string): Promise<void>;
  /** Says that a file was written to the disk. */
  save(file: string): Promise<void>;
  close(file: string): Promise<void>;
  /** Gives the diagnostics that it shows, in the form of `shown`. */
  diagnostics(): unknown[];
}

/**
 * Starts a server in this process, for the workspace of its command where one is given, and an editor that shows a
 * folder, under a URI of its own where one is given.
 */
export async function startEditor(
  directory: string,
  environment: string | null = null,
  rootUri = pathToFileURL(directory).href,
  given: { readonly directory?: string } = {},
): Promise<EditorClient> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  void serve({ environment, ...given }, { input: toServer, output: toClient });
  const connection = createProtocolConnection(
    new StreamMessageReader(toClient),
    new StreamMessageWriter(toServer),
  );
  const published = new Map<string, readonly Published[]>();
  connection.onNotification("textDocument/publishDiagnostics", ({ uri, diagnostics }) => {
    published.set(uri, diagnostics);
  });
  connection.listen();
  const uriOf = (file: string) => pathToFileURL(join(directory, file)).href;
  const initialized: InitializeResult = await connection.sendRequest("initialize", {
    processId: null,
    rootUri,
    capabilities: { workspace: { workspaceEdit: { documentChanges: true } } },
  });
  await connection.sendNotification("initialized", {});
  onTestFinished(async () => {
    await connection.sendRequest("shutdown");
    connection.dispose();
  });
  const versions = new Map<string, number>();
  const document = (file: string) => {
    const version = (versions.get(file) ?? 0) + 1;
    versions.set(file, version);
    return { uri: uriOf(file), version, languageId: "yaml" };
  };
  return {
    connection,
    initialized,
    uriOf,
    async show(file, text) {
      const isOpen = versions.has(file);
      const shown = document(file);
      if (isOpen) {
        const change = { textDocument: shown, contentChanges: [{ text }] };
        await connection.sendNotification("textDocument/didChange", change);
      } else await connection.sendNotification("textDocument/didOpen", { textDocument: { ...shown, text } });
    },
    async replace(file, start, end, text) {
      const change = { textDocument: document(file), contentChanges: [{ range: { start, end }, text }] };
      await connection.sendNotification("textDocument/didChange", change);
    },
    async save(file) {
      const textDocument = { uri: uriOf(file) };
      if (versions.has(file)) await connection.sendNotification("textDocument/didSave", { textDocument });
      // What a different program writes, an editor notices by watching the files.
      const changes = [{ ...textDocument, type: FileChangeType.Changed }];
      await connection.sendNotification("workspace/didChangeWatchedFiles", { changes });
    },
    async close(file) {
      versions.delete(file);
      await connection.sendNotification("textDocument/didClose", { textDocument: { uri: uriOf(file) } });
    },
    diagnostics: () =>
      sorted([...published].flatMap(([uri, found]) => found.map((each) => shownOf(each, directory, uri)))),
  };
}

const severities = ["", "error", "warning", "note"];

function shownOf({ range, severity, code, data }: Published, directory: string, uri: string) {
  const file = fileURLToPath(uri).slice(directory.length + 1);
  const { start, end } = range;
  const { message, hint } = data as { message: string; hint?: string };
  return {
    message,
    ...(hint !== undefined && { hint }),
    file,
    code,
    severity: severities[severity ?? 0],
    start: [start.line + 1, start.character + 1],
    end: [end.line + 1, end.character + 1],
  };
}

/** Gives what an editor would show of diagnostics. */
export function shown(diagnostics: readonly Diagnostic[]): unknown[] {
  return sorted(
    diagnostics.map(
      ({ message, hint, file = "agentform.yaml", code, severity, line = 1, column = 1, ...rest }) => ({
        message,
        ...(hint !== undefined && { hint }),
        file,
        code,
        severity,
        start: [line, column],
        end: [rest.end_line ?? line, rest.end_column ?? column],
      }),
    ),
  );
}

function sorted(values: readonly unknown[]): unknown[] {
  return values
    .map((value) => JSON.stringify(value))
    .toSorted()
    .map((text) => JSON.parse(text) as unknown);
}
