import type { Plan } from "../../generated/plan.js";
import { safeJson } from "../words/terminal-text.js";

/** Renders a plan as indented JSON (`agentform/plan/v1`) without the whole documents, a line end at the end. */
export function renderPlanJson(plan: Plan): string {
  const { documents: _documents, ...shown } = plan;
  return `${safeJson(JSON.stringify(shown, null, 2))}\n`;
}
