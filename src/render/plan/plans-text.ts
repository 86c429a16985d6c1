import { isQuiet, type Plans } from "../../core/review/plans.js";
import { quietTexts, sumSentences } from "../view/plans-head.js";
import { countText } from "../words/count-text.js";
import { safeLine } from "../words/terminal-text.js";
import { renderPlanText, type PlanTextOptions } from "./plan-text.js";

/** Renders the plans of several workspaces in the order in which they are applied, with one digest at the end. */
export function renderPlansText(plans: Plans, options: Omit<PlanTextOptions, "folder">): string {
  const { environment, digest } = plans;
  const where = environment === null ? "" : ` (${environment})`;
  const sum = `Together: ${sumSentences(plans).join(" ")}`;
  const parts = plans.plans
    .filter((member) => !isQuiet(member))
    .map(({ folder, plan }) => {
      const text = renderPlanText(plan, { ...options, folder });
      return `== ${safeLine(folder)} ==\n\n${text.trimEnd()}`;
    });
  const head = [
    safeLine(
      `agentform plan: ${countText(plans.plans.length, "workspace")}${where}, each after those that it uses`,
    ),
    sum,
    ...quietTexts(plans).map(safeLine),
  ];
  const end = `${parts.length > 0 ? `${sum}\n` : ""}Digest of all: ${safeLine(digest)}\n`;
  return [head.join("\n"), ...parts, ...(parts.length > 0 ? ["== all =="] : []), end].join("\n\n");
}
