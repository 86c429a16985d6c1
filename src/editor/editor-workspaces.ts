import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { realFolder } from "../disk/real-path.js";
import { DocumentUri, type Connection, type Diagnostic as Published } from "vscode-languageserver/node";
import { manifestFile } from "../core/resources/manifest-file.js";
import { unlessFailing } from "../disk/unless-failing.js";
import type { WorkspaceOptions } from "../sync/request.js";
import { isOwnWorkspace } from "../workspace/near-manifest.js";
import { nameIn } from "../workspace/workspace-folder.js";
import { usesGraph } from "../workspace/others/uses-graph.js";
import { RepeatedCheck } from "./repeated-check.js";
import { EditedWorkspace } from "./edited-workspace.js";
import { publishedDiagnostics, ShownDiagnostics } from "./published-diagnostics.js";

/** The options of a server; without a folder, each file belongs to the workspace that it is in. */
export type ServerOptions = Omit<WorkspaceOptions, "directory"> & { readonly directory?: string };

/** The workspaces of the files that an editor has open: one for each real folder, whatever paths lead to it. */
export class EditorWorkspaces {
  readonly #byRoot = new Map<string, ShownWorkspace>();
  /** The files that the editor has open, also those that are in no workspace yet, by URI. */
  readonly #texts = new Map<string, OpenText>();
  readonly #diagnostics: ShownDiagnostics;

  constructor(
    private readonly options: ServerOptions,
    private readonly connection: Connection,
  ) {
    this.#diagnostics = new ShownDiagnostics(connection);
  }

  /** Gives the workspaces so far. */
  all(): Iterable<ShownWorkspace> {
    return this.#byRoot.values();
  }

  /** Finds the workspace of a file by its URI, and its name there; undefined if it is in none. */
  find(uri: string): { readonly shown: ShownWorkspace; readonly file: string } | undefined {
    const path = pathOf(uri);
    const [found] = path === undefined ? [] : this.#placesOf(path);
    return found && { shown: this.#open(found.folder), file: found.file };
  }

  /** Opens the workspace of a folder that an editor shows, if it is one. */
  openFolder(uri: string): void {
    const path = this.options.directory ?? pathOf(uri);
    if (path !== undefined && existsSync(join(path, manifestFile))) this.#open(path);
  }

  /** Takes the text of a file that the editor has open under a URI; or undefined once it is closed. */
  edit(uri: string, text: string | undefined): void {
    const path = pathOf(uri);
    if (path === undefined) return;
    this.#endLost();
    const real = inRealFolder(path);
    if (text === undefined) this.#texts.delete(uri);
    else this.#texts.set(uri, { path, real, text });
    this.find(uri);
    // A file may be open under a second URI, which leads through a link.
    const others = [...this.#texts].filter(([other, { real: same }]) => other !== uri && same === real);
    for (const shown of this.all()) {
      for (const file of this.#namesIn(shown, path)) {
        shown.edit(file, uri, text);
        const [other] = text === undefined ? others : [];
        if (other) shown.edit(file, other[0], other[1].text);
      }
    }
  }

  /** Takes notice that files were written or removed. */
  refresh(uris: readonly string[]): void {
    this.#endLost();
    const changed = new Set<ShownWorkspace>();
    for (const uri of uris) {
      const path = pathOf(uri);
      if (path === undefined) continue;
      this.find(uri);
      for (const shown of this.all()) {
        if (!changed.has(shown) && this.#reads(shown, path)) changed.add(shown);
      }
    }
    for (const uri of this.#texts.keys()) this.find(uri);
    for (const shown of changed) shown.refresh();
  }

  /** Ends all checks. */
  close(): void {
    for (const { check } of this.all()) check.stop();
  }

  /** Gives the workspace of a folder, and checks it if it was not open. */
  #open(folder: string): ShownWorkspace {
    const root = realFolder(folder);
    const known = this.#byRoot.get(root);
    if (known) return known;
    const shown = new ShownWorkspace(
      { ...this.options, directory: root },
      folder,
      this.#diagnostics,
      (cause) => this.connection.console.error(cause instanceof Error ? (cause.stack ?? "") : String(cause)),
    );
    this.#byRoot.set(root, shown);
    for (const [uri, { path, text }] of this.#texts) {
      for (const file of this.#namesIn(shown, path)) shown.edit(file, uri, text);
    }
    shown.check.changed();
    return shown;
  }

  // What is no workspace any more has no diagnostics.
  #endLost(): void {
    for (const [root, shown] of this.#byRoot) {
      // One that was asked for is checked without a manifest, too.
      const needed = this.options.directory ?? join(shown.folder, manifestFile);
      if (existsSync(needed) && realFolder(shown.folder) === root) continue;
      this.#byRoot.delete(root);
      shown.end();
    }
  }

  /** Gives the folders of manifests above a file, and its names there: by its path as given, and by the real one. */
  #placesOf(path: string) {
    return [...new Set([path, inRealFolder(path)])].flatMap((each) => {
      const folder = this.options.directory ?? folderOf(dirname(each));
      if (folder === undefined || !existsSync(folder)) return [];
      const file = nameIn(folder, each) ?? nameIn(realFolder(folder), each);
      return file === undefined ? [] : [{ folder, file }];
    });
  }

  // What is applied in a workspace that it uses is a part of it, and a manifest that comes or goes may be that of one.
  #reads(shown: ShownWorkspace, path: string): boolean {
    if (basename(path) === manifestFile || this.#namesIn(shown, path).length > 0) return true;
    const real = inRealFolder(path);
    return usesGraph([shown.root]).order.some((folder) => nameIn(folder, real) !== undefined);
  }

  /** Gives the names of a file in a workspace; there are two if a link inside it leads to the file. */
  #namesIn({ root }: ShownWorkspace, path: string): string[] {
    const found = this.#placesOf(path).filter(({ folder }) => realFolder(folder) === root);
    const real = nameIn(root, inRealFolder(path));
    return [...new Set([...found.map(({ file }) => file), ...(real === undefined ? [] : [real])])];
  }
}

interface OpenText {
  readonly path: string;
  /** The path in its real folder when it was last edited: to ask the disk for all of them at each edit takes minutes. */
  readonly real: string;
  readonly text: string;
}

/** A workspace whose diagnostics an editor shows. */
export class ShownWorkspace {
  readonly workspace: EditedWorkspace;
  readonly check: RepeatedCheck;
  /** As the editor writes them, by file. */
  readonly #uris = new Map<string, ReadonlySet<string>>();

  /** Takes its folder as the editor writes it, where its diagnostics are shown, and what to do with a bug. */
  constructor(
    options: WorkspaceOptions,
    readonly folder: string,
    private readonly diagnostics: ShownDiagnostics,
    fail: (cause: unknown) => void,
  ) {
    this.workspace = new EditedWorkspace(options);
    this.check = new RepeatedCheck(
      () => this.workspace.check(),
      () => this.#publish(),
      fail,
    );
  }

  /** Its real folder. */
  get root(): string {
    return this.workspace.directory;
  }

  /** Takes the text of a file that the editor has open under a URI; or undefined once it is closed. */
  edit(file: string, uri: string, text: string | undefined): void {
    const uris = new Set(this.#uris.get(file));
    uris.delete(uri);
    if (text !== undefined) uris.add(uri);
    if (uris.size > 0) this.#uris.set(file, uris);
    else this.#uris.delete(file);
    this.workspace.edit(file, text);
    this.check.changed();
  }

  refresh(): void {
    this.workspace.refresh();
    this.check.changed();
  }

  /** Ends its checks, and clears its diagnostics. */
  end(): void {
    this.check.stop();
    this.diagnostics.clear(this);
  }

  /** Gives the URI of a file, as the editor writes it. */
  uriOf(file: string): string {
    return this.#urisOf(file).at(-1) ?? pathToFileURL(join(this.folder, file)).href;
  }

  #urisOf(file: string): string[] {
    return [...(this.#uris.get(file) ?? [])];
  }

  #publish(): void {
    const uriOf = (file: string) => this.uriOf(file);
    const byUri = new Map<string, Published[]>();
    for (const [file, found] of publishedDiagnostics(this.workspace.diagnostics(), uriOf)) {
      for (const uri of new Set([uriOf(file), ...this.#urisOf(file)])) {
        byUri.set(uri, [...(byUri.get(uri) ?? []), ...found]);
      }
    }
    this.diagnostics.show(this, byUri);
  }
}

function pathOf(uri: string): string | undefined {
  // Without a slash at its end.
  return DocumentUri.is(uri) && uri.startsWith("file:")
    ? unlessFailing(() => resolve(fileURLToPath(uri)))
    : undefined;
}

function folderOf(folder: string): string | undefined {
  const found = manifestFolder(folder);
  if (found === undefined || found === folder) return found;
  let here = folder;
  while (!existsSync(here)) here = dirname(here);
  return isOwnWorkspace(found, here) ? found : undefined;
}

function manifestFolder(folder: string): string | undefined {
  if (existsSync(join(folder, manifestFile))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : manifestFolder(above);
}

// Gives the path of a file with the real path of its folder; the file itself may be a link.
function inRealFolder(file: string): string {
  return join(realFolder(dirname(file)), basename(file));
}
