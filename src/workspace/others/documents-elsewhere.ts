import { resourcesOf } from "../../core/resources/file-resource.js";
import type { FileSummary, ResourceSummary } from "../../core/resources/parsed-file.js";
import type { Resource } from "../../core/resources/resource.js";
import { findDocuments, findPatches } from "../find-documents.js";
import { openFolder } from "../open-workspace.js";
import { parseFiles } from "../parse-files.js";
import { settingsIn } from "./uses-graph.js";

/**
 * Gives what the documents of another workspace are and refer to; undefined if it has errors for which nobody can tell
 * all of them. What it uses itself is its own matter.
 */
export function summariesOf(
  ...where: Parameters<typeof documentsOf>
): readonly ResourceSummary[] | undefined {
  const documents = documentsOf(...where);
  return documents?.isWhole ? documents.files.flatMap(({ summary }) => summary.resources) : undefined;
}

/** Gives the resources of another workspace, as far as its documents have no errors. */
export function resourcesElsewhere(...where: Parameters<typeof documentsOf>): ReadonlyMap<string, Resource> {
  const { files, settings } = documentsOf(...where) ?? { files: [], settings: { deployment: {} } };
  const resources = files.flatMap((file) => resourcesOf(file, settings.deployment));
  return new Map(resources.map((resource) => [resource.address, resource]));
}

function documentsOf(
  directory: string,
  environment: string | null,
  { cacheFolder }: { readonly cacheFolder?: string },
) {
  const opened = openFolder(directory);
  const settings = settingsIn(directory, environment);
  if (!opened.ok || !settings) return undefined;
  const { folder } = opened;
  const [documents, patches] = [findDocuments(folder, settings), findPatches(folder, settings)];
  // What somebody has open is of another workspace.
  const known = cacheFolder === undefined ? {} : { cacheFolder };
  const { files, findings } = parseFiles(folder, settings, documents.files, patches.files, known);
  const isRead = [...documents.findings, ...patches.findings, ...findings].length === 0;
  return { files, settings, isWhole: isRead && files.every(({ summary }) => isSound(summary)) };
}

function isSound({ lost, broken, isPartial }: FileSummary): boolean {
  return !lost && !broken && isPartial !== true;
}
