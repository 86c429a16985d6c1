import { hasErrors } from "../../core/finding/diagnostic.js";
import { hasChanges } from "../../core/plan/plan-summary.js";
import type { Plan } from "../../generated/plan.js";
import { commandOf, renderCommand, renderMeaning } from "../view/plan-head.js";
import { sectionsOf } from "../view/plan-view.js";
import type { PlanSection } from "../view/plan-section.js";
import { commentBytes } from "./comment-room.js";
import { code } from "./markdown-text.js";
import { renderComparison, renderTitle } from "./plan-head.js";
import { markerOf, targetMark } from "./plan-marker.js";
import { renderShort } from "./plan-short.js";
import { chooseShown } from "./review-item.js";
import { reviewSection } from "./review-sections.js";
import { plainSections } from "./section-markdown.js";
import { layOutAbove, type SectionsAbove } from "./sections-above.js";

/** How a plan is rendered as Markdown. */
export interface PlanMarkdownOptions {
  /** The most UTF-8 bytes; 2,000 or more, and 60,000 without it. */
  readonly maxBytes?: number;
  /** The file that holds the plan, which is named where something is left out. */
  readonly savedAs?: string;
  /** The branch that a merge would change, for a comment on a request to merge. */
  readonly target?: string;
  /** The folder of its workspace, where it is one of several that share a digest and a marker. */
  readonly folder?: string;
}

/** Renders a plan for a comment in so many bytes; notes and replacements are never left out, at worst listed. */
export function renderPlanMarkdown(plan: Plan, options: PlanMarkdownOptions = {}): string {
  const { maxBytes = commentBytes, folder } = options;
  const rest = restText(plan, options);
  const sections = sectionsOf(plan);
  const [title, comparison] = [renderTitle(plan, folder), renderComparison(plan)];
  const marks = [...(options.target === undefined ? [] : [targetMark(options.target)]), markerOf(plan)];
  const isOwn = folder === undefined;
  const end = isOwn ? [renderDigest(plan), ...marks] : [];
  const fixed = Buffer.byteLength([...title, comparison, rest, ...end].join("\n\n")) + sentenceBytes;
  const room = maxBytes - fixed;
  const tail = isOwn ? [`Digest: ${code(plan.digest)}`, ...marks] : [];
  const shown = shownOf(sections, new Map(), room) ?? shownOf(sections, layOutAbove(sections, room), room);
  if (!shown) return renderShort(plan, sections, { title, rest, tail, maxBytes });
  const left =
    shown.leftOut.length > 0 ? [`**Not shown, for want of room: ${shown.leftOut.join(", ")}.** ${rest}`] : [];
  const { above, review, below } = shown.blocks;
  return `${[...title, ...above, comparison, ...left, ...review, ...below, ...end].join("\n\n")}\n`;
}

interface ShownPlaces {
  readonly blocks: Readonly<Record<PlanSection["place"], readonly string[]>>;
  readonly leftOut: readonly string[];
}

function shownOf(
  sections: readonly PlanSection[],
  above: SectionsAbove,
  bytes: number,
): ShownPlaces | undefined {
  const laidOut = sections.map((section) => ({
    place: section.place,
    all:
      section.place === "review"
        ? [reviewSection(section)]
        : (above.get(section.name) ?? plainSections(section)),
  }));
  const shown = chooseShown(
    laidOut.flatMap(({ all }) => all),
    bytes,
  );
  if (!shown) return undefined;
  const places = laidOut.flatMap(({ place, all }) => all.map(() => place));
  const at = (wanted: PlanSection["place"]) =>
    shown.blocks.flatMap((block, index) => (places[index] === wanted ? block : []));
  return { blocks: { above: at("above"), review: at("review"), below: at("below") }, leftOut: shown.leftOut };
}

// The sentence that says what is left out, with the ends of lines.
const sentenceBytes = 500;

function restText(plan: Plan, { savedAs, folder }: PlanMarkdownOptions): string {
  const plain = `agentform ${commandOf(plan)}${folder === undefined ? "" : " --all"}`;
  const command = savedAs === undefined ? plain : `agentform show ${savedAs}`;
  const created = plan.actions.find(({ action }) => action === "create");
  return [
    `${code(command)} shows the rest, and so does the job's log where it has the plan.`,
    ...(created ? [`${code(renderCommand(created.address, plan, folder))} ${renderMeaning}`] : []),
  ].join(" ");
}

function renderDigest(plan: Plan): string {
  const { digest, options, diagnostics } = plan;
  const command = commandOf(plan);
  const canApply =
    command !== "drift" && hasChanges(plan) && options.against === undefined && !hasErrors(diagnostics);
  if (!canApply) return `Digest: ${code(digest)}`;
  const agreed = code(`agentform ${command === "prune" ? "prune" : "apply"} --expect`);
  return `Digest: ${code(digest)}; ${agreed} with it applies this plan and refuses any other.`;
}
