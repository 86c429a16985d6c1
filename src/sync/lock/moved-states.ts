import { refused, type Checked } from "../../core/finding/checked.js";
import { error, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say, type Sentence } from "../../core/finding/said.js";
import { environmentName, environmentsWithState } from "../../core/resources/environment-name.js";
import { type Settings, withLock } from "../../core/resources/manifest.js";
import { unlessMediumFails } from "../../core/state/lock-store.js";
import { ownerInTexts } from "../../core/state/renamed-state.js";
import type { JsonObject } from "../../json/json.js";
import { openStore, placeOf } from "../../store/open-store.js";
import { locationOf, type PlanRequest } from "../request.js";

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
  const ends = all.map((from) => ({ from, to: { ...from, lock } }));
  // Where only some environments change their place, the states of the others stay.
  const moves = ends.filter(({ from, to }) => placeOf(from) !== placeOf(to));
  const isSameKey = lock.seal === settings.lock.seal;
  if (moves.length < (isSameKey ? 1 : ends.length)) {
    const hint = isSameKey
      ? "to move a state there, run this with the `spec.lock` of the store that has the state"
      : "for another key, write it as `seal` under `spec.lock`, then run `agentform lock seal`";
    return refused([
      error("lock-location", undefined, "--to is the store that `spec.lock` names already", hint),
    ]);
  }
  return { ok: true, moves };
}

function ofOption({ place: _place, ...finding }: Finding): Finding {
  return { ...finding, message: `--to: ${finding.message}` };
}

function explainPresent(message: Sentence): Finding {
  const hint = "write the new name into agentform.yaml first, and give this command the earlier one";
  return error("lock-location", undefined, message, hint);
}

/** Gives the moves of existing states; one ref in the manifest has the state of one environment alone. */
export async function withState(
  moves: readonly MoveEnds[],
  request: PlanRequest,
): Promise<readonly MoveEnds[]> {
  const [first] = moves;
  if (first?.from.lock.ref === undefined) return moves;
  const store = await openStore(first.from, { ...locationOf(request), sealCheck: "told" });
  // Whatever fails, or has a wrong seal, is told by the move itself.
  const owner = await unlessMediumFails(store.read().then(ownerInTexts), () => undefined);
  const own = moves.filter(({ from }) => owner && from.environment === owner.environment);
  return own.length > 0 ? own : moves;
}
