import type { Change, Plan, StateChange } from "../../generated/plan.js";
import type { Review } from "../../core/plan/review.js";
import { paletteOf } from "../words/palette.js";
import { escapeHtml } from "./html-text.js";
import { plainReview } from "./plain-review.js";
import { countedEdits, leftBehind } from "../plan/plan-review.js";
import { verdictTexts } from "../plan/verdict.js";
import { firstOf } from "../words/count-text.js";
import { knownWords } from "../words/known-words.js";
import { asSentence, reviewTitles } from "../words/review-words.js";
import { sameWarnings } from "../words/same-warnings.js";
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
    ...verdictTexts(review).map(
      (text) => `<p><strong>${escapeHtml(safeLine(asSentence(text)))}</strong></p>`,
    ),
    `<p><strong>${escapeHtml(summaryText(plan))}</strong></p>`,
    ...(counted === "" ? [] : [`<p>${escapeHtml(counted)}</p>`]),
    `<p>Digest: <code>${escapeHtml(safeLine(plan.digest))}</code></p>`,
    ...stateOf(plan.state_changes),
    ...settingsOf(plan.setting_changes),
    ...plainReview(plan, review),
    ...listOf(reviewTitles.leftBehind, leftBehind(plan)),
    ...listOf(
      reviewTitles.words,
      knownWords(plan).map(({ word, meaning }) => `${word}: ${meaning}`),
    ),
    ...warningsOf(plan),
  ].join("\n");
}

function stateOf(edits: readonly StateChange[] = []): string[] {
  if (edits.length === 0) return [];
  const lines = edits.flatMap((edit) => renderStateChange(edit, paletteOf(false)));
  return [
    `<h2>${stateTitle}</h2>`,
    `<p>${escapeHtml(stateMeaning)}</p>`,
    `<pre>${escapeHtml(lines.join("\n"))}</pre>`,
  ];
}

function settingsOf(changes: readonly Change[] = []): string[] {
  if (changes.length === 0) return [];
  const lines = changes.flatMap((change) => renderSetting(change, paletteOf(false)));
  return ["<h2>Settings</h2>", `<pre>${escapeHtml(lines.join("\n"))}</pre>`];
}

function listOf(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [
    `<h2>${title}</h2>`,
    "<ul>",
    ...lines.map((line) => `<li>${escapeHtml(safeLine(line))}</li>`),
    "</ul>",
  ];
}

const mostPlaces = 20;

function warningsOf({ diagnostics }: Plan): string[] {
  if (diagnostics.length === 0) return [];
  const items = sameWarnings(diagnostics).map(({ diagnostic: { severity, message, code }, places }) => {
    const where = places.length > 0 ? ` ${firstOf(places, mostPlaces)}` : "";
    return `<li><strong>${severity}</strong> ${escapeHtml(safeLine(`${message} [${code}]${where}`))}</li>`;
  });
  return [`<h2>${reviewTitles.warnings}</h2>`, "<ul>", ...items, "</ul>"];
}
