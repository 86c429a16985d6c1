import { shellWord } from "../finding/shell-word.js";
import { equal, isObject, type Json, type JsonObject } from "../../json/json.js";
import { parseJson } from "../../json/parse-json.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { statePattern, type Lock, type LockOwner, type LockService } from "./lock.js";
import { parseJournal } from "./journal.js";
import { addressesIn } from "./known-ids.js";
import { moveIn, storeText } from "./lock-move.js";
import type { StateTexts } from "./lock-store.js";
import { sharesService } from "./service-identity.js";
import { assembleState } from "./stored-state.js";

/** A state that stands somewhere else than where it is looked for. */
export interface StandingLock {
  readonly owner: LockOwner;
  /** Nothing if it has moved on from there. */
  readonly lock?: Lock;
  readonly movedTo?: JsonObject;
  /** Where it was found, as messages name it, in which store, and how it is given up. */
  readonly where: string;
  readonly store: string;
  readonly discard: string;
}

/** The place that has no state, and what would be begun there. */
export interface PlaceWithoutState {
  readonly owner: LockOwner;
  readonly lockName: string;
  /** The store, as the manifest names it. */
  readonly named: JsonObject;
  /** The environments that the manifest has, null for the default one. */
  readonly environments: readonly (string | null)[];
  readonly addresses: ReadonlySet<string>;
  readonly service: LockService;
}

/** Reads a state whose owner only its text tells; nothing if it cannot be used. */
export function readStanding(
  { lock, journal, ...found }: Omit<StandingLock, "owner" | "lock" | "movedTo"> & StateTexts,
  likely: LockOwner,
): StandingLock[] {
  const value = lock === null ? undefined : parseJson(lock).value;
  const move = moveIn(value);
  if (move?.to) return [{ ...found, owner: move.as ?? move, movedTo: move.to }];
  // Of a first apply that has died there is the journal alone.
  const begun = lock === null && journal !== null ? parseJournal(journal, found.where) : undefined;
  const owner = isObject(value) ? ownerIn(value) : begun?.ok && begun.header ? ownerIn(begun.header) : likely;
  if (move || !owner || (lock === null && journal === null)) return [];
  const names = { lockName: found.where, journalName: found.where };
  const state = assembleState({ lock, journal }, owner, names);
  return state.ok && state.exists ? [{ ...found, owner, lock: state.lock }] : [];
}

function ownerIn({
  workspace,
  environment,
}: { [Key in keyof LockOwner]?: Json | undefined }): LockOwner | undefined {
  if (!isName(workspace) || !(environment === null || isName(environment))) return undefined;
  return { workspace, environment };
}

// The text may be of a stranger, and a command is made with the names.
function isName(value: Json | undefined): value is string {
  return typeof value === "string" && statePattern.test(value);
}

/** Whether a state may be that of the same resources under a name that the manifest does not have any more. */
export function mayBeRenamed(
  { owner, lock }: Pick<StandingLock, "owner" | "lock">,
  begin: PlaceWithoutState,
): boolean {
  if (!lock || !sharesService(lock.service, begin.service)) return false;
  const isGone = !begin.environments.includes(owner.environment);
  // Both may have a new name.
  const isOtherName =
    owner.environment === begin.owner.environment ? owner.workspace !== begin.owner.workspace : isGone;
  return isOtherName && sharedAddresses(lock, begin) > 0;
}

function sharedAddresses(lock: Lock, { addresses }: PlaceWithoutState): number {
  return addressesIn(lock).filter((address) => addresses.has(address)).length;
}

/** Explains that the state of this workspace and environment is in a different store. */
export function explainOtherStore(
  { lock, movedTo, where, store, discard }: StandingLock,
  { lockName, named }: PlaceWithoutState,
  otherwise: string | undefined,
): Finding {
  const there = storeText(named);
  const place = store === "file" ? { file: where } : undefined;
  if (movedTo) {
    const to = storeText(movedTo);
    const message = say`the state has moved from ${bare({ from: where })} to \`${bare({ to })}\`, and ${bare({ lock: lockName })} has none`;
    const hint =
      to === there
        ? `${otherwise ? `${otherwise}; if that does not help, ` : ""}check the address and the credentials: the state is somewhere else, or was lost`
        : `set \`spec.lock\` to \`${to}\`, and move the state from there`;
    return error("lock-left-behind", place, message, hint);
  }
  const message = say`${bare({ other: where })} has the state of this environment, and ${bare({ lock: lockName })} has none`;
  const back =
    store === "file"
      ? "remove `spec.lock` again"
      : `set \`spec.lock\` to \`${earlierStore(lock, store)}\` again`;
  const hint = `${back}, and run \`agentform lock move --to ${shellWord(there)}\`; if it is not needed any more, ${discard}`;
  return error("lock-left-behind", place, message, hint);
}

/** Explains that the manifest has moved to another folder, and the state has not; nothing if it has nothing of this one. */
export function explainOtherFolder(
  { file, lock, owner }: { readonly file: string; readonly lock: Lock; readonly owner: LockOwner },
  begin: PlaceWithoutState,
): Finding[] {
  if (!sharesService(lock.service, begin.service) || sharedAddresses(lock, begin) === 0) return [];
  const message = say`${bare({ other: file })} of this repository has the state of the workspace \`${bare({ name: owner.workspace })}\`, and no manifest beside it; beside this manifest there is no ${bare({ lock: begin.lockName })}`;
  const hint =
    "if the workspace has moved, move that file beside its manifest, with its journal if it has one; if everything is to be created anew, remove it";
  return [error("lock-left-behind", undefined, message, hint)];
}

// One step at a time: a command looks for a state in the place that the manifest names now.
function isPlaceOf(lock: Lock | undefined, store: string, { named }: PlaceWithoutState): boolean {
  const known = lock?.settings?.lock;
  if (!isObject(known)) return named.store === store;
  const [{ seal: _before, ...earlier }, { seal: _now, ...present }] = [known, named];
  return equal(earlier, present);
}

function earlierStore(lock: Lock | undefined, store: string): string {
  const known = lock?.settings?.lock;
  return isObject(known) && known.store === store ? storeText(known) : store;
}

/** Explains that a state has the same addresses under a name that the manifest does not have. */
export function explainOtherName(found: StandingLock, begin: PlaceWithoutState): Finding {
  const { owner, lock, where, store, discard } = found;
  const isWorkspace = owner.workspace !== begin.owner.workspace;
  const [was, is] = [owner.environment ?? "default", begin.owner.environment ?? "default"];
  const name = isWorkspace ? owner.workspace : was;
  const what = isWorkspace ? "workspace" : "environment";
  const count = lock ? sharedAddresses(lock, begin) : 0;
  const message = say`${bare({ other: where })} has the state of the ${what} \`${bare({ name })}\`, which agentform.yaml does not have, with ${{ count }} of the same addresses, and ${bare({ lock: begin.lockName })} has no state`;
  const ofWorkspace = `\`agentform lock move --from-workspace ${shellWord(owner.workspace)}\``;
  const of = begin.owner.environment === null ? "" : ` -e ${is}`;
  const ofEnvironment = `\`agentform lock move --from-environment ${shellWord(was)}${of}\``;
  const ofBoth = `${ofWorkspace} with the environment \`${was}\` declared in place of \`${is}\`, and ${ofEnvironment} after that`;
  const ofWorkspaceAnd = was === is ? ofWorkspace : ofBoth;
  const command = isWorkspace ? ofWorkspaceAnd : ofEnvironment;
  const move = isPlaceOf(lock, store, begin)
    ? `if it was renamed, run ${command}`
    : `if it was renamed, set \`spec.lock\` to \`${earlierStore(lock, store)}\` again, run ${command}, and then \`agentform lock move --to ${shellWord(storeText(begin.named))}\``;
  return error(
    "lock-left-behind",
    undefined,
    message,
    `${move}; if everything is to be created anew, ${discard}`,
  );
}
