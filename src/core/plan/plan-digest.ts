import { hash } from "../../digest.js";
import type { Action, Plan } from "../../generated/plan.js";
import { notesForDigest } from "../guardrails/guardrail.js";
import { canonical, type Json } from "../../json/json.js";
import type { Settings } from "../resources/manifest.js";
import type { Lock } from "../state/lock.js";

/** Gives a plan's digest, computed and never read from it: of all that an apply sends, where to, and what is shown. */
export function planDigest(plan: Plan): string {
  const { workspace, environment, options, state_changes, settings, setting_changes, calls } = plan;
  const { notes, actions, documents } = plan;
  const essence = {
    workspace,
    environment,
    emulator: options.emulator === true,
    service_moved: options.service_moved === true,
    ...(state_changes && { state_changes }),
    settings: settings ?? null,
    setting_changes: setting_changes ?? [],
    ...(calls && { calls }),
    // One by one, so that a large plan is not in memory once more as one text. Words are made from parts.
    notes: notesForDigest(notes).map(({ message: _message, ...note }) =>
      hash(canonical(note as unknown as Json)),
    ),
    actions: actions.map((action) => hash(canonical(essenceOf(action, documents)))),
  };
  return hash(canonical(essence as unknown as Json));
}

// Who depends on a resource, and where its document and its parts are, may change by edits that this plan has nothing to do with.
function essenceOf(action: Action, documents: Plan["documents"]): Json {
  const {
    affects: _affects,
    affects_more: _more,
    file: _file,
    files: _files,
    reasons: _reasons,
    made_from: _made,
    changes,
    ...rest
  } = action;
  const whole = documents?.[action.address];
  // The order of a document's keys is sent, so it counts.
  return {
    changes: changes.map(({ origin: _origin, ceased: _ceased, ...change }) => change),
    ...(whole && { documents: hash(JSON.stringify(whole)) }),
    ...rest,
  } as unknown as Json;
}

/** The format of plans. */
export const planFormat = "agentform/plan/v1";

/** What a plan is made of and from, its members in the order in which they are printed. */
type PlanParts = Omit<Plan, "format" | "workspace" | "environment" | "lock" | "digest" | "diagnostics">;

/** Makes a plan of its parts, from a lock that has a name if anything was ever applied. */
export function planOf(
  { name, environment }: Pick<Settings, "name" | "environment">,
  { source, lock }: { readonly source: string | null; readonly lock?: Lock },
  { observation, options, partial, documents, ...parts }: PlanParts,
): Plan {
  const plan: Plan = {
    format: planFormat,
    workspace: name,
    environment,
    lock: source === null || !lock ? null : { source, lineage: lock.lineage, serial: lock.serial },
    ...(observation && { observation }),
    options,
    partial,
    digest: "",
    ...parts,
    diagnostics: [],
    ...(documents && { documents }),
  };
  return { ...plan, digest: planDigest(plan) };
}
