import { defaultEnvironment, type WorkspaceIds } from "../../core/resources/application-ids.js";
import { safeJson } from "../words/terminal-text.js";
import type { RenderedIds } from "./rendered-ids.js";

const ofOne = [
  "/** An address that has an ID, such as `agent:support`. */",
  "export type Address = keyof typeof ids;",
];

const ofAll = [
  "/** The name of an environment. */",
  "export type Environment = keyof typeof ids;",
  "",
  "/** An address that has an ID in an environment, such as `agent:support`. */",
  "export type Address<E extends Environment = Environment> = E extends Environment ? keyof (typeof ids)[E] : never;",
];

/** Renders IDs as a TypeScript module, with types for their addresses, a line end at the end. */
export function renderIdsTypescript(
  { environments, areAll }: WorkspaceIds,
  header: readonly string[],
): RenderedIds {
  const indent = areAll ? "    " : "  ";
  const members = environments.flatMap(({ environment, ids }) => {
    const lines = [...ids].map(([address, id]) => `${indent}${quoted(address)}: ${quoted(id)},`);
    return areAll ? [`  ${key(environment ?? defaultEnvironment)}: {`, ...lines, "  },"] : lines;
  });
  const lines = [
    ...header.map((line) => `// ${line}`),
    "",
    "/** The IDs by address. */",
    "export const ids = {",
    ...members,
    "} as const;",
    "",
    ...(areAll ? ofAll : ofOne),
  ];
  return { text: `${lines.join("\n")}\n` };
}

function quoted(text: string): string {
  return safeJson(JSON.stringify(text));
}

function key(name: string): string {
  return /^[A-Za-z]\w*$/.test(name) ? name : quoted(name);
}
