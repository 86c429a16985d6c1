import type { Change, Plan, StateChange } from "../../generated/plan.js";
import type { Review } from "../../core/plan/review.js";
import { buildPalette } from "../words/palette.js";
import { escapeHtml } from "./html-text.js";
import { plainReview } from "./plain-review.js";
import { countedEdits } from "../plan/plan-review.js";
import { reviewTitles } from "../words/review-words.js";
import { headLines, renderSetting, summaryText } from "../plan/plan-text.js";
import { renderStateChange, stateMeaning, stateTitle } from "../change/state-change-text.js";
import { safeLine } from "../words/terminal-text.js";

/** Renders a plan and its review as HTML that needs no script. */
export function renderPlainPlan(plan: Plan, review: Review): string {
  const [title = "", ...compared] = headLines(plan);
  const counted = countedEdits(review);
  return [
    `<h1>${escapeHtml(title)}</h1>`,
    ...compared.map((line) => `<p>${escapeHtml(line)}</p>`),
    `<p><strong>${escapeHtml(summaryText(plan))}</strong></p>`,
    ...(counted === "" ? [] : [`<p>${escapeHtml(counted)}</p>`]),
    `<p>Digest: <code>${escapeHtml(safeLine(plan.digest))}</code></p>`,
    ...stateOf(plan.state_changes),
    ...settingsOf(plan.setting_changes),
    ...plainReview(plan, review),
    ...warningsOf(plan),
  ].join("\n");
}

function stateOf(edits: readonly StateChange[] = []): string[] {
  if (edits.length === 0) return [];
  const lines = edits.flatMap((edit) => renderStateChange(edit, buildPalette(false)));
  return [
    `<h2>${stateTitle}</h2>`,
    `<p>${escapeHtml(stateMeaning)}</p>`,
    `<pre>${escapeHtml(lines.join("\n"))}</pre>`,
  ];
}

function settingsOf(changes: readonly Change[] = []): string[] {
  if (changes.length === 0) return [];
  const lines = changes.flatMap((change) => renderSetting(change, buildPalette(false)));
  return ["<h2>Settings</h2>", `<pre>${escapeHtml(lines.join("\n"))}</pre>`];
}

function warningsOf({ diagnostics }: Plan): string[] {
  if (diagnostics.length === 0) return [];
  const items = diagnostics.map(({ severity, message, code }) => {
    return `<li><strong>${severity}</strong> ${escapeHtml(safeLine(`${message} [${code}]`))}</li>`;
  });
  return [`<h2>${reviewTitles.warnings}</h2>`, "<ul>", ...items, "</ul>"];
}
