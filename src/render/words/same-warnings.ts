import type { PlanDiagnostic } from "../../generated/plan.js";
import { placeText } from "./place-text.js";

/** Problems that say the same of one or more places. */
export interface SameDiagnostics<Each extends PlanDiagnostic> {
  /** The first of them. */
  readonly diagnostic: Each;
  /** The place of each, in their order. */
  readonly places: readonly string[];
}

/** Puts warnings and notes together that say the same of several places; each error stays one of its own. */
export function sameWarnings<Each extends PlanDiagnostic>(
  diagnostics: readonly Each[],
): readonly SameDiagnostics<Each>[] {
  const byKey = new Map<string, { diagnostic: Each; places: string[] }>();
  for (const [index, diagnostic] of diagnostics.entries()) {
    const { severity, code, message, hint } = diagnostic;
    const place = placeText(diagnostic) ?? diagnostic.address;
    const places = place === undefined ? [] : [place];
    const key = severity === "error" ? String(index) : JSON.stringify([severity, code, message, hint]);
    const known = byKey.get(key);
    if (known) known.places.push(...places);
    else byKey.set(key, { diagnostic, places });
  }
  return [...byKey.values()];
}
