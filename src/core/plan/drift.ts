import { groupBy } from "../../json/groups.js";
import type { Action, Change, Plan } from "../../generated/plan.js";
import { affectedBy, buildGraph, turned } from "../resources/graph.js";
import { note, type Finding } from "../finding/diagnostic.js";
import { bare, say, type Said } from "../finding/said.js";
import { changesOf, needsNew } from "./undoing.js";
import { goneCause, isGone } from "./gone-objects.js";
import { unreadable } from "./unreadable.js";
import { findResources, type FoundResource, type FoundResources } from "../observation/found-objects.js";
import { actionOf } from "./action.js";
import { cause, type Cause, because } from "./cause.js";
import { lastingCauses, ownCauses } from "./change-reasons.js";
import { idsOf, toolNames } from "../kind/identity.js";
import { kindIn, type Deployment } from "../kind/deployment.js";
import { kindOfAddress } from "../kind/kinds.js";
import { notesOnFound, type FoundBodies } from "./staying.js";
import type { Kind } from "../kind/kind.js";
import { dependentsIn, type Lock } from "../state/lock.js";
import { choiceOf, stateOptions } from "../state/state-choice.js";
import type { Observation } from "../observation/observation.js";
import { ownChanges } from "../observation/baseline.js";
import { planOf } from "./plan-digest.js";
import { pathSegment } from "../../json/path.js";
import type { Settings } from "../resources/manifest.js";
import { summarizeActions, unchangedOf } from "./plan-summary.js";

/** What drift is found in. */
export interface DriftInput {
  readonly lock: Lock;
  /** What the lock is called; null if nothing was ever applied. */
  readonly source: string | null;
  readonly observation: Observation;
  readonly settings: Pick<Settings, "name" | "environment" | "deployment">;
  readonly isChosen: (address: string) => boolean;
}

/** Compares what was last sent with what was found: a plan to read, and none to apply. */
export function buildDrift(input: DriftInput): { readonly plan: Plan; readonly findings: Finding[] } {
  const { lock, observation, settings, isChosen } = input;
  const found = findResources(lock, observation);
  const dependents = dependentsIn(lock);
  const actions = inOrder(found, dependents).flatMap((each) => {
    const affected = affectedBy(each.address, (address) => dependents.get(address) ?? []);
    return driftOf(each, settings.deployment).map((action) => ({ ...action, ...affected }));
  });
  const readable = [...found.byAddress.values()].filter(({ unread }) => unread.length === 0);
  const plan = planOf(settings, input, {
    observation: { at: observation.at },
    options: { drift: true },
    partial: Object.keys(lock.resources).some((address) => !isChosen(address)),
    notes: notesOnFound(actions, bodiesOf(found), lock),
    actions,
    summary: summarizeActions(actions, readable),
    ...unchangedOf(actions, readable),
  });
  const findings = [
    ...unreadable(found),
    ...allGone(found),
    ...notLookedAt(input),
    ...explainNotShown(found),
    ...neverRead(found, input),
    ...doubtful(found),
  ];
  return { plan, findings };
}

// As a plan has them: what others refer to comes before them.
function inOrder(
  { byAddress }: FoundResources,
  dependents: ReadonlyMap<string, readonly string[]>,
): FoundResource[] {
  const links = turned(dependents);
  const { order } = buildGraph(byAddress.keys(), (address) => links.get(address) ?? []);
  return order.flatMap((address) => byAddress.get(address) ?? []);
}

function bodiesOf({ byAddress }: FoundResources): FoundBodies {
  return new Map(
    [...byAddress].map(([address, found]) => [
      address,
      isGone(found) ? undefined : { ...found.body, ...found.added },
    ]),
  );
}

function driftOf(found: FoundResource, deployment: Deployment): Action[] {
  const { address, entry, gone, kind } = found;
  const ids = [...idsOf(entry)];
  const at = { address, file: entry.file };
  if (isGone(found)) {
    return [actionOf(at, "gone", { ...because([goneCause(found)]), ids, gone: [...gone] })];
  }
  const missing = toolNames(entry, gone).map((name, index): Change => {
    return { path: `tools[${pathSegment(name)}]`, before: gone[index] ?? name };
  });
  const own = ownChanges(found);
  const changed = changesOf(found);
  const changes = [...changed, ...missing, ...own];
  if (changes.length === 0) return [];
  const ours = kindIn(deployment, kind.name);
  const lasting = changed.filter((change) => needsNew(change, ours));
  const why = because([
    ...(missing.length > 0 ? [] : lastingCauses(address, lasting)),
    ...partlyCauses(found),
    ...doubtCauses(found),
    ...ownCauses(address, own, ours),
  ]);
  return [actionOf(at, "changed", { ...why, changes, body: found.body, ids })];
}

function partlyCauses({ partly, sightings }: FoundResource): Cause[] {
  return [...partly].map(([field, tools]) =>
    cause("differs-in-part", { field, tools: [...tools], of: sightings.length }),
  );
}

function doubtCauses({ entry }: FoundResource): Cause[] {
  if (entry.uncertain === true) return [cause("sent-uncertain", {})];
  return entry.assumed === true ? [cause("adopted-never-sent", {})] : [];
}

// Each kind once: all of its objects have the same reason.
function notLookedAt({ lock, settings: { deployment }, isChosen }: DriftInput): Finding[] {
  const counts = new Map<Kind, { unread: number; withoutId: number }>();
  for (const [address, entry] of Object.entries(lock.resources)) {
    if (!isChosen(address)) continue;
    const kind = kindOfAddress(address);
    const count = counts.get(kind) ?? { unread: 0, withoutId: 0 };
    counts.set(kind, count);
    const { read, list } = deployment[kind.name] ?? {};
    if (!read && !list) count.unread++;
    else if (idsOf(entry).length === 0) count.withoutId++;
  }
  return [...counts].flatMap(([kind, { unread, withoutId }]) => [
    ...(unread > 0
      ? [
          notCompared(
            say`${counted(kind, unread)} cannot be read: \`service.operations\` has neither \`read\` nor \`list\` for \`${kind.name}\``,
          ),
        ]
      : []),
    ...(withoutId > 0
      ? [notCompared(say`${counted(kind, withoutId)} cannot be read, because the ID is not known`)]
      : []),
  ]);
}

function notCompared(message: Said, hint?: string): Finding {
  return note("object-not-compared", undefined, message, hint);
}

function counted({ name, noun: [one, many] }: Kind, count: number): Said {
  return say`${{ count }} ${bare({ kind: name }, count === 1 ? one : many)}`;
}

// A wrong path answers as if nothing were there.
function allGone({ byAddress }: FoundResources): Finding[] {
  const byKind = groupBy(byAddress.values(), ({ kind }) => kind);
  return [...byKind].flatMap(([kind, all]) => {
    if (all.length < 2 || !all.every(isGone)) return [];
    const message = say`the service has none of the ${counted(kind, all.length)} any more`;
    const hint = `check \`service.operations.${kind.name}\` if that cannot be: docs/reference/deployments.md`;
    return [notCompared(message, hint)];
  });
}

function explainNotShown({ notShown }: FoundResources): Finding[] {
  return notShown.map(({ kind, pointer, resources }) => {
    const field = pointer.slice(1).replaceAll("/*", "[]").replaceAll("/", ".");
    return notCompared(
      say`the service does not show \`${bare({ field })}\` of ${counted(kind, resources)}, so it was not compared`,
    );
  });
}

// What the service adds by itself cannot be told from what somebody added.
function neverRead({ byAddress }: FoundResources, { lock, settings }: DriftInput): Finding[] {
  const unknown = [...byAddress.values()].filter(
    ({ entry, sightings }) => !entry.baseline && sightings.some(({ own }) => own.size > 0),
  );
  return [...groupBy(unknown, ({ kind }) => kind)].map(([kind, all]) => {
    const message = say`fields that the service adds to ${counted(kind, all.length)} were not compared, because no apply has read them`;
    const isReplaced = kindIn(settings.deployment, kind.name).replacedBy === "any";
    const remembering = isReplaced
      ? "the apply that next replaces one records them"
      : `\`agentform apply${stateOptions(choiceOf(lock))} --verify --resend ${all[0].address}\` records them`;
    const hint = settings.deployment[kind.name]?.read
      ? remembering
      : `an apply can read it where \`service.operations.${kind.name}\` has a \`read\``;
    return notCompared(message, hint);
  });
}

function doubtful({ byAddress }: FoundResources): Finding[] {
  return [...byAddress.values()].flatMap((found) => {
    const { address, entry } = found;
    if (entry.uncertain !== true) return [];
    const message = say`${{ address }} is uncertain: the outcome of its last update is not known, or it was adopted and not updated since`;
    return [{ ...notCompared(message, "the next apply sends it again"), address }];
  });
}
