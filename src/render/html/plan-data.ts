import type { Action, Change, Plan, PlanDiagnostic } from "../../generated/plan.js";
import type { PageAction, PageChange, PageData, PageWarning } from "./page-data.js";
import { actionChanges } from "../change/action-changes.js";
import { consequences, resolution } from "../change/action-sentences.js";
import { shownChange, wholeWidth } from "../change/shown-change.js";
import { pageChange, pageRoom, type PageRoom } from "./page-change.js";
import { pageGraph } from "./page-graph.js";
import { headLines, summaryText } from "../plan/plan-text.js";
import { stateMeaning, stateName, stateSort, stateTitle } from "../change/state-change-text.js";
import { placeText } from "../words/place-text.js";
import { safeLine } from "../words/terminal-text.js";

const mostAffected = 40;

// Characters of changes that the page holds of the whole plan, about.
const wholeRoom = 3_000_000;

/** Makes of a plan all that the page shows; the more actions there are, the less of each. */
export function pageData(plan: Plan): PageData {
  const room = roomFor(plan.actions.length);
  const [, ...compared] = headLines(plan);
  return {
    workspace: safeLine(plan.workspace),
    environment: plan.environment === null ? null : safeLine(plan.environment),
    compared,
    partial: plan.partial,
    summary: summaryText(plan).replace(/^Plan: /, ""),
    unchanged: plan.summary.unchanged,
    digest: safeLine(plan.digest),
    state: {
      title: stateTitle,
      meaning: stateMeaning,
      edits: (plan.state_changes ?? []).map((edit) => ({
        name: safeLine(stateName(edit)),
        sort: safeLine(stateSort(edit)),
        changes: edit.changes.map(wholeChange),
      })),
    },
    settings: (plan.setting_changes ?? []).map(wholeChange),
    notes: plan.notes.map(({ code, effect, address, message }) => ({
      code: safeLine(code),
      effect,
      address: safeLine(address),
      message: safeLine(message),
    })),
    warnings: plan.diagnostics.map(pageWarning),
    actions: plan.actions.map((action) => pageAction(action, plan.environment, room)),
    graph: pageGraph(plan),
  };
}

const wholeChangeRoom = pageRoom(wholeWidth, 500);

function wholeChange(change: Change): PageChange {
  return pageChange(shownChange(change, wholeChangeRoom), wholeChangeRoom);
}

function roomFor(actions: number): PageRoom {
  const each = wholeRoom / Math.max(1, actions);
  return pageRoom(between(160, each / 12, 2000), between(12, each / 100, 500));
}

function between(least: number, value: number, most: number): number {
  return Math.floor(Math.min(most, Math.max(least, value)));
}

function pageAction(action: Action, environment: string | null, room: PageRoom): PageAction {
  const { changes, left } = actionChanges(action, room);
  return {
    address: safeLine(action.address),
    action: action.action,
    ...(action.file !== undefined && { file: safeLine(action.file) }),
    reasons: action.reasons.map(safeLine),
    changes: changes.map((change) => pageChange(change, room)),
    left,
    // Those that are affected stand apart, each a link.
    consequences: consequences({ ...action, affects: [] }),
    commands: resolution(action, environment),
    affects: action.affects.slice(0, mostAffected).map(safeLine),
    affectsCount: action.affects.length,
    ...(action.affects_more === true && { affectsMore: true as const }),
    leaves: action.leaves ?? 0,
  };
}

function pageWarning(warning: PlanDiagnostic): PageWarning {
  const { code, severity, message, hint, address } = warning;
  const place = placeText(warning) ?? address;
  return {
    code: safeLine(code),
    severity,
    message: safeLine(message),
    ...(hint !== undefined && { hint: safeLine(hint) }),
    ...(place !== undefined && { place: safeLine(place) }),
  };
}
