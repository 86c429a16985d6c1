import type { Diagnostic } from "../../generated/diagnostics.js";
import { type DiagnosticsPlace, fileInRepository, fingerprintsOf } from "./diagnostics-place.js";
import { jsonText } from "../words/json-text.js";
import { safeLine } from "../words/terminal-text.js";

const severities = { error: "critical", warning: "minor", note: "info" } as const;

/** Renders diagnostics as GitLab's code quality report: indented JSON, a line end at the end. */
export function renderDiagnosticsGitlab(diagnostics: readonly Diagnostic[], place: DiagnosticsPlace): string {
  const fingerprints = fingerprintsOf(diagnostics, place);
  const issues = diagnostics.map(({ code, severity, message, hint, file, line }, index) => ({
    description: safeLine(hint === undefined ? message : `${message} (hint: ${hint})`),
    check_name: code,
    fingerprint: fingerprints[index],
    severity: severities[severity],
    location: { path: fileInRepository(file, place), lines: { begin: file === undefined ? 1 : (line ?? 1) } },
  }));
  return jsonText(issues);
}
