import type { WorkspaceIds } from "../../core/resources/application-ids.js";
import { safeJson } from "../words/terminal-text.js";
import type { RenderedIds } from "./rendered-ids.js";

/** Renders IDs as a TypeScript module, with a type for their addresses, a line end at the end. */
export function renderIdsTypescript({ ids }: WorkspaceIds, header: readonly string[]): RenderedIds {
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
  return { text: `${lines.join("\n")}\n` };
}

function quoted(text: string): string {
  return safeJson(JSON.stringify(text));
}
