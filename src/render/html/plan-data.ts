import { reviewOf } from "../../core/plan/review.js";
import type { Action, Change, Plan } from "../../generated/plan.js";
import { shownChange, wholeWidth } from "../change/shown-change.js";
import { knownWords } from "../words/known-words.js";
import { asSentence } from "../words/review-words.js";
import { safeLine } from "../words/terminal-text.js";
import { groupTitle } from "../view/group-title.js";
import { commandOf, headLines, summaryText } from "../view/plan-head.js";
import { countedEdits } from "../view/plan-review.js";
import { resolution } from "../view/action-sentences.js";
import { editItem, type PlanSection, type SectionName } from "../view/plan-view.js";
import { verdictTexts } from "../view/verdict.js";
import type { NoteItem, SaidItem } from "../view/view-item.js";
import { Distinct } from "./distinct.js";
import { pageChange, pageRoom, type PageRoom } from "./page-change.js";
import { PageChanges } from "./page-changes.js";
import type {
  PageAction,
  PageAddress,
  PageChange,
  PageData,
  PageNote,
  PageReview,
  PageWarning,
} from "./page-data.js";
import { pageGraph } from "./page-graph.js";

const mostAffected = 40;

// Characters of changes that the page holds of the whole plan, about.
const wholeRoom = 3_000_000;

/** Makes of a plan and its sections all that the page shows; the more distinct edits there are, the less of each. */
export function pageData(plan: Plan, sections: readonly PlanSection[]): PageData {
  const [, ...compared] = headLines(plan);
  const review = reviewOf(plan);
  const changes = new PageChanges(review.groups, roomFor(review.edits + review.held.length));
  const reasons = new Distinct<string>();
  const indexes = new Map(plan.actions.map(({ address }, index) => [address, index]));
  const addressOf = (address: string): PageAddress => indexes.get(address) ?? safeLine(address);
  const items = sections.flatMap((section) => section.items);
  const actions = plan.actions.map((action) => {
    const { reasons: own, ...shown } = pageAction(action, plan.environment, addressOf);
    return { ...shown, reasons: own.map((reason) => reasons.indexOf(reason)), ...changes.ofAction(action) };
  });
  return {
    command: commandOf(plan),
    workspace: safeLine(plan.workspace),
    environment: plan.environment === null ? null : safeLine(plan.environment),
    compared,
    partial: plan.partial,
    verdict: verdictTexts(review).map((text) => safeLine(asSentence(text))),
    summary: summaryText(plan).replace(/^(?:Plan|Drift): /, ""),
    unchanged: plan.summary.unchanged,
    digest: safeLine(plan.digest),
    state: items.flatMap((item) => {
      if (item.sort !== "state") return [];
      const { name, what, change } = item;
      return [{ name: addressOf(name), sort: safeLine(what), changes: change.changes.map(wholeChange) }];
    }),
    settings: items.flatMap((item) => (item.sort === "setting" ? [wholeChange(item.change)] : [])),
    notes: items.flatMap((item) => (item.sort === "note" ? [pageNote(item, changes, addressOf)] : [])),
    review: pageReview(plan, sections, changes),
    warnings: items.flatMap((item) => (item.sort === "said" ? pageWarning(item) : [])),
    words: knownWords(plan),
    changes: changes.all,
    reasons: reasons.values,
    actions,
    graph: pageGraph(plan),
  };
}

function pageNote(
  { note, change }: NoteItem,
  changes: PageChanges,
  addressOf: (address: string) => PageAddress,
): PageNote {
  return {
    code: safeLine(note.code),
    effect: note.effect,
    addresses: note.addresses.map(addressOf),
    message: safeLine(note.message),
    ...(change && note.change && { change: changes.indexOf(note.change) }),
  };
}

function pageReview(plan: Plan, sections: readonly PlanSection[], changes: PageChanges): PageReview {
  const indexes = new Map(plan.actions.map((action, index) => [action, index]));
  const indexOf = (action: Action): number => indexes.get(action) ?? 0;
  const itemsOf = (wanted: SectionName) => sections.find(({ name }) => name === wanted)?.items ?? [];
  const { notJudged, newNotJudged, ...review } = reviewOf(plan);
  return {
    counted: countedEdits(reviewOf(plan)),
    held: review.held.map(indexOf),
    onlyHere: itemsOf("onlyHere").flatMap((item) => {
      if (item.sort !== "edit") return [];
      const { action, isWhole, all, judged } = item;
      const [first] = judged;
      return [
        {
          action: indexOf(action),
          isWhole,
          changes: changes.ofEdits(action, all),
          ...(first !== undefined && { notJudged: safeLine(first) }),
        },
      ];
    }),
    groups: review.groups.map((group) => ({
      title: safeLine(groupTitle(group)),
      change: changes.ofGroup(group),
      ...(group.linesDiffer && { linesDiffer: true as const }),
      actions: group.actions.map(indexOf),
    })),
    consequences: review.consequences.map(indexOf),
    notJudged: notJudged.map(({ field, resources }) => ({ field: safeLine(field), resources })),
    newNotJudged,
    leftBehind: itemsOf("leftBehind").flatMap((item) => (item.sort === "said" ? [item.text] : [])),
  };
}

const wholeChangeRoom = pageRoom(wholeWidth, 500);

function wholeChange(change: Change): PageChange {
  return pageChange(shownChange(change, wholeChangeRoom), wholeChangeRoom);
}

function roomFor(edits: number): PageRoom {
  const each = wholeRoom / Math.max(1, edits);
  return pageRoom(between(160, each / 12, 2000), between(12, each / 100, 500));
}

function between(least: number, value: number, most: number): number {
  return Math.floor(Math.min(most, Math.max(least, value)));
}

function pageAction(
  action: Action,
  environment: string | null,
  addressOf: (address: string) => PageAddress,
): Omit<PageAction, "reasons" | "changes" | "left"> & { readonly reasons: readonly string[] } {
  // Those that are affected stand apart, each a link.
  const { reasons, leaves, follows } = editItem({ ...action, affects: [] }, []);
  return {
    address: safeLine(action.address),
    action: action.action,
    ...(action.file !== undefined && { file: safeLine(action.file) }),
    reasons: reasons.map(safeLine),
    consequences: [...leaves, ...follows],
    commands: resolution(action, environment),
    affects: action.affects.slice(0, mostAffected).map(addressOf),
    affectsCount: action.affects.length,
    ...(action.affects_more === true && { affectsMore: true as const }),
    leaves: action.leaves ?? 0,
    ...(action.deletes !== undefined && { deletes: action.deletes }),
  };
}

function pageWarning({ text, diagnostic }: SaidItem): PageWarning[] {
  if (!diagnostic) return [];
  const { code, severity, hint, places } = diagnostic;
  return [
    {
      code: safeLine(code),
      severity,
      message: safeLine(text),
      ...(hint !== undefined && { hint: safeLine(hint) }),
      places: places.map(safeLine),
    },
  ];
}
