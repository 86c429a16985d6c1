import { buildSettings } from "../../core/resources/manifest.js";
import type { FileSummary, ResourceSummary } from "../../core/resources/parsed-file.js";
import { findDocuments, findPatches } from "../find-documents.js";
import { openFolder } from "../open-workspace.js";
import { parseFiles } from "../parse-files.js";
import { manifestIn } from "./uses-graph.js";

/** Gives the addresses of the documents of another workspace; undefined if nobody can tell all of them. */
export function documentsOf(
  directory: string,
  environment: string | null,
  known: { readonly cacheFolder?: string },
): ReadonlySet<string> | undefined {
  const summaries = summariesOf(directory, environment, known);
  return summaries && new Set(summaries.map(({ address }) => address));
}

/**
 * Gives what the documents of another workspace are and refer to; undefined if it has errors for which nobody can tell
 * all of them. What it uses itself is its own matter.
 */
export function summariesOf(
  directory: string,
  environment: string | null,
  known: { readonly cacheFolder?: string },
): readonly ResourceSummary[] | undefined {
  const opened = openFolder(directory);
  const manifest = manifestIn(directory);
  const built = manifest && buildSettings(manifest, environment, new Map());
  if (!opened.ok || !built?.ok) return undefined;
  const [documents, patches] = [findDocuments, findPatches].map((find) =>
    find(opened.folder, built.settings),
  );
  if (!documents || !patches) return undefined;
  const { files, findings } = parseFiles(
    opened.folder,
    built.settings,
    documents.files,
    patches.files,
    known,
  );
  const isWhole = [...documents.findings, ...patches.findings, ...findings].length === 0;
  if (!isWhole || !files.every(({ summary }) => isSound(summary))) return undefined;
  return files.flatMap(({ summary }) => summary.resources);
}

function isSound({ lost, broken, isPartial }: FileSummary): boolean {
  return !lost && !broken && isPartial !== true;
}
