import type { Action, Change, Plan, PlanDiagnostic } from "../../generated/plan.js";
import type { Review } from "../../core/plan/review.js";
import type { PageAction, PageAddress, PageChange, PageData, PageReview, PageWarning } from "./page-data.js";
import { consequences, otherReasons, resolution } from "../change/action-sentences.js";
import { shownChange, wholeWidth } from "../change/shown-change.js";
import { Distinct } from "./distinct.js";
import { pageChange, pageRoom, type PageRoom } from "./page-change.js";
import { PageChanges } from "./page-changes.js";
import { pageGraph } from "./page-graph.js";
import { groupTitle } from "../plan/group-title.js";
import {
  countedEdits,
  leftBehind,
  notJudgedHere,
  ownEditsByWeight,
  shownWithNote,
} from "../plan/plan-review.js";
import { verdictTexts } from "../plan/verdict.js";
import { commandOf, headLines, summaryText } from "../plan/plan-text.js";
import { stateMeaning, stateName, stateSort, stateTitle } from "../change/state-change-text.js";
import { knownWords } from "../words/known-words.js";
import { asSentence } from "../words/review-words.js";
import { sameWarnings, type SameDiagnostics } from "../words/same-warnings.js";
import { safeLine } from "../words/terminal-text.js";

const mostAffected = 40;

// Characters of changes that the page holds of the whole plan, about.
const wholeRoom = 3_000_000;

/** Makes of a plan and its review all that the page shows; the more distinct edits there are, the less of each. */
export function pageData(plan: Plan, review: Review): PageData {
  const [, ...compared] = headLines(plan);
  const changes = new PageChanges(review.groups, roomFor(review.edits + review.held.length));
  const reasons = new Distinct<string>();
  const indexes = new Map(plan.actions.map(({ address }, index) => [address, index]));
  const addressOf = (address: string): PageAddress => indexes.get(address) ?? safeLine(address);
  const actions = plan.actions.map((action) => ({
    ...pageAction(action, plan.environment, addressOf),
    reasons: otherReasons(action).map((reason) => reasons.indexOf(safeLine(reason))),
    ...changes.ofAction(action),
  }));
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
    state: {
      title: stateTitle,
      meaning: stateMeaning,
      edits: (plan.state_changes ?? []).map((edit) => ({
        name: addressOf(stateName(edit)),
        sort: safeLine(stateSort(edit)),
        changes: edit.changes.map(wholeChange),
      })),
    },
    settings: (plan.setting_changes ?? []).map(wholeChange),
    notes: review.notes.map((note) => {
      const change = shownWithNote(note);
      return {
        code: safeLine(note.code),
        effect: note.effect,
        addresses: note.addresses.map(addressOf),
        message: safeLine(note.message),
        ...(change && { change: changes.indexOf(change) }),
      };
    }),
    review: pageReview(review, plan, changes),
    warnings: sameWarnings(plan.diagnostics).map(pageWarning),
    words: knownWords(plan),
    changes: changes.all,
    reasons: reasons.values,
    actions,
    graph: pageGraph(plan),
  };
}

function pageReview(review: Review, plan: Plan, changes: PageChanges): PageReview {
  const indexes = new Map(plan.actions.map((action, index) => [action, index]));
  const indexOf = (action: Action): number => indexes.get(action) ?? 0;
  return {
    counted: countedEdits(review),
    held: review.held.map(indexOf),
    onlyHere: ownEditsByWeight(review).map((own) => {
      const [notJudged] = notJudgedHere(own);
      return {
        action: indexOf(own.action),
        isWhole: own.isWhole,
        changes: changes.ofEdits(own.action, own.changes),
        ...(notJudged !== undefined && { notJudged: safeLine(notJudged) }),
      };
    }),
    groups: review.groups.map((group) => ({
      title: safeLine(groupTitle(group)),
      change: changes.ofGroup(group),
      ...(group.linesDiffer && { linesDiffer: true as const }),
      actions: group.actions.map(indexOf),
    })),
    consequences: review.consequences.map(indexOf),
    notJudged: review.notJudged.map(({ field, resources }) => ({ field: safeLine(field), resources })),
    newNotJudged: review.newNotJudged,
    leftBehind: leftBehind(plan),
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
): Omit<PageAction, "reasons" | "changes" | "left"> {
  return {
    address: safeLine(action.address),
    action: action.action,
    ...(action.file !== undefined && { file: safeLine(action.file) }),
    // Those that are affected stand apart, each a link.
    consequences: consequences({ ...action, affects: [] }),
    commands: resolution(action, environment),
    affects: action.affects.slice(0, mostAffected).map(addressOf),
    affectsCount: action.affects.length,
    ...(action.affects_more === true && { affectsMore: true as const }),
    leaves: action.leaves ?? 0,
    ...(action.deletes !== undefined && { deletes: action.deletes }),
  };
}

function pageWarning({ diagnostic, places }: SameDiagnostics<PlanDiagnostic>): PageWarning {
  const { code, severity, message, hint } = diagnostic;
  return {
    code: safeLine(code),
    severity,
    message: safeLine(message),
    ...(hint !== undefined && { hint: safeLine(hint) }),
    places: places.map(safeLine),
  };
}
