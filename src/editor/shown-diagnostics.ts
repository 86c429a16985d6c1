import type { Connection, Diagnostic as Published } from "vscode-languageserver/node";

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

  /** Clears what is shown of a workspace. */
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
