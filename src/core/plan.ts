import type { Action, Plan, PlanLock, PlanSummary } from "../generated/plan.js";
import { decide, forget, type Planning } from "./action.js";
import { error, type Finding } from "./diagnostic.js";
import { canonical, type Hash, type Json, type JsonObject } from "./json.js";
import type { Lock } from "./lock.js";
import { didYouMean } from "./nearest.js";
import type { Outlook } from "./outlook.js";
import type { PlanOptions } from "./plan-options.js";
import type { Resource } from "./resource.js";
import type { Workspace } from "./workspace.js";

export type { Action, Plan, PlanLock, PlanSummary };

/** Everything that a plan is a function of. */
export interface PlanInput {
  readonly workspace: Workspace;
  readonly lock: Lock;
  /** What the lock is called; null if nothing was ever applied. */
  readonly source: string | null;
  readonly options: PlanOptions;
  readonly hash: Hash;
}

/** A plan with what stands against it. */
export interface Planned {
  readonly plan: Plan;
  readonly findings: Finding[];
}

/** Builds the plan: a pure function of workspace, lock and options. */
export function buildPlan(input: PlanInput): Planned {
  const planning = begin(input);
  for (const address of input.workspace.graph.order) decideOne(address, planning);
  forgetMissing(planning);
  const actions = [...planning.actions.values()];
  const findings = [...checkProtected(actions, planning), ...checkOrphans(actions, planning)];
  return { plan: assemble(actions, input), findings };
}

function begin({ workspace, lock, options, hash }: PlanInput): Planning {
  const appliedDependents = dependentsIn(lock);
  return { workspace, lock, options, hash, appliedDependents, outlooks: new Map(), actions: new Map() };
}

function decideOne(address: string, planning: Planning): void {
  const resource = planning.workspace.resources.get(address);
  if (!resource) return;
  const action = decide(resource, planning);
  if (action) planning.actions.set(address, action);
  planning.outlooks.set(address, outlookAfter(action, resource, planning));
}

function outlookAfter(action: Action | undefined, { address }: Resource, { lock }: Planning): Outlook {
  const entry = lock.resources[address];
  switch (action?.action) {
    case "create":
    case "replace":
      return { type: "new" };
    case "unknown":
      return { type: "unavailable", reason: `${address} has an unknown outcome` };
    case "blocked":
      // What is blocked keeps its object, if it has one.
      if (!entry) return { type: "unavailable", reason: `${address} is blocked` };
  }
  return entry ? { type: "kept", entry } : { type: "new" };
}

function forgetMissing(planning: Planning): void {
  const { lock, workspace, actions } = planning;
  const gone = Object.keys(lock.resources).filter((address) => !workspace.resources.has(address));
  for (const address of gone.toSorted()) {
    const entry = lock.resources[address];
    if (entry) actions.set(address, forget(address, entry, planning));
  }
  for (const address of Object.keys(lock.unknown).toSorted()) {
    if (workspace.resources.has(address) || actions.has(address)) continue;
    const { operation, since, body, file } = lock.unknown[address] ?? { operation: "create", since: "", body: {} };
    actions.set(address, {
      ...{ address, action: "unknown", changes: [], affects: [], waits_for: [], reads: {}, body },
      reasons: [`whether the ${operation} of ${since} happened is not known, and its document is gone`],
      ...(file !== undefined && { file }),
    });
  }
}

function dependentsIn({ resources }: Lock): Map<string, string[]> {
  const dependents = new Map<string, string[]>();
  for (const [address, { references = {} }] of Object.entries(resources)) {
    for (const target of new Set(Object.keys(references).map((text) => text.split("/", 1)[0] ?? text))) {
      const list = dependents.get(target);
      if (list) list.push(address);
      else dependents.set(target, [address]);
    }
  }
  return dependents;
}

function checkProtected(actions: Action[], { workspace, lock }: Planning): Finding[] {
  return actions
    .filter(({ action }) => action === "replace" || action === "forget")
    .flatMap(({ address, action, reasons, file }) => {
      const resource = workspace.resources.get(address);
      const isProtected = resource ? resource.lifecycle.protect === true : lock.resources[address]?.protect === true;
      if (!isProtected) return [];
      const place = resource?.place(["lifecycle", "protect"]);
      const where = resource || file === undefined ? "" : `; its document was \`${file}\``;
      const message = `\`${address}\` is protected, and the plan would ${action} it: ${reasons[0] ?? ""}${where}`;
      const hint = "take `lifecycle.protect` away and apply that first, or undo the change";
      return [{ ...error("protected", place, message, hint), address }];
    });
}

function checkOrphans(actions: Action[], { workspace, options }: Planning): Finding[] {
  const limit = workspace.settings.orphanLimit;
  if (limit === undefined) return [];
  const unnamed = actions.filter(({ address }) => !options.replace.has(address));
  const left = unnamed.reduce((sum, { leaves = 0 }) => sum + leaves, 0);
  if (left <= limit) return [];
  const names = unnamed.filter(({ leaves = 0 }) => leaves > 0).map(({ address }) => `--replace ${address}`);
  const message = `the plan leaves ${left} objects behind in the service, and \`limits.orphans\` is ${limit}`;
  const hint = `if that is meant, name them: ${names.slice(0, 5).join(" ")}${names.length > 5 ? " …" : ""}`;
  return [error("orphan-limit", { file: "agentform.yaml", path: ["spec", "limits", "orphans"] }, message, hint)];
}

function assemble(actions: Action[], { workspace, lock, source, options, hash }: PlanInput): Plan {
  const { name, environment } = workspace.settings;
  const documents: Record<string, JsonObject> = {};
  for (const { address, action } of actions) {
    const whole = workspace.resources.get(address)?.documents;
    const sends = action === "create" || action === "replace";
    if (sends && whole && Object.keys(whole).length > 0) documents[address] = whole;
  }
  return {
    format: "agentform/plan/v1",
    workspace: name,
    environment,
    lock: source === null ? null : { source, lineage: lock.lineage, serial: lock.serial },
    options: renderOptions(options),
    partial: false,
    digest: digestOf(actions, documents, hash),
    notes: [],
    actions,
    summary: summarize(actions, workspace.resources),
    diagnostics: [],
    ...(Object.keys(documents).length > 0 && { documents }),
  };
}

// Covers what is done and what it rests on, and nothing that only explains it.
function digestOf(actions: Action[], documents: Record<string, JsonObject>, hash: Hash): string {
  const essence = actions.map(({ reasons: _reasons, changes: _changes, affects: _affects, file: _file, ...rest }) => {
    const whole = documents[rest.address];
    return { ...rest, ...(whole && { documents: hash(JSON.stringify(whole)) }) };
  });
  return hash(canonical(essence as unknown as Json));
}

function summarize(actions: Action[], resources: ReadonlyMap<string, Resource>): PlanSummary {
  const summary: PlanSummary = {
    ...{ create: 0, update: 0, replace: 0, adopt: 0, forget: 0, record: 0, unknown: 0, blocked: 0, unchanged: 0 },
  };
  for (const { action } of actions) summary[action]++;
  const touched = actions.filter(({ address }) => resources.has(address)).length;
  return { ...summary, unchanged: resources.size - touched };
}

function renderOptions({ replace, resend }: PlanOptions): JsonObject {
  return {
    ...(replace.size > 0 && { replace: [...replace].toSorted() }),
    ...(resend.size > 0 && { resend: [...resend].toSorted() }),
  };
}

/** Finds options that name addresses which are not there. */
export function checkOptions({ replace, resend }: PlanOptions, { resources }: Workspace): Finding[] {
  return [...replace, ...resend]
    .filter((address) => address !== "all" && !resources.has(address))
    .map((address) => {
      const hint = didYouMean(address, resources.keys());
      return error("option-unknown-address", undefined, `\`${address}\` is no resource of this workspace`, hint);
    });
}
