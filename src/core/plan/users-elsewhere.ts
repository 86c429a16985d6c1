import type { Action, GuardrailNote } from "../../generated/plan.js";
import { notesBetween, type GuardrailInput } from "../guardrails/guardrail.js";
import { effects } from "../guardrails/rule.js";
import { noteOf } from "../guardrails/note-words.js";
import type { PartsOfNotes } from "../guardrails/note-parts.js";
import type { ResolvedReferences } from "../../generated/lock.js";
import { equal } from "../../json/json.js";
import { readReference } from "../expression/reference.js";
import { kindOfAddress } from "../kind/kinds.js";
import { indexOperations } from "../openapi/openapi.js";
import type { Fleet } from "../resources/fleet.js";
import { beforePending, usedAddress, usedEntry, type UsedWorkspaces } from "../resources/used.js";
import { once } from "../../json/once.js";
import { idInEntry } from "../state/entry-ids.js";
import { ownersIn } from "../state/known-ids.js";
import type { Lock } from "../state/lock.js";
import { isExchange } from "./action.js";
import { lastSent } from "./former-objects.js";

/** A reference of another workspace: the address there that has it, and the operation, if it is to a single tool. */
export interface UseElsewhere {
  readonly address: string;
  readonly operation?: string | undefined;
}

/** Gives who elsewhere refers to an address and would lose it, without those that the same command settles. */
export type UsersElsewhere = (address: string, isSettled: boolean) => readonly UsersThere[];

interface UsersThere {
  readonly where: string;
  readonly uses: readonly UseElsewhere[];
}

/** Notes who else uses what a plan replaces, forgets or deletes: as grave there as it is here. */
export function notesOnUsers(
  actions: readonly Action[],
  notes: readonly GuardrailNote[],
  usersOf: UsersElsewhere = () => [],
): GuardrailNote[] {
  const taken = new Set(actions.flatMap(({ address, from }) => (from === undefined ? [] : address)));
  return actions.flatMap(({ address, action, from, leaves = 0, body = {} }) => {
    const isGone = action === "forget" || action === "delete";
    const isOther = isExchange({ action, leaves });
    // After a move, what others refer to is not there any more, or is another object that has moved there.
    const lost = from ?? (isGone || isOther ? address : undefined);
    const replaced = isOther && from === undefined;
    const exchanged = from !== undefined && taken.has(from) ? from : undefined;
    // Whoever is applied in the same command gets the new ID there, and has no document with a name that is gone.
    const isSettled = replaced || action === "forget" || (from !== undefined && exchanged === undefined);
    const found = lost === undefined ? [] : usersOf(lost, isSettled);
    if (found.length === 0) return [];
    // A new tool set may lack the operation that is referred to.
    const { find } = indexOperations(kindOfAddress(address).operations?.(body) ?? []);
    const isLost = ({ operation }: UseElsewhere) =>
      !replaced || (operation !== undefined && find(operation) === undefined);
    const losing = withUses(found, isLost);
    const keeping = withUses(found, (use) => !isLost(use));
    const gone = new Set(losing.flatMap(({ uses }) => uses.map(({ operation = "" }) => operation)));
    const parts = {
      users: usersIn(losing),
      replaced: false,
      ...(exchanged !== undefined && { exchanged }),
      ...(replaced && { gone: [...gone] }),
    };
    const effect = gravestOf(notes.filter((note) => note.address === address));
    const kept = { users: usersIn(keeping), replaced: true };
    return [
      ...(losing.length > 0 ? [noteOf("used-by-others", parts, { effect: "weakens", address })] : []),
      ...(keeping.length > 0 ? [noteOf("used-by-others", kept, { effect, address })] : []),
    ];
  });
}

function withUses(found: readonly UsersThere[], isOne: (use: UseElsewhere) => boolean): UsersThere[] {
  return found.flatMap(({ where, uses }) => {
    const some = uses.filter(isOne);
    return some.length > 0 ? [{ where, uses: some }] : [];
  });
}

function usersIn(found: readonly UsersThere[]): PartsOfNotes["used-by-others"]["users"] {
  return found.map(({ where, uses }) => ({
    where,
    addresses: [...new Set(uses.map(({ address }) => address))].toSorted(),
  }));
}

function gravestOf(notes: readonly GuardrailNote[]): GuardrailNote["effect"] {
  return effects.find((each) => notes.some(({ effect }) => effect === each)) ?? "review";
}

/** Notes references to other workspaces that stand for something else than was last sent, and what is weaker there. */
export function notesOnUsed(
  actions: readonly Action[],
  { resources }: Pick<Lock, "resources">,
  { used, settings }: Pick<Fleet, "used"> & Pick<GuardrailInput["fleet"], "settings">,
): GuardrailNote[] {
  if (actions.every(({ used: ids }) => ids === undefined)) return [];
  const sentBefore: Record<string, ResolvedReferences[string]> = {};
  for (const { references } of Object.values(resources)) Object.assign(sentBefore, references);
  const movedOf = findMoved(used);
  const compared = once((text) => compareThere(JSON.parse(text) as [string, string], used, settings));
  const between = new Set<GuardrailNote>();
  const notes = actions.flatMap(({ address, used: ids = {} }) => {
    const own = resources[address]?.references ?? {};
    return Object.entries(ids).flatMap(([reference, after]) => {
      const before = own[reference] ?? sentBefore[reference];
      // Of what gets its ID in the same command, the plan over there compares what is there now alone.
      const now = after ?? idBeforePending(used, reference);
      if (equal(before, now) || (after === null && before === undefined)) return [];
      const moved = movedOf(reference, before);
      const isComparable = before !== undefined && moved === undefined;
      const sent = [readReference(reference).address, [before].flat()[0] ?? ""];
      const found = isComparable ? compared(JSON.stringify(sent)) : [];
      for (const each of found ?? []) between.add(each);
      const parts = {
        reference,
        ...(before !== undefined && { before }),
        ...(after !== null && { after }),
        ...(moved !== undefined && { moved }),
        ...(!found && { compared: false }),
      };
      // What is not compared may guard less, or reach more.
      const weakens = moved !== undefined || (!found && kindOfAddress(reference).guards);
      const effect = weakens ? "weakens" : found ? "review" : "widens";
      return [noteOf("used-id-changed", parts, { effect, address })];
    });
  });
  return [...notes, ...between];
}

function idBeforePending(used: UsedWorkspaces, text: string): ResolvedReferences[string] | undefined {
  const reference = readReference(text);
  const entry = beforePending(used, reference.address);
  const id = entry && idInEntry(entry, reference);
  return id === undefined || typeof id === "string" ? id : [...id];
}

// A file has IDs alone.
function compareThere(
  [text, id]: readonly [address: string, id: string],
  used: UsedWorkspaces,
  settings: GuardrailInput["fleet"]["settings"],
): GuardrailNote[] | undefined {
  const { address, use } = usedAddress(text) ?? { address: text, use: "" };
  const { entries = {}, retired = {} } = used.get(use) ?? {};
  const [[, former] = []] = lastSent(address, id, { resources: entries, retired });
  const entry = usedEntry(used, text);
  if (!former || !entry) return undefined;
  const bodyOf = (of: string) => usedEntry(used, `${of}@${use}`)?.body;
  return notesBetween(address, former, entry, settings, bodyOf).map((note) => ({ ...note, address: text }));
}

// Whoever moves another object to the address exchanges it for its users alone.
function findMoved(used: UsedWorkspaces) {
  const ownersThere = once((use) => ownersIn({ resources: used.get(use)?.entries ?? {} }));
  return (reference: string, before: ResolvedReferences[string] = []): string | undefined => {
    const of = usedAddress(readReference(reference).address);
    if (of === undefined) return undefined;
    const kind = kindOfAddress(of.address);
    const owner = [before]
      .flat()
      .flatMap((id) => ownersThere(of.use)(of.address, id))
      .find((address) => address !== of.address && kindOfAddress(address) === kind);
    return owner && `${owner}@${of.use}`;
  };
}
