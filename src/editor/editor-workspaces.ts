import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Connection } from "vscode-languageserver/node";
import { manifestFile } from "../core/resources/manifest.js";
import type { WorkspaceOptions } from "../request.js";
import { Checking } from "./checking.js";
import { EditedWorkspace } from "./edited-workspace.js";
import { publishedDiagnostics } from "./published-diagnostics.js";

/** The options of a server; without a folder, each file belongs to the workspace that it is in. */
export type ServerOptions = Omit<WorkspaceOptions, "directory"> & { readonly directory?: string };

/** A file of a workspace. */
export interface WorkspaceFile {
  readonly shown: ShownWorkspace;
  readonly file: string;
}

/** The workspaces of the files that an editor has open. */
export class EditorWorkspaces {
  readonly #byFolder = new Map<string, ShownWorkspace>();

  constructor(
    private readonly options: ServerOptions,
    private readonly connection: Connection,
  ) {}

  /** Gives the workspaces so far. */
  all(): Iterable<ShownWorkspace> {
    return this.#byFolder.values();
  }

  /** Finds the workspace of a file by its URI; undefined if it is in none. */
  find(uri: string): WorkspaceFile | undefined {
    const path = pathOf(uri);
    if (path === undefined) return undefined;
    const directory = this.options.directory ?? folderOf(dirname(path));
    const file = directory === undefined ? undefined : nameIn(directory, path);
    return directory === undefined || file === undefined ? undefined : { shown: this.open(directory), file };
  }

  /** Opens the workspace of a folder that an editor shows, if it is one. */
  openFolder(uri: string): void {
    const path = this.options.directory ?? pathOf(uri);
    if (path !== undefined && existsSync(join(path, manifestFile))) this.open(path);
  }

  /** Gives the workspace of a folder, and checks it if it was not open. */
  open(directory: string): ShownWorkspace {
    const known = this.#byFolder.get(directory);
    if (known) return known;
    const shown = new ShownWorkspace({ ...this.options, directory }, this.connection);
    this.#byFolder.set(directory, shown);
    shown.checking.changed();
    return shown;
  }

  /** Ends all checks. */
  close(): void {
    for (const { checking } of this.all()) checking.stop();
  }
}

/** A workspace whose diagnostics an editor shows. */
export class ShownWorkspace {
  readonly workspace: EditedWorkspace;
  readonly checking: Checking;
  /** As the editor writes them, by file. */
  readonly #uris = new Map<string, string>();
  /** What the editor shows, by URI. */
  readonly #published = new Map<string, string>();

  constructor(
    options: WorkspaceOptions,
    private readonly connection: Connection,
  ) {
    this.workspace = new EditedWorkspace(options);
    this.checking = new Checking(
      () => this.workspace.check(),
      () => this.#publish(),
      (cause) => connection.console.error(cause instanceof Error ? (cause.stack ?? "") : String(cause)),
    );
  }

  /** Takes the text of a file that the editor has open under a URI; or undefined once it is closed. */
  edit(file: string, uri: string, text: string | undefined): void {
    if (text === undefined) this.#uris.delete(file);
    else this.#uris.set(file, uri);
    this.workspace.edit(file, text);
    this.checking.changed();
  }

  /** Takes notice that files were written. */
  refresh(): void {
    this.workspace.refresh();
    this.checking.changed();
  }

  /** Gives the URI of a file, as the editor writes it. */
  uriOf(file: string): string {
    return this.#uris.get(file) ?? pathToFileURL(join(this.workspace.directory, file)).href;
  }

  #publish(): void {
    const uriOf = (file: string) => this.uriOf(file);
    const byUri = new Map(
      Array.from(publishedDiagnostics(this.workspace.diagnostics(), uriOf), ([file, found]) => [
        uriOf(file),
        found,
      ]),
    );
    for (const uri of this.#published.keys()) if (!byUri.has(uri)) byUri.set(uri, []);
    for (const [uri, diagnostics] of byUri) {
      const text = JSON.stringify(diagnostics);
      if (this.#published.get(uri) === text) continue;
      void this.connection.sendDiagnostics({ uri, diagnostics });
      if (diagnostics.length > 0) this.#published.set(uri, text);
      else this.#published.delete(uri);
    }
  }
}

function pathOf(uri: string): string | undefined {
  if (!uri.startsWith("file:")) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

function folderOf(folder: string): string | undefined {
  if (existsSync(join(folder, manifestFile))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : folderOf(above);
}

function nameIn(directory: string, path: string): string | undefined {
  const name = relative(directory, path);
  if (name === ".." || name.startsWith(`..${sep}`) || isAbsolute(name)) return undefined;
  return name.replaceAll(sep, "/");
}
