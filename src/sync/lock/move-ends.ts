import { refused, type Checked } from "../../core/finding/checked.js";
import { error, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say, type Sentence } from "../../core/finding/said.js";
import { environmentName, environmentsWithState } from "../../core/resources/environment-name.js";
import { withLock, type Settings } from "../../core/resources/manifest.js";
import { placeJson } from "../../core/resources/store-place.js";
import type { RepairChange } from "../../core/lock-edit/repair-change.js";
import { equal, type JsonObject } from "../../json/json.js";

/** What a move changes of the states: their store, or the name under which they are kept. */
export type MovedStates =
  | { readonly to: JsonObject }
  | { readonly fromWorkspace: string }
  /** Null for the default environment. */
  | { readonly fromEnvironment: string | null };

/** Where the state of an environment is, and where it belongs. */
export interface MoveEnds {
  readonly from: Settings;
  readonly to: Settings;
}

/** Gives the moves of all states that change their place or their name, by the settings of the manifest. */
export function findMoves(
  moving: MovedStates,
  settings: Settings,
): Checked<{ readonly moves: readonly MoveEnds[] }> {
  const all = environmentsWithState(settings.environments).map((environment) => ({
    ...settings,
    environment,
  }));
  if ("to" in moving) return toStore(moving.to, settings, all);
  if ("fromWorkspace" in moving) {
    const { fromWorkspace: name } = moving;
    if (name === settings.name)
      return refused([explainPresent(say`the workspace is named \`${bare({ name })}\` already`)]);
    return { ok: true, moves: all.map((to) => ({ from: { ...to, name }, to })) };
  }
  const { fromEnvironment: environment } = moving;
  if (environment === settings.environment || settings.environments.includes(environmentName(environment))) {
    const name = environmentName(environment);
    return refused([
      explainPresent(say`the manifest has the environment \`${bare({ environment: name })}\``),
    ]);
  }
  return { ok: true, moves: [{ from: { ...settings, environment }, to: settings }] };
}

function toStore(
  store: JsonObject,
  settings: Settings,
  all: readonly Settings[],
): ReturnType<typeof findMoves> {
  const there = withLock(settings, store);
  if (!there.ok) return refused(there.problems.map(ofOption));
  const { lock } = there.settings;
  if (equal(placeJson(lock), placeJson(settings.lock))) {
    const hint = "to move a state there, run this with the `spec.lock` of the store that has the state";
    return refused([
      error("lock-location", undefined, "--to is the store that `spec.lock` names already", hint),
    ]);
  }
  return { ok: true, moves: all.map((from) => ({ from, to: { ...from, lock } })) };
}

function ofOption({ place: _place, ...finding }: Finding): Finding {
  return { ...finding, message: `--to: ${finding.message}` };
}

function explainPresent(message: Sentence): Finding {
  const hint = "write the new name into agentform.yaml first, and give this command the one from before";
  return error("lock-location", undefined, message, hint);
}

/** Gives what is left to do in the repository after the states have moved. */
export function lastStep(moving: MovedStates, commit: readonly string[]): readonly RepairChange[] {
  if ("to" in moving) return [{ type: "to-do", store: moving.to, commit }];
  return commit.length > 0 ? [{ type: "to-do", commit }] : [];
}
