import { isQuiet, type MemberPlan, type Plans } from "../../core/review/plans.js";
import type { AnySaved } from "../../core/review/saved-plan.js";
import { effects } from "../../core/guardrails/rule.js";
import { hasErrors } from "../../core/finding/diagnostic.js";
import { hasChanges } from "../../core/plan/plan-summary.js";
import { graveParts, summaryParts } from "../view/plan-head.js";
import { quietTexts, sumSentences } from "../view/plans-head.js";
import { countText } from "../words/count-text.js";
import { cutText } from "../words/cut-text.js";
import { effectCounts } from "../words/effect-words.js";
import { sharesOf } from "../words/shared-room.js";
import { commentBytes, leastBytes } from "./comment-room.js";
import { code, prose } from "./markdown-text.js";
import { renderPlanMarkdown, type PlanMarkdownOptions } from "./plan-markdown.js";
import { markerOf, targetMark } from "./plan-marker.js";

/** Renders a plan, or those of several workspaces, for a comment. */
export function renderSavedMarkdown(saved: AnySaved, options: Omit<PlanMarkdownOptions, "folder">): string {
  return "plans" in saved ? renderPlansMarkdown(saved, options) : renderPlanMarkdown(saved, options);
}

/** Renders several plans for one comment; what has no room is named, plans without guardrail notes first. */
export function renderPlansMarkdown(plans: Plans, options: Omit<PlanMarkdownOptions, "folder"> = {}): string {
  const { maxBytes = commentBytes, savedAs, target } = options;
  const { environment, digest } = plans;
  const members = plans.plans.filter((member) => !isQuiet(member));
  const where = environment === null ? "" : ` (${prose(environment)})`;
  const head = [
    `### agentform plan for ${countText(plans.plans.length, "workspace")}${where}`,
    [...sumSentences(plans, prose), ...quietTexts(plans).map(prose)].join(" "),
  ];
  const canApply =
    plans.plans.some(({ plan }) => hasChanges(plan)) &&
    !members.some(({ plan }) => hasErrors(plan.diagnostics));
  const agreed = canApply
    ? `; ${code("agentform apply --expect")} of the same workspaces with it applies these plans and refuses any others.`
    : "";
  const end = [
    `Digest: ${code(digest)}${agreed}`,
    ...(target === undefined ? [] : [targetMark(target)]),
    markerOf(plans),
  ];
  const room = maxBytes - Buffer.byteLength([...head, ...end].join("\n\n")) - 2;
  const given = savedAs === undefined ? {} : { savedAs };
  return `${[...head, ...sectionsIn(members, room, given), ...end].join("\n\n")}\n`;
}

// The most that a line takes, for what has no section.
const lineBytes = 300;

function sectionsIn(members: readonly MemberPlan[], room: number, options: PlanMarkdownOptions): string[] {
  const render = ({ folder, plan }: MemberPlan, maxBytes: number) =>
    renderPlanMarkdown(plan, { ...options, folder, maxBytes }).trimEnd();
  const wholes = new Map(members.map((member) => [member, render(member, room)]));
  const sizeOf = (member: MemberPlan) => Buffer.byteLength(wholes.get(member) ?? "");
  const least = (member: MemberPlan) => Math.min(sizeOf(member), leastBytes) + 2;
  const shown = chosen(members, least, room);
  const own = members.filter((member) => shown.has(member));
  const lines = linesOf(
    members.filter((member) => !shown.has(member)),
    own.reduce((left, member) => left - least(member), room),
  );
  const left = room - Buffer.byteLength(lines.join("\n")) - 2 * members.length;
  const shares = sharesOf(own.map(sizeOf), left);
  const sections = own.map((member, at) => {
    const [whole = "", share = 0] = [wholes.get(member), shares[at]];
    return sizeOf(member) <= share ? whole : render(member, share);
  });
  return [...sections, ...(lines.length > 0 ? [lines.join("\n")] : [])];
}

// Where there is no room for the least of each, those with the gravest notes come first.
function chosen(
  members: readonly MemberPlan[],
  least: (member: MemberPlan) => number,
  room: number,
): ReadonlySet<MemberPlan> {
  const firstIn = (ordered: readonly MemberPlan[], bytes: number) => {
    let left = bytes;
    const end = ordered.findIndex((member) => {
      left -= least(member);
      return left < 0;
    });
    return new Set(end < 0 ? ordered : ordered.slice(0, end));
  };
  const all = firstIn(members, room);
  if (all.size === members.length) return all;
  const lines = Buffer.byteLength(linesOf(members, room).join("\n")) + 2 * lineBytes;
  return firstIn(gravestFirst(members), room - lines);
}

function gravestFirst(members: readonly MemberPlan[]): MemberPlan[] {
  const count = ({ plan }: MemberPlan, effect: string) =>
    plan.notes.filter((note) => note.effect === effect).length;
  return members.toSorted((one, other) => {
    const grave = effects.find((effect) => count(one, effect) !== count(other, effect));
    return grave === undefined ? 0 : count(other, grave) - count(one, grave);
  });
}

function linesOf(members: readonly MemberPlan[], room: number): string[] {
  if (members.length === 0) return [];
  const lines = ["**Not shown, for want of room:**", ""];
  let left = room - 2 * lineBytes;
  const ordered = gravestFirst(members);
  for (const { folder, plan } of ordered) {
    const parts = [...graveParts(plan), ...summaryParts(plan)].join(", ");
    const line = `- ${code(cutText(folder, 100))}: ${prose(cutText(parts, 150))}`;
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) break;
    lines.push(line);
  }
  const more = ordered.slice(lines.length - 2);
  if (more.length === 0) return lines;
  const notes = more.flatMap(({ plan }) => plan.notes.map(({ effect }) => ({ effect, addresses: [] })));
  const said = notes.length > 0 ? ` (of their guardrail notes, ${effectCounts(notes).join(", ")})` : "";
  return [...lines, `- and ${countText(more.length, "more workspace")} with changes${said}`];
}
