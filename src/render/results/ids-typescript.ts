import type { WorkspaceIds } from "../../core/resources/application-ids.js";
import { safeJson } from "../words/terminal-text.js";

/** Renders IDs as a TypeScript module, with a type for their addresses, a line end at the end. */
export function renderIdsTypescript({ ids }: WorkspaceIds, header: readonly string[]): string {
  const lines = [
    ...header.map((line) => `// ${line}`),
    "",
    "/** The IDs by address. */",
    "export const ids = {",
    ...[...ids].map(([address, id]) => `  ${quoted(address)}: ${quoted(id)},`),
    "} as const;",
    "",
    "/** An address that has an ID, such as `agent:support`. */",
    "export type Address = keyof typeof ids;",
  ];
  return `${lines.join("\n")}\n`;
}

function quoted(text: string): string {
  return safeJson(JSON.stringify(text));
}
