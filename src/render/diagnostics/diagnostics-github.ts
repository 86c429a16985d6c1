import type { Diagnostic } from "../../generated/diagnostics.js";
import { countText } from "../words/count-text.js";
import { countsOf, severities } from "../words/diagnostics-count.js";
import { type DiagnosticsPlace, fileInRepository } from "./diagnostics-place.js";
import { withoutBracketCommand } from "../words/log-text.js";
import { safeLine } from "../words/terminal-text.js";

// GitHub shows ten of a sort for each step, and drops the others without a word.
const most = 10;

const commands = { error: "error", warning: "warning", note: "notice" } as const;

/** Renders at most ten annotations, errors first, and one that counts the others; nothing if there are none. */
export function renderDiagnosticsGithub(diagnostics: readonly Diagnostic[], place: DiagnosticsPlace): string {
  const sorted = severities.flatMap((wanted) => diagnostics.filter(({ severity }) => severity === wanted));
  const lines = sorted.slice(0, most).map((diagnostic) => annotation(diagnostic, place));
  const left = sorted.slice(most);
  return [...lines, ...(left.length > 0 ? [leftNotice(left)] : [])].map((line) => `${line}\n`).join("");
}

function annotation(diagnostic: Diagnostic, place: DiagnosticsPlace): string {
  const { severity, code, message, hint, file, line, column, address } = diagnostic;
  const properties = Object.entries({
    file: file === undefined ? undefined : safeLine(fileInRepository(file, place)),
    line: file === undefined ? undefined : line,
    col: file === undefined || line === undefined ? undefined : column,
    title: safeLine(code),
  }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`]));
  const subject = file === undefined && address !== undefined ? `${safeLine(address)}: ` : "";
  const lines = [
    `${subject}${safeLine(message)}`,
    ...(hint === undefined ? [] : [`Hint: ${safeLine(hint)}`]),
  ];
  return `::${commands[severity]} ${properties.join(",")}::${escapeData(lines.join("\n"))}`;
}

function leftNotice(left: readonly Diagnostic[]): string {
  const text = `${countText(left.length, "problem")} more: ${countsOf(left)}. \`agentform validate\` shows all.`;
  return `::notice title=agentform::${escapeData(text)}`;
}

function escapeData(text: string): string {
  return withoutBracketCommand(text, "\\x23")
    .replaceAll("%", "%25")
    .replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
