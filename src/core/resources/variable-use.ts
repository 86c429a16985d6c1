import type { Json } from "../../json/json.js";
import { explainMissing } from "../expression/expression-finding.js";
import { warning, type Finding, type Place } from "../finding/diagnostic.js";
import { quoteFew } from "../finding/quotation.js";
import { bare, say } from "../finding/said.js";
import type { LostDocuments } from "./lost-documents.js";
import { manifestFile } from "./manifest-file.js";
import type { Settings } from "./manifest.js";
import type { ParsedFile } from "./parsed-file.js";

/** Finds the variables that documents need and that have no value. */
export function missingVariables(files: readonly ParsedFile[], { environment }: Settings): Finding[] {
  const missing = new Map<string, Map<string, Place>>();
  for (const { summary } of files) {
    for (const [name, places] of summary.missing ?? []) {
      const all = missing.get(name) ?? new Map<string, Place>();
      missing.set(name, all);
      // Several documents may need it at the same place of the manifest.
      for (const place of places) all.set(JSON.stringify(place), place);
    }
  }
  return [...missing].map(([name, places]) => explainMissing(name, [...places.values()], environment));
}

/** Finds the variables of the manifest that nothing uses, as far as all documents could be read. */
export function unusedVariables(
  files: readonly ParsedFile[],
  { variables, include }: Settings,
  { isAllRead }: LostDocuments,
): Finding[] {
  if (variables.size === 0 || !isAllRead || files.some(({ summary }) => summary.isPartial)) return [];
  if (files.length === 0) return [withoutDocuments(include)];
  const used = new Set<Json | undefined>(files.flatMap(({ summary }) => summary.variables ?? []));
  // A variable that is meant by a misspelt name is used.
  for (const { code, parts } of files.flatMap(({ summary }) => summary.findings ?? []))
    if (code === "variable-unknown") used.add(parts?.meant);
  return [...variables.keys()]
    .filter((name) => !used.has(name))
    .map((name) => {
      const place = { file: manifestFile, path: ["spec", "variables", name], key: true };
      return warning(
        "variable-unused",
        place,
        say`variable ${{ name }} is never used`,
        "remove it, or use it",
      );
    });
}

function withoutDocuments(include: readonly string[]): Finding {
  const place = { file: manifestFile, path: ["spec", "variables"], key: true };
  const message = "the workspace has no document, so nothing uses its variables";
  const hint = say`documents are read from ${bare({ expected: [...include] }, quoteFew(include))}; \`agentform init DIR\` makes a workspace with first ones to copy`;
  return warning("variable-unused", place, message, hint);
}
