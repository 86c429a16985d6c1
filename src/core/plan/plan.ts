import type { Action, GuardrailNote, Plan } from "../../generated/plan.js";
import { ownersIn } from "../state/known-ids.js";
import { adoptedBefore } from "./adoption.js";
import { appliedSettings, planSettingChanges, settingNotes, firstNotes } from "./applied-settings.js";
import { withCeased } from "./ceased-default.js";
import { decide, follow } from "./decision.js";
import type { Finding } from "../finding/diagnostic.js";
import { forgetMissing } from "./forgetting.js";
import { unreadable } from "./unreadable.js";
import { callsChanged } from "../guardrails/calls.js";
import { bodiesIn, byRank } from "../guardrails/guardrail.js";
import { notesForRules, refusedNotes, withEffects } from "../guardrails/note-effects.js";
import type { PlannedBodies } from "../guardrails/judged-change.js";
import type { JudgedPlan, PlanToJudge } from "../guardrails/rule-verdicts.js";
import { groupBy } from "../../json/groups.js";
import type { SecretsNearby } from "../guardrails/secret-places.js";
import type { JsonObject } from "../../json/json.js";
import { entryDigest, isBlank, type Lock } from "../state/lock.js";
import { stateNotes, type StateChange } from "./lock-changes.js";
import { moveEntries, entriesBefore } from "./move.js";
import { findResources } from "../observation/found-objects.js";
import type { Observation } from "../observation/observation.js";
import { excludedNotes, scopeOf, type PlanScope } from "./narrowing.js";
import { idsAfterAction, idsElsewhere, type Planning, type SentElsewhere } from "./planning.js";
import { checkPlan } from "./plan-check.js";
import { summarizeActions, unchangedOf, peersOf } from "./plan-summary.js";
import { planOf } from "./plan-digest.js";
import { isNarrowed, type PlanOptions } from "./plan-options.js";
import { checkSize, countIds } from "./plan-size.js";
import {
  bodiesElsewhere,
  comparedActions,
  notesOn,
  otherComparisons,
  type OtherComparison,
} from "./plan-notes.js";
import { replacedEarlier } from "./former-objects.js";
import { addStaying } from "./staying.js";
import { notesOnUsers, type UsersElsewhere, notesOnUsed } from "./users-elsewhere.js";
import { settleTools } from "./tool-ids.js";
import { unmarkedMoves } from "./unmarked-move.js";
import { once } from "../../json/once.js";
import type { Fleet } from "../resources/fleet.js";

export type { Plan };

/** Everything that a plan is a function of. */
export interface PlanInput {
  readonly fleet: Fleet;
  readonly lock: Lock;
  /** What the lock is called; null if nothing was ever applied. */
  readonly source: string | null;
  /** The characters of its text; 0 if not given. */
  readonly lockLength?: number;
  /** The most characters of what is made; 400 million unless given. */
  readonly mostCharacters?: number | undefined;
  /** What the change does to the state itself; the lock has it already. */
  readonly stateChanges?: readonly StateChange[];
  /** The lock of the commit that a change starts from; what it protects is protected. */
  readonly base?: Lock | undefined;
  /** What was found in the service, if that was looked at. */
  readonly observation?: Observation;
  readonly options: PlanOptions;
  /** Gives what other workspaces have that refers to an address of this one. */
  readonly usersElsewhere?: UsersElsewhere;
  /** Gives what others last sent to an object that the plan takes over. */
  readonly sentElsewhere?: SentElsewhere | undefined;
  /** Gives what else the job has the secrets of: other workspaces that it plans, and other environments. */
  readonly nearby?: (() => readonly SecretsNearby[]) | undefined;
  /** Judges the plan by the rules of the workspace, if it has any. */
  readonly judge?: ((plan: PlanToJudge, bodies: PlannedBodies) => JudgedPlan) | undefined;
}

/** A plan with its problems. */
export interface Planned {
  readonly plan: Plan;
  readonly findings: Finding[];
}

/** Builds the plan: a pure function of its input. */
export function buildPlan(input: PlanInput): Planned {
  const { fleet, options } = input;
  const whole = decideAll(input, "all");
  const scope = scopeOf(fleet, whole.lock, options, whole.actions);
  const planning = scope === "all" ? whole : decideAll(input, scope);
  const actions = [...planning.actions.values()];
  const { plan, refusals } = assemble(actions, planning, input);
  const findings = [
    ...planning.findings,
    ...refusals,
    ...checkPlan(actions, planning),
    ...unmarkedMoves(planning),
    ...unreadable({ byAddress: planning.found }).map((each) => ({ ...each, severity: "note" as const })),
    ...checkSize(plan, input.lockLength ?? 0, input.mostCharacters, countIds(actions, planning)),
  ];
  return { plan, findings };
}

function decideAll(input: PlanInput, scope: PlanScope): Planning {
  const { fleet, lock: stored, observation, options } = input;
  const { lock: moved, moves, findings } = moveEntries(stored, fleet.resources);
  const { lock, settled } = settleTools(moved, fleet.settings);
  const planning: Planning = {
    fleet,
    lock,
    moves,
    settled,
    elsewhere: bodiesElsewhere(fleet, lock),
    sentElsewhere: input.sentElsewhere,
    nearby: input.nearby,
    found: observation ? findResources(lock, observation).byAddress : new Map(),
    options,
    isIn: (address) => scope === "all" || scope.has(address),
    entryDigestOf: once((address) => entryDigest(stored, address)),
    ownersOf: ownersIn(lock),
    entriesBefore: entriesBefore(lock, input.base, fleet.resources),
    adopting: new Map(),
    adoptedOf: (resource) => adoptedBefore(resource, lock, fleet.settings, options),
    findings: [...findings],
    idsAfterPlan: new Map(idsElsewhere(fleet)),
    actions: new Map(),
  };
  for (const address of fleet.graph.order) {
    const resource = fleet.resources.get(address);
    if (!resource) continue;
    const isIn = planning.isIn(address);
    const decided = isIn ? decide(resource, planning) : follow(resource, planning);
    const action = decided && withCeased(decided, resource, lock.resources[address], fleet.settings.defaults);
    if (action) planning.actions.set(address, action);
    planning.idsAfterPlan.set(address, idsAfterAction(action, resource, isIn, lock));
  }
  forgetMissing(planning);
  addStaying(planning);
  return planning;
}

function assemble(actions: Action[], planning: Planning, input: PlanInput) {
  const { lock, stateChanges = [], observation } = input;
  const { fleet, options } = planning;
  const { environment } = fleet.settings;
  const documents = documentsOf(actions, fleet);
  const isIn = ({ address }: { readonly address: string }) => planning.isIn(address);
  const own = actions.filter(isIn);
  // A move is done, whatever the plan is narrowed to.
  const heeded = actions.filter((each) => isIn(each) || each.from !== undefined);
  const resources = [...fleet.resources.values()].filter(isIn);
  const settings = appliedSettings(fleet.settings, options.emulator);
  const setting_changes = planSettingChanges({ environment, actions }, lock, settings);
  const adjusted = (notes: readonly GuardrailNote[]) => withEffects(notes, fleet.settings);
  const ofSettings = settingNotes(lock, setting_changes);
  const calls = callsChanged({ ...planning, actions: own });
  const partial = isNarrowed(options);
  const summary = summarizeActions(actions, resources);
  const replaced = replacedEarlier(own, planning);
  const others = otherComparisons(own, replaced.entries, planning);
  const ofUsed = notesOnUsed(own, planning.lock, fleet);
  const found = [...notesOn(own, others, planning), ...replaced.notes, ...ofUsed].toSorted(byRank);
  const built = adjusted(found);
  const { hadAnother } = replaced;
  const judged = { actions: own, environment, partial, summary, hadAnother };
  const ruled = rulesOn({ ...judged, notes: notesForRules(found, fleet.settings) }, others, planning, input);
  const notes = [...built, ...ruled.notes];
  const plan = planOf(fleet.settings, input, {
    ...(observation && { observation: { at: observation.at } }),
    options: renderOptions(options),
    partial,
    ...(stateChanges.length > 0 && { state_changes: [...stateChanges] }),
    settings,
    ...(setting_changes.length > 0 && { setting_changes }),
    ...(calls.length > 0 && { calls }),
    notes: [
      ...(isBlank(lock) && !options.emulator ? firstNotes(actions) : []),
      ...stateNotes(stateChanges, {
        hasDocument: (address) => fleet.resources.has(address),
        ownersOf: planning.ownersOf,
      }),
      ...ofSettings.filter(({ effect }) => effect !== "review"),
      ...[
        ...adjusted([
          ...excludedNotes(actions, planning.isIn, fleet),
          ...notesOnUsers(heeded, notes, input.usersElsewhere),
        ]),
        ...notes,
      ].toSorted(byRank),
      ...ofSettings.filter(({ effect }) => effect === "review"),
    ],
    actions,
    summary,
    ...unchangedOf(actions, resources),
    ...peersOf(actions, resources),
    ...(Object.keys(documents).length > 0 && { documents }),
  });
  return { plan, refusals: [...ruled.findings, ...refusedNotes(plan.notes, fleet)] };
}

function rulesOn(
  plan: PlanToJudge,
  others: readonly OtherComparison[],
  planning: Planning,
  { judge }: PlanInput,
): JudgedPlan {
  if (!judge) return { notes: [], findings: [] };
  const judged = [
    judge(plan, bodiesIn(planning)),
    ...others.map((each) => judge({ ...plan, actions: comparedActions(each, planning) }, bodiesIn(each))),
  ];
  return {
    notes: firstOfEach(judged.flatMap(({ notes }) => notes)),
    findings: firstOfEach(judged.flatMap(({ findings }) => findings)),
  };
}

// What two comparisons find is one thing to say.
function firstOfEach<Each extends GuardrailNote | Finding>(all: readonly Each[]): Each[] {
  const keyOf = ({ code, address, message, ...rest }: Each) =>
    // A rule may have another effect in a change than before it.
    JSON.stringify([code, address, message, "effect" in rest && rest.effect]);
  return [...groupBy(all, keyOf).values()].map(([first]) => first);
}

function documentsOf(actions: readonly Action[], { resources }: Fleet): Record<string, JsonObject> {
  const documents: Record<string, JsonObject> = {};
  for (const { address, action } of actions) {
    if (action !== "create" && action !== "replace") continue;
    const whole = resources.get(address)?.documents;
    if (whole && Object.keys(whole).length > 0) documents[address] = whole;
  }
  return documents;
}

function renderOptions(options: PlanOptions): JsonObject {
  const { replace, resend, target, selector, exclude } = options;
  const lists = Object.entries({ replace, resend, target, selector, exclude })
    .filter(([, values]) => values.size > 0)
    .map(([name, values]) => [name, [...values].toSorted()] as const);
  return {
    ...Object.fromEntries(lists),
    ...(options.changedSince && { changed_since: options.changedSince.ref }),
    ...(options.serviceMoved && { service_moved: true }),
    ...(options.emulator && { emulator: true }),
  };
}
