import { createHash } from "node:crypto";
import { script, style } from "virtual:plan-page";
import type { Plan } from "../../generated/plan.js";
import { pagePlanJson } from "./page-plan.js";
import { renderPlanText } from "../plan/plan-text.js";
import { cutText } from "../words/cut-text.js";
import { commandOf } from "../view/plan-head.js";
import { escapeHtml } from "./html-text.js";
import { safeLine } from "../words/terminal-text.js";

// Run before anything is drawn, so that what is there for viewers without scripts does not flash up.
const boot = 'document.documentElement.className = "scripted";';

// Characters of a plan that a browser opens in a few seconds.
const mostData = 100_000_000;
// Characters of the text for a viewer that runs no scripts.
const mostText = 2_000_000;
const cutWords =
  "Not all of the plan has room here: where scripts run, this page shows it, and so does the plan as text.";
const tooLarge = "This plan is too large for the search, the filters and the graph of a page.";

/** Renders a plan as one page for reviewers that loads nothing, a line end at the end; the same plan gives the same bytes. */
export function renderPlanHtml(plan: Plan): string {
  const data = pagePlanJson(plan, mostData);
  const where = plan.environment === null ? "" : ` (${plan.environment})`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(safeLine(`${commandOf(plan) === "drift" ? "Drift" : "Plan"}: ${plan.workspace}${where}`))}</title>
<style>${style}</style>
${data === undefined ? "" : `<script>${boot}</script>\n`}</head>
<body>
<div id="page"></div>
<main id="plain">
<pre>${escapeHtml(plainText(plan))}</pre>
</main>
${data === undefined ? `<p>${tooLarge}</p>` : `<script type="application/json" id="plan">${data}</script>\n<script>${script}</script>`}
</body>
</html>
`;
}

// Whoever runs no scripts gets the plan as text, and of a long one at least each address.
function plainText(plan: Plan): string {
  const text = renderPlanText(plan, { color: false, isAlone: true });
  if (text.length <= mostText) return text;
  const addresses = plan.actions.map(({ action, address }) => safeLine(`${action} ${address}`));
  return [cutWords, cutText(text, mostText), cutWords, addresses.join("\n")].join("\n\n");
}

function policy(): string {
  return [
    "default-src 'none'",
    `script-src ${sourceHash(boot)} ${sourceHash(script)}`,
    `style-src ${sourceHash(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function sourceHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
