import {
  explainedDiagnostics,
  explainedNotes,
  type ExplainedCode,
} from "../../src/core/explain/explanations.js";
import { sampleWorkspace } from "../../src/core/explain/sample-workspace.js";
import { exampleParts } from "../../src/render/explain/example-parts.js";
import { adviceOn, renderSampleText } from "../../src/render/explain/code-text.js";

/** Renders all codes of diagnostics and of notes, as a part of docs/diagnostics.md with an anchor for each. */
export function renderCodeReference(): string {
  return [
    table(explainedDiagnostics),
    "`agentform explain CODE` shows on a terminal what follows here.",
    "## The workspace of the examples",
    "The examples below show the lines that matter. They are parts of this workspace, or new files in it:",
    fenced(renderSampleText(sampleWorkspace).trimEnd().split("\n")),
    "## Each code",
    ...explainedDiagnostics.flatMap(section),
    "## The notes of a plan",
    "A plan begins with notes, see [guardrails.md](guardrails.md).",
    ...explainedNotes.flatMap(section),
  ].join("\n\n");
}

function table(codes: readonly ExplainedCode[]): string {
  const rows = codes.map(({ code, meaning }) => `| [\`${code}\`](#${code}) | ${meaning} |`);
  return ["| code | meaning |", "|---|---|", ...rows].join("\n");
}

function section(explained: ExplainedCode): string[] {
  const { code, effect, meaning, about } = explained;
  return [
    `### \`${code}\``,
    [...(effect === undefined ? [] : [`(${effect})`]), meaning, ...(about === undefined ? [] : [about])].join(
      " ",
    ),
    `**What to do:** ${adviceOn(explained)}`,
    ...exampleParts(explained).flatMap(({ label, lines }) => [`${label}:`, fenced(lines)]),
  ];
}

function fenced(lines: readonly string[]): string {
  return ["```yaml", ...lines, "```"].join("\n");
}
