import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { error, hasErrors, type Diagnostic, type Finding } from "../core/diagnostic.js";
import type { Hash, Json } from "../core/json.js";
import {
  buildSettings,
  manifestFile,
  parseManifest,
  type Manifest,
  type Settings,
} from "../core/manifest.js";
import { didYouMean } from "../core/nearest.js";
import { locate, type SourceText } from "../core/position.js";
import type { Included, Includes } from "../core/substitution.js";
import { buildWorkspace, type SourceFile, type Workspace } from "../core/workspace.js";
import { closestName } from "./closest-name.js";
import { findDocuments, findPatches } from "./find-documents.js";
import { WorkspaceFolder, type ReadProblem } from "./read-text.js";

/** Which workspace to load, and for which environment. */
export interface LoadOptions {
  /** The folder of the manifest. */
  readonly directory: string;
  readonly environment?: string | null;
  /** Values of variables that win over the manifest's. */
  readonly variables?: ReadonlyMap<string, Json>;
}

/** A workspace as it was read, and what was found in it. */
export interface LoadedWorkspace {
  /** Absent where the manifest cannot be used. */
  readonly workspace?: Workspace;
  /** The names of the environments that the manifest has. */
  readonly environments: readonly string[];
  /** All that was found, located and sorted. */
  readonly diagnostics: readonly Diagnostic[];
  /** Gives further findings their places. */
  readonly locate: (findings: readonly Finding[]) => Diagnostic[];
}

/** Reads and checks a workspace; problems are diagnostics, all of them at once. */
export function loadWorkspace(options: LoadOptions, hash: Hash): LoadedWorkspace {
  if (!existsSync(join(options.directory, manifestFile))) return withoutManifest();
  const folder = new WorkspaceFolder(options.directory);
  const sources = new Set<string>([manifestFile]);
  const locateHere = (findings: readonly Finding[]) =>
    locate(findings, (file) => quote(folder, file, sources));
  const fail = (findings: readonly Finding[], environments: readonly string[] = []) => {
    return { environments, diagnostics: locateHere(findings), locate: locateHere };
  };

  const manifest = readManifest(folder);
  if (Array.isArray(manifest)) return fail(manifest);
  const environments = Object.keys(manifest.value.spec.environments ?? {});
  const given = options.variables ?? new Map<string, Json>();
  const settings = buildSettings(manifest, options.environment ?? null, given);
  if (Array.isArray(settings)) return fail(settings, environments);

  const documents = findDocuments(folder, settings);
  const patches = findPatches(folder, settings);
  const unfound = [...documents.findings, ...patches.findings];
  const { texts, findings: unread } = readAll(folder, documents.files, patches.files, sources);
  const unreadFiles = unread.flatMap(({ place }) => place?.file ?? []);
  const workspace = buildWorkspace(settings, texts, new IncludedFiles(folder), hash, {
    files: unreadFiles,
    folders: unfound.length > 0,
  });
  const findings = [
    ...manifest.findings,
    ...undeclared(given, settings),
    ...unfound,
    ...unread,
    ...workspace.findings,
  ];
  return { workspace, environments, diagnostics: locateHere(findings), locate: locateHere };
}

/** Whether a workspace was loaded without an error, and so can be planned. */
export function isSound(
  loaded: LoadedWorkspace,
): loaded is LoadedWorkspace & { readonly workspace: Workspace } {
  return loaded.workspace !== undefined && !hasErrors(loaded.diagnostics);
}

function withoutManifest(): LoadedWorkspace {
  const hint = "`agentform init` makes a workspace; `-C DIR` names another folder";
  const message = `there is no \`${manifestFile}\` in the workspace`;
  const locateNowhere = (findings: readonly Finding[]) => locate(findings, () => undefined);
  const diagnostics = locateNowhere([error("workspace-missing", { file: manifestFile }, message, hint)]);
  return { environments: [], diagnostics, locate: locateNowhere };
}

function readManifest(folder: WorkspaceFolder): Manifest | Finding[] {
  const read = folder.read(manifestFile);
  if ("text" in read) return parseManifest(read.text);
  return [error(read.code, { file: manifestFile }, read.message, read.hint)];
}

function readAll(
  folder: WorkspaceFolder,
  documents: readonly string[],
  patches: readonly string[],
  sources: Set<string>,
) {
  const isPatch = new Set(patches);
  const files = [...documents.filter((file) => !isPatch.has(file)), ...patches];
  const texts: SourceFile[] = [];
  const findings: Finding[] = [];
  for (const file of files) {
    const read = folder.read(file);
    sources.add(file);
    if ("text" in read) texts.push({ file, text: read.text, isPatch: isPatch.has(file) });
    else
      findings.push(error(read.code, { file }, read.message, read.hint ?? "it is a link that leads nowhere"));
  }
  return { texts, findings };
}

class IncludedFiles implements Includes {
  readonly #read = new Map<string, Included>();

  constructor(private readonly folder: WorkspaceFolder) {}

  read(from: string, path: string): Included {
    const target = this.folder.resolve(from, path);
    if (!("file" in target)) return target;
    const { file } = target;
    const known = this.#read.get(file);
    if (known) return known;
    const read = this.folder.read(file);
    const included = "text" in read ? { file, text: read.text } : this.#explain(from, path, file, read);
    if ("text" in included) this.#read.set(file, included);
    return included;
  }

  // The path is the one that was written, which is relative to where it was written.
  #explain(from: string, path: string, file: string, problem: ReadProblem): ReadProblem {
    if (problem.code !== "file-missing") return problem;
    const meant = closestName(this.folder, file);
    const relative = meant && posix.join(posix.dirname(path), posix.basename(meant));
    const start = from.includes("/") ? `\`${posix.dirname(from)}/\`` : "the workspace's own folder";
    const hint = relative
      ? `did you mean \`${relative}\`?`
      : `paths start from the folder of the file that holds them, ${start}`;
    return { ...problem, hint };
  }
}

function undeclared(given: ReadonlyMap<string, Json>, { variables }: Settings): Finding[] {
  return [...given.keys()]
    .filter((name) => !variables.has(name))
    .map((name) => {
      const hint =
        didYouMean(name, variables.keys()) ?? "declare it under `spec.variables` of agentform.yaml";
      return error("variable-unknown", undefined, `variable \`${name}\` is given and not declared`, hint);
    });
}

function quote(folder: WorkspaceFolder, file: string, sources: ReadonlySet<string>): SourceText | undefined {
  const read = folder.read(file);
  return "text" in read ? { text: read.text, quotable: sources.has(file) } : undefined;
}
