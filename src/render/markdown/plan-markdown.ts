import { hasErrors } from "../../core/finding/diagnostic.js";
import { hasChanges } from "../../core/plan/plan-summary.js";
import { reviewOf, type Review } from "../../core/plan/review.js";
import type { Plan } from "../../generated/plan.js";
import { knownWords } from "../words/known-words.js";
import { reviewMeanings, reviewTitles } from "../words/review-words.js";
import { leftBehind, notedChanges, notJudgedText, ownEditsByWeight } from "../plan/plan-review.js";
import { commandOf } from "../plan/plan-text.js";
import { renderCommand, renderMeaning } from "../plan/render-hint.js";
import { markerOf } from "./plan-marker.js";
import { commentBytes } from "./comment-room.js";
import { code, prose } from "./markdown-text.js";
import { consequencesSection, groupsSection } from "./plan-groups.js";
import { renderComparison, renderErrors, renderVerdict, renderWarnings } from "./plan-head.js";
import { notedSection, notesSection } from "./plan-notes.js";
import { heldSection, ownSection } from "./plan-own.js";
import { renderSettings } from "./plan-settings.js";
import { renderShort } from "./plan-short.js";
import { renderState, type StateDetail } from "./plan-state.js";
import { chooseShown, type ReviewSection } from "./review-item.js";

export { markerOf };

/** How a plan is rendered as Markdown. */
export interface PlanMarkdownOptions {
  /** The most UTF-8 bytes; 2,000 or more, and 60,000 without it. */
  readonly maxBytes?: number;
  /** The file that holds the plan, which is named where something is left out. */
  readonly savedAs?: string;
}

/**
 * Renders a plan for a comment or a step summary, in the order of a review and in at most so many bytes. Guardrail
 * notes and replacements are never left out; where they alone are too much, addresses are listed.
 */
export function renderPlanMarkdown(plan: Plan, options: PlanMarkdownOptions = {}): string {
  const { maxBytes = commentBytes, savedAs } = options;
  const review = reviewOf(plan);
  const command = savedAs === undefined ? `agentform ${commandOf(plan)}` : `agentform show ${savedAs}`;
  const created = plan.actions.find(({ action }) => action === "create");
  const rest = [
    `${code(command)} shows the rest, and so does the job's log where it has the plan.`,
    ...(created ? [`${code(renderCommand(created.address, plan))} ${renderMeaning}`] : []),
  ].join(" ");
  const sections = sectionsOf(plan, review);
  const about = [...renderNotJudged(review), ...renderLeftBehind(plan), ...renderWords(plan)];
  const end = [renderDigest(plan), markerOf(plan)];
  const fill = (detail: StateDetail, warnings: readonly string[]): string | undefined => {
    const above = [
      renderVerdict(plan, review),
      ...renderState(plan, detail),
      ...renderErrors(plan),
      ...renderSettings(plan),
      renderComparison(plan),
    ];
    const below = [...about, ...warnings, ...end];
    const fixed = Buffer.byteLength([...above, ...below, rest].join("\n\n")) + sentenceBytes;
    const shown = chooseShown(sections, maxBytes - fixed);
    if (!shown) return undefined;
    const { blocks, leftOut } = shown;
    const left =
      leftOut.length > 0 ? [`**Not shown, for want of room: ${leftOut.join(", ")}.** ${rest}`] : [];
    return `${[...above, ...blocks, ...left, ...below].join("\n\n")}\n`;
  };
  // Warnings go before a replacement does: they are told where the plan is made, too.
  return (
    fill("whole", renderWarnings(plan)) ??
    fill("whole", []) ??
    fill("lines", []) ??
    renderShort(plan, review, rest, maxBytes)
  );
}

// The sentence that says what is left out, with the ends of lines.
const sentenceBytes = 500;

function sectionsOf(plan: Plan, review: Review): ReviewSection[] {
  const { section: notes, whole } = notesSection(review);
  const noted = notedChanges(whole, plan);
  return [
    notes,
    heldSection(review.held, plan.environment),
    ownSection(ownEditsByWeight(review), noted, new Set(review.notes.flatMap(({ addresses }) => addresses))),
    groupsSection(review, noted),
    consequencesSection(review),
    notedSection(review),
  ];
}

function renderNotJudged(review: Review): string[] {
  const text = notJudgedText(review);
  return text === undefined
    ? []
    : [`**${reviewTitles.notJudged}**: ${prose(text)} (${reviewMeanings.notJudged}).`];
}

function renderLeftBehind(plan: Plan): string[] {
  return leftBehind(plan).map((text) => `**${reviewTitles.leftBehind}**: ${prose(text)}`);
}

function renderWords(plan: Plan): string[] {
  const lines = knownWords(plan).map(({ word, meaning }) => `**${word}**: ${meaning}.`);
  return lines.length > 0 ? [lines.join(" ")] : [];
}

function renderDigest(plan: Plan): string {
  const { digest, options, diagnostics } = plan;
  const isPlan = commandOf(plan) === "plan";
  const canApply = isPlan && hasChanges(plan) && options.against === undefined && !hasErrors(diagnostics);
  if (!canApply) return `Digest: ${code(digest)}`;
  return `Digest: ${code(digest)}; \`agentform apply --expect\` with it applies this plan and refuses any other.`;
}
