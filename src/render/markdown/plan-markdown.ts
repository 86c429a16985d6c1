import { hasErrors } from "../../core/finding/diagnostic.js";
import { hasChanges } from "../../core/plan/plan-summary.js";
import type { Plan } from "../../generated/plan.js";
import { countText } from "../words/count-text.js";
import { markerOf } from "./plan-marker.js";
import { commentBytes } from "./comment-room.js";
import { code } from "./markdown-text.js";
import { chooseShown } from "./plan-cut.js";
import { diagnosticItem, renderComparison, renderErrors, renderVerdict } from "./plan-head.js";
import { renderNotes } from "./plan-notes.js";
import { renderSettings } from "./plan-settings.js";
import { renderState, type StateDetail } from "./plan-state.js";
import { byRisk } from "./plan-risk.js";
import { renderShort } from "./plan-short.js";
import { renderDifferences, renderLegend, renderTables, type ShownAction } from "./plan-table.js";

export { markerOf };

/** How a plan is rendered as Markdown. */
export interface PlanMarkdownOptions {
  /** The most UTF-8 bytes; 2,000 or more, and 60,000 without it. */
  readonly maxBytes?: number;
  /** The file that holds the plan, which is named where something is left out. */
  readonly savedAs?: string;
}

interface Filled {
  readonly shown: readonly ShownAction[];
  /** The blocks that come first and last. */
  readonly above: readonly string[];
  readonly below: readonly string[];
}

const mostWarnings = 10;

/**
 * Renders a plan for a comment or a step summary, the gravest first, in at most so many bytes. Guardrail notes
 * and the rows of replacements are never left out; where they alone are too much, addresses are listed.
 */
export function renderPlanMarkdown(plan: Plan, options: PlanMarkdownOptions = {}): string {
  const { maxBytes = commentBytes, savedAs } = options;
  const command = savedAs === undefined ? "agentform plan" : `agentform show ${savedAs}`;
  const rest = `${code(command)} shows the rest, and so does the job's log where it has the plan.`;
  const aboveWith = (detail: StateDetail) => [
    renderVerdict(plan),
    ...renderState(plan, detail),
    ...renderErrors(plan),
    ...renderSettings(plan),
    ...renderNotes(plan),
    renderComparison(plan),
  ];
  const legend = renderLegend(plan);
  const end = [renderDigest(plan), markerOf(plan)];
  const ranked = byRisk(plan);
  const fill = (detail: StateDetail, below: readonly string[]): Filled | undefined => {
    const above = aboveWith(detail);
    const fixed = [...above, ...legend, ...below, rest].join("\n\n");
    const shown = chooseShown(ranked, plan.environment, maxBytes - Buffer.byteLength(fixed) - 1);
    return shown && { shown, above, below };
  };
  // Warnings go before a replacement does: they are told where the plan is made, too.
  const filled = fill("whole", [...renderWarnings(plan), ...end]) ?? fill("whole", end) ?? fill("lines", end);
  if (!filled) return renderShort(plan, rest, maxBytes);
  const { shown, above, below } = filled;
  const blocks = [
    ...above,
    ...renderTables(shown),
    ...renderLeftOut(shown, plan.actions.length, rest),
    ...legend,
    ...renderDifferences(shown),
    ...below,
  ];
  return `${blocks.join("\n\n")}\n`;
}

function renderLeftOut(shown: readonly ShownAction[], count: number, rest: string): string[] {
  const resources = count - shown.length;
  const differences = shown.filter(({ details }) => details === undefined).length;
  const what = [
    ...(resources > 0 ? [`${resources} of ${countText(count, "resource")}`] : []),
    ...(differences > 0 ? [`the differences of ${differences}${resources > 0 ? " more" : ""}`] : []),
  ];
  return what.length > 0 ? [`**Not shown, for want of room: ${what.join(", and ")}.** ${rest}`] : [];
}

function renderWarnings({ diagnostics }: Plan): string[] {
  const warnings = diagnostics.filter(({ severity }) => severity !== "error");
  if (warnings.length === 0) return [];
  const left = warnings.length - mostWarnings;
  const more = left > 0 ? [`- and ${left} more`] : [];
  return [
    [
      `<details><summary>${countText(warnings.length, "warning")}</summary>`,
      "",
      ...warnings.slice(0, mostWarnings).map(diagnosticItem),
      ...more,
      "",
      "</details>",
    ].join("\n"),
  ];
}

function renderDigest(plan: Plan): string {
  const { digest, options, diagnostics } = plan;
  const canApply = hasChanges(plan) && options.against === undefined && !hasErrors(diagnostics);
  if (!canApply) return `Digest: ${code(digest)}`;
  return `Digest: ${code(digest)}; \`agentform apply --expect\` with it applies this plan and refuses any other.`;
}
