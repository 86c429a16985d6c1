import { hash } from "../../digest.js";
import type { Action, Plan } from "../../generated/plan.js";
import { notesForDigest } from "../guardrails/guardrail.js";
import { canonical, type Json } from "../../json/json.js";

/** What the digest of a plan is made of: all that an apply sends, where to, and what a reviewer is shown of it. */
type Digested = Pick<
  Plan,
  | "workspace"
  | "environment"
  | "options"
  | "state_changes"
  | "settings"
  | "setting_changes"
  | "calls"
  | "notes"
  | "actions"
  | "documents"
>;

/** Gives the digest of a plan, computed from what it holds and never read from it. */
export function planDigest(plan: Digested): string {
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
  const { affects: _affects, affects_more: _more, file: _file, files: _files, ...covered } = action;
  const { reasons: _reasons, changes, ...rest } = covered;
  const whole = documents?.[action.address];
  // The order of a document's keys is sent, so it counts.
  return {
    ...rest,
    changes: changes.map(({ origin: _origin, ...change }) => change),
    ...(whole && { documents: hash(JSON.stringify(whole)) }),
  } as unknown as Json;
}
