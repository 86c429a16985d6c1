import { addTo } from "../json/groups.js";
import {
  DiagnosticSeverity,
  type Connection,
  type Diagnostic as Published,
} from "vscode-languageserver/node";
import type { Diagnostic, Severity } from "../core/finding/diagnostic.js";
import { manifestFile } from "../core/resources/manifest-file.js";

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
};

/** Gives diagnostics by file as the protocol has them; one without a file is shown in the manifest. */
export function publishedDiagnostics(
  diagnostics: readonly Diagnostic[],
  uriOf: (file: string) => string,
): Map<string, Published[]> {
  const byFile = new Map<string, Published[]>();
  for (const diagnostic of diagnostics) {
    const { file = manifestFile } = diagnostic;
    addTo(byFile, file, publish(diagnostic, uriOf));
  }
  return byFile;
}

function publish(diagnostic: Diagnostic, uriOf: (file: string) => string): Published {
  const { code, severity, message, hint, fixes, related = [] } = diagnostic;
  const start = position(diagnostic.line, diagnostic.column);
  const end = diagnostic.end_line ? position(diagnostic.end_line, diagnostic.end_column) : start;
  const relatedInformation = related.flatMap(({ message: text, file, line, column }) => {
    if (file === undefined) return [];
    const at = position(line, column);
    return [{ message: text, location: { uri: uriOf(file), range: { start: at, end: at } } }];
  });
  return {
    range: { start, end },
    severity: severities[severity],
    code,
    source: "agentform",
    message: hint === undefined ? message : `${message}\n${hint}`,
    data: { message, ...(hint !== undefined && { hint }), ...(fixes && { fixes }) },
    ...(relatedInformation.length > 0 && { relatedInformation }),
  };
}

// Both count UTF-16 code units; diagnostics from 1, the protocol from 0.
function position(line = 1, column = 1) {
  return { line: line - 1, character: column - 1 };
}

/** What an editor shows of all workspaces; files of a workspace inside a different one may have diagnostics of both. */
export class ShownDiagnostics {
  /** By workspace, then by URI. */
  readonly #found = new Map<object, ReadonlyMap<string, readonly Published[]>>();
  /** As text, by URI. */
  readonly #sent = new Map<string, string>();

  constructor(private readonly connection: Pick<Connection, "sendDiagnostics">) {}

  /** Shows what was found in a workspace, in the place of what was found before. */
  show(workspace: object, found: ReadonlyMap<string, readonly Published[]>): void {
    const before = this.#found.get(workspace) ?? new Map<string, readonly Published[]>();
    this.#found.set(workspace, found);
    for (const uri of new Set([...before.keys(), ...found.keys()])) this.#send(uri);
  }

  clear(workspace: object): void {
    this.show(workspace, new Map());
    this.#found.delete(workspace);
  }

  #send(uri: string): void {
    const all = [...this.#found.values()].flatMap((found) => found.get(uri) ?? []);
    const diagnostics = [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
    const text = diagnostics.length > 0 ? JSON.stringify(diagnostics) : undefined;
    if (this.#sent.get(uri) === text) return;
    if (text === undefined) this.#sent.delete(uri);
    else this.#sent.set(uri, text);
    void this.connection.sendDiagnostics({ uri, diagnostics });
  }
}
