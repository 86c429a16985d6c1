import { join, sep } from "node:path";
import { realFolder } from "../../disk/real-path.js";
import { resourcesOf } from "../../core/resources/file-resource.js";
import type { FileSummary, ResourceSummary } from "../../core/resources/parsed-file.js";
import type { Resource } from "../../core/resources/resource.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import { once } from "../../json/once.js";
import { findDocuments, findPatches } from "../find-documents.js";
import { openFolder } from "../open-workspace.js";
import { parseFiles } from "../parse-files.js";
import { findWorkspaces } from "./neighbours.js";
import type { AccessElsewhere } from "./state-elsewhere.js";
import { settingsIn } from "./uses-graph.js";

/** Opens a folder; whoever asks for several environments of it opens it once, for that asks git. */
type OpenFolder = (directory: string) => ReturnType<typeof openFolder>;

/** Gives what another workspace's documents are and refer to; undefined if errors hide some of them. */
export function summariesOf(
  ...where: Parameters<typeof documentsOf>
): readonly ResourceSummary[] | undefined {
  const documents = documentsOf(...where);
  return documents?.isWhole ? documents.files.flatMap(({ summary }) => summary.resources) : undefined;
}

/** Gives another workspace's resources, undefined as there; bodies only where a search may find something. */
export function resourcesElsewhere(
  isSearched: (text: string) => boolean,
  ...where: Parameters<typeof documentsOf>
): ReadonlyMap<string, Pick<Resource, "address" | "lifecycle" | "body">> | undefined {
  const documents = documentsOf(...where);
  if (!documents?.isWhole) return undefined;
  const { files, settings, folder, patches } = documents;
  const isIn = once((file) => {
    const read = folder.read(file);
    return read.ok && isSearched(read.text);
  });
  const isInAll = [manifestFile, ...patches].some(isIn);
  return new Map(
    files.flatMap((file) => {
      const { summary } = file;
      const hasBody = isInAll || [summary.file, ...(summary.included ?? [])].some(isIn);
      return resourcesOf(file, settings.deployment).map((resource) => {
        const { address, lifecycle } = resource;
        return [address, hasBody ? resource : { address, lifecycle, body: {} }] as const;
      });
    }),
  );
}

/** Gives the resources of another workspace as far as its documents can be read, so that the bodies of one file go before the next. */
export function* readableResources(...where: Parameters<typeof documentsOf>): Generator<Resource> {
  const documents = documentsOf(...where);
  for (const file of documents?.files ?? []) yield* resourcesOf(file, documents?.settings.deployment ?? {});
}

function documentsOf(
  directory: string,
  environment: string | null,
  { cacheFolder, folderAt = openFolder }: { readonly cacheFolder?: string; readonly folderAt?: OpenFolder },
) {
  const opened = folderAt(directory);
  const settings = settingsIn(directory, environment);
  if (!opened.ok || !settings) return undefined;
  const { folder } = opened;
  const [documents, patches] = [findDocuments(folder, settings), findPatches(folder, settings)];
  // What somebody has open is of another workspace.
  const known = cacheFolder === undefined ? {} : { cacheFolder };
  const { files, findings } = parseFiles(folder, settings, documents.files, patches.files, known);
  const isRead = [...documents.findings, ...patches.findings, ...findings].length === 0;
  return {
    folder,
    files,
    patches: patches.files,
    settings,
    isWhole: isRead && files.every(({ summary }) => isSound(summary)),
  };
}

function isSound({ lost, broken, isPartial }: FileSummary): boolean {
  return !lost && !broken && isPartial !== true;
}

/** Gives the files, by their real paths, that workspaces in the folders above one read, as far as they can be read. */
export function readAbove(directory: string, access: AccessElsewhere): ReadonlySet<string> {
  const own = realFolder(directory);
  const { found } = findWorkspaces(directory, access);
  return new Set(
    found
      .filter(({ folder }) => folder !== own && `${own}${sep}`.startsWith(`${folder}${sep}`))
      .flatMap(({ folder, environment }) => {
        const { files = [], patches = [] } = documentsOf(folder, environment, access) ?? {};
        const read = files.flatMap(({ summary }) => [summary.file, ...(summary.included ?? [])]);
        return [...read, ...patches].map((file) => join(folder, file));
      }),
  );
}
