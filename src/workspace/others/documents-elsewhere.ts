import type { FileSummary, ResourceSummary } from "../../core/resources/parsed-file.js";
import { findDocuments, findPatches } from "../find-documents.js";
import { openFolder } from "../open-workspace.js";
import { parseFiles } from "../parse-files.js";
import { settingsIn } from "./uses-graph.js";

/**
 * Gives what the documents of another workspace are and refer to; undefined if it has errors for which nobody can tell
 * all of them. What it uses itself is its own matter.
 */
export function summariesOf(
  directory: string,
  environment: string | null,
  { cacheFolder }: { readonly cacheFolder?: string },
): readonly ResourceSummary[] | undefined {
  const opened = openFolder(directory);
  const settings = settingsIn(directory, environment);
  if (!opened.ok || !settings) return undefined;
  const { folder } = opened;
  const [documents, patches] = [findDocuments(folder, settings), findPatches(folder, settings)];
  // What somebody has open is of another workspace.
  const known = cacheFolder === undefined ? {} : { cacheFolder };
  const { files, findings } = parseFiles(folder, settings, documents.files, patches.files, known);
  const isWhole = [...documents.findings, ...patches.findings, ...findings].length === 0;
  if (!isWhole || !files.every(({ summary }) => isSound(summary))) return undefined;
  return files.flatMap(({ summary }) => summary.resources);
}

function isSound({ lost, broken, isPartial }: FileSummary): boolean {
  return !lost && !broken && isPartial !== true;
}
