import type { HelpRow, HelpSection } from "./page.js";

declare const AGENTFORM_DOCUMENTS: string | undefined;

// The address of the folder, if the package names its repository.
const folder = typeof AGENTFORM_DOCUMENTS === "string" ? AGENTFORM_DOCUMENTS : undefined;

/** Makes the last section of a page: further commands, and the files of `docs` that explain more. */
export function learnMore(documents: readonly string[], rows: readonly HelpRow[] = []): HelpSection {
  const places = placesOf(documents);
  return { title: "Learn more", blocks: rows.length > 0 ? [{ rows }, ...places] : places };
}

function placesOf(documents: readonly string[]): string[] {
  if (folder !== undefined) return documents.map((file) => `${folder}/${file}`);
  return [`${documents.map((file) => `docs/${file}`).join(", ")} in the repository of agentform`];
}
