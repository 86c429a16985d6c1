import type { Diagnostic } from "../../generated/diagnostics.js";
import { countText } from "./count-text.js";

/** The severities, the gravest first. */
export const severities = ["error", "warning", "note"] as const;

/** Counts diagnostics by severity, such as `2 errors, 1 note`. */
export function countsOf(diagnostics: readonly Pick<Diagnostic, "severity">[]): string {
  return severities
    .map((wanted) => [wanted, diagnostics.filter(({ severity }) => severity === wanted).length] as const)
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => countText(count, severity))
    .join(", ");
}
