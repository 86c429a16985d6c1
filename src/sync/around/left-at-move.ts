import { shellWord } from "../../core/finding/shell-word.js";
import { error, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import { idsOf } from "../../core/kind/identity.js";
import type { Plan } from "../../core/plan/plan.js";
import { lockFileName } from "../../core/resources/lock-location.js";
import { environmentsOf } from "../../core/resources/environment-name.js";
import type { Settings } from "../../core/resources/manifest.js";
import { isSameOwner, ownerOf, type Lock } from "../../core/state/lock.js";
import { parseMove } from "../../core/state/lock-move.js";
import { notUnder } from "../../core/state/lock-writes.js";
import { leftApart, type OtherLock } from "../../core/state/newest-lock.js";
import { ownerInText } from "../../core/state/renamed-state.js";
import { choiceOf, resolveCommand } from "../../core/state/state-choice.js";
import { openLockFiles } from "../../store/open-store.js";
import { locationOf, type PlanRequest } from "../request.js";
import { explainCut, readOthers } from "./newest-state.js";

/**
 * Finds creates of what was created in the old place of a state, the lock files of environments, by a branch that did not have the move yet.
 * It only refuses them: whoever can commit can write such a lock, so no ID of it reaches a state by itself.
 */
export async function findLeftAtMove(
  { actions }: Pick<Plan, "actions">,
  present: Lock,
  settings: Settings,
  environments: readonly (string | null)[],
  request: PlanRequest,
): Promise<readonly Finding[]> {
  const created = new Set(actions.flatMap(({ action, address }) => (action === "create" ? [address] : [])));
  const found = new Map<string, Finding>();
  for (const environment of environments) {
    const old = { ...settings, environment };
    const { left, isCut, isMarked } = await readLeft(old, present, settings, request);
    if (isCut) found.set("", explainCut(lockFileName(old)));
    for (const other of left) {
      for (const address of created) {
        const finding = explainLeft(address, other, present, { file: lockFileName(old), isMarked });
        if (finding && !found.has(address)) found.set(address, finding);
      }
    }
  }
  return [...found.values()];
}

// What is known of a lock file from which this state has moved away, whatever a merge has left in its place.
async function readLeft(old: Settings, present: Lock, settings: Settings, request: PlanRequest) {
  const { environment } = old;
  const store = await openLockFiles(old, { ...locationOf(request), sealCheck: "told" });
  const { lock: text, journal, seal, version } = await store.read();
  const { memory } = store;
  const move = text === null ? undefined : parseMove(text);
  const isOurs = move?.to
    ? move.lineage === present.lineage && isSameOwner(move.as ?? move, present)
    : environment === settings.environment || !environmentsOf(settings.environments).includes(environment);
  if (text === null || !isOurs || !memory) return { left: [], isCut: false, isMarked: false };
  const { states, isCut } = await memory.others([], version, memory.written());
  const inPlace = { lock: text, journal, where: "this folder", ...(seal && { seal }) };
  const all = move ? states : [inPlace, ...states];
  // In a place that never had a seal, what has none is as good as any.
  const isSealed = all.some((state) => state.seal !== undefined && state.seal !== "missing");
  const known = isSealed ? all : all.map(({ seal: _missing, ...state }) => state);
  const others = readOthers(known, move ?? ownerInText(text) ?? ownerOf(old));
  // What was there before the move came along, also where the state has outgrown the names of those writes since.
  const locks = others.map(({ lock }) => lock);
  const since = new Set(notUnder(move ?? present, locks));
  const apart = others.filter(({ lock }) => since.has(lock));
  return { left: leftApart(present, apart), isCut, isMarked: move !== undefined };
}

function explainLeft(
  address: string,
  other: OtherLock,
  present: Lock,
  { file, isMarked }: { readonly file: string; readonly isMarked: boolean },
): Finding | undefined {
  const { resources, unknown } = other.lock;
  const entry = resources[address];
  const ids = entry ? idsOf(entry) : [];
  if (ids.length === 0 && !Object.hasOwn(unknown, address)) return undefined;
  const tools = Object.entries(entry?.tools ?? {}).map(([operation, id]) => `${operation}=${id}`);
  const adopt = ids.length === 0 ? "ID" : shellWord((tools.length > 0 ? tools : ids).join(","));
  const was =
    ids.length === 0
      ? "may have been created already"
      : say`was created already, with the ID ${bare({ ids: [...ids] })}`;
  const message = say`${bare({ address })} ${was}: by an apply with ${bare({ lock: file })} of ${bare({ source: other.where })}, which was made elsewhere while the state moved away from there`;
  const ask = `look for it in the service; if it is there, run \`${resolveCommand(address, choiceOf(present))} --adopt ${adopt}\`, and plan again; if it is not, delete ${file} once no branch from before the move is left`;
  // An old lock in the place holds on to the ID.
  const hint = isMarked
    ? ask
    : `a merge has put a lock in the place of what says that the state has moved: abort it, or if it was committed, take ${file} from the commit that moved the state; then plan again`;
  return error("lock-behind", undefined, message, hint);
}
