import type { Plan, PlanDiagnostic } from "../../generated/plan.js";
import { sameWarnings } from "../words/same-warnings.js";
import type { SaidItem } from "./plan-section.js";

/** Gives the item of a text alone. */
export function said(text: string): SaidItem {
  return { sort: "said", text };
}

/** Gives the items of the diagnostics of some severity, equal ones as one. */
export function diagnosticItems(
  { diagnostics }: Plan,
  isWanted: (severity: PlanDiagnostic["severity"]) => boolean,
): SaidItem[] {
  return sameWarnings(diagnostics.filter(({ severity }) => isWanted(severity))).map(
    ({ diagnostic: { message, severity, code, hint }, places }) => ({
      sort: "said",
      text: message,
      diagnostic: { severity, code, ...(hint !== undefined && { hint }), places },
    }),
  );
}
