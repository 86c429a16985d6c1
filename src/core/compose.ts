import { parseAllDocuments, type Document } from "yaml";

// YAML 1.2 core whatever `%YAML` says, messages without source, no warnings on the process.
const composeOptions = {
  prettyErrors: false,
  logLevel: "silent",
  schema: "core",
  merge: false,
  resolveKnownTags: false,
} as const;

/** Composes the syntax trees of a text. */
export function composeAll(text: string): Document[] {
  const composed = parseAllDocuments(text, composeOptions);
  return Array.isArray(composed) ? composed : [];
}
