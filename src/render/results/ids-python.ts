import { refused, type Checked } from "../../core/finding/checked.js";
import type { WorkspaceIds } from "../../core/resources/application-ids.js";
import { withoutBracketCommand } from "../words/log-text.js";
import { nameConstants } from "./constant-names.js";

/** Renders IDs as a Python module of constants, a line end at the end. */
export function renderIdsPython(
  ids: WorkspaceIds,
  header: readonly string[],
): Checked<{ readonly text: string }> {
  const { constants, findings } = nameConstants(ids);
  if (findings.length > 0) return refused(findings);
  const lines = [
    ...header.map((line) => `# ${line}`),
    "",
    "from typing import Final",
    "",
    ...constants.map(({ name, id }) => `${name}: Final = ${quoted(id)}`),
  ];
  return { ok: true, text: `${lines.join("\n")}\n` };
}

// In Python, the two halves of a character escaped one by one would stay two.
function quoted(text: string): string {
  const escaped = text.replaceAll(/["\\]|[^ -~]/gu, (char) => {
    if (char === '"' || char === "\\") return `\\${char}`;
    const code = (char.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
  return `"${withoutBracketCommand(escaped, "\\x23")}"`;
}
