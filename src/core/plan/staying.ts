import type { Action, GuardrailNote } from "../../generated/plan.js";
import { filterMembers, type JsonObject } from "../../json/json.js";
import { lasting } from "../kind/body.js";
import type { FoundResource } from "../observation/found-objects.js";
import { ownChanges } from "../observation/baseline.js";
import type { Resource } from "../resources/resource.js";
import type { Lock } from "../state/lock.js";
import { act } from "./action.js";
import { because } from "./cause.js";
import { lastingCauses, ownCauses } from "./change-reasons.js";
import { topField, type Change } from "./difference.js";
import { lookups, type Planning } from "./planning.js";
import { changesOf, isLasting, undoes, undoneBy } from "./undoing.js";
import { referencesIn } from "../expression/reference.js";
import { guardrailNotes } from "../guardrails/guardrail.js";
import { noteOf } from "../guardrails/note-words.js";

/** The actions after which an object is a new one, or no concern of the workspace. */
const endings: ReadonlySet<Action["action"]> = new Set(["create", "replace", "adopt", "forget", "delete"]);

/** Adds what somebody changed in the service and the plan leaves: to the action, or as one that does nothing. */
export function addStaying(planning: Planning): void {
  const { fleet, isIn, actions } = planning;
  for (const [address, found] of planning.found) {
    const resource = fleet.resources.get(address);
    const action = actions.get(address);
    if (!resource || !isIn(address) || (action && endings.has(action.action))) continue;
    const staying = stayingOf(resource, found, action, planning);
    if (staying.changes.length === 0) continue;
    const { changes, reasons, causes = [], ...rest } = action ?? act("changed", resource, planning, {});
    actions.set(address, {
      ...rest,
      ...(action ? {} : { waits_for: [] }),
      changes: [...changes, ...staying.changes],
      reasons: [...reasons, ...staying.reasons],
      causes: [...causes, ...(staying.causes ?? [])],
    });
  }
}

// What was sent is before, and what was found after, as drift has it.
function stayingOf(
  { address, body, kind }: Resource,
  found: FoundResource,
  action: Action | undefined,
  planning: Planning,
): Pick<Action, "changes" | "reasons" | "causes"> {
  const wanted = lasting(body, kind);
  const undone = undoneBy(found, wanted, lookups(found.entry, planning).after);
  const done = new Set(action?.changes.flatMap(({ path, undoes: isDone }) => (isDone ? [path] : [])));
  const left = undone.filter(({ path }) => !done.has(path));
  const isSentWhole = kind.updatesWhole && action?.action === "update";
  const isAdded = (edit: Change): boolean => Object.hasOwn(found.added, topField(edit));
  const all = ownChanges(found);
  const changed = [...changesOf(found), ...all.filter(isAdded)]
    .filter((edit) => left.some((change) => undoes(change, edit)))
    .map((edit) => ({ ...edit, stays: true as const }));
  const own = isSentWhole ? [] : all.filter((edit) => !isAdded(edit));
  const needing = left.filter((change) => isLasting(change, wanted, kind, found));
  const why = [...lastingCauses(address, needing), ...ownCauses(address, own, kind)];
  return { changes: [...changed, ...own], ...because(why) };
}

/** Gives the notes on what somebody changed in the service and a plan does not undo. */
export function notesOnStaying(
  actions: readonly Action[],
  { found, lock }: Pick<Planning, "found" | "lock">,
): GuardrailNote[] {
  const staying = actions.flatMap(({ address, changes }) => {
    const left = changes.filter(({ stays }) => stays);
    return left.length > 0 ? [{ address, action: "changed" as const, changes: left }] : [];
  });
  if (staying.length === 0) return [];
  const bodies = staying.map(({ address, changes }): [string, JsonObject] => [
    address,
    bodyWith(new Set(changes.map(topField)), found.get(address), lock.resources[address]),
  ]);
  return notesOnFound(staying, new Map(bodies), lock);
}

// What was sent, with some fields as they were found.
function bodyWith(
  fields: ReadonlySet<string>,
  found: FoundResource | undefined,
  entry: Lock["resources"][string] | undefined,
): JsonObject {
  return {
    ...filterMembers(entry?.body ?? {}, (field) => !fields.has(field)),
    ...filterMembers({ ...found?.body, ...found?.added }, (field) => fields.has(field)),
  };
}

/** The bodies of resources as they were found, by address; undefined for what is gone. */
export type FoundBodies = ReadonlyMap<string, JsonObject | undefined>;

/** Gives the notes on what somebody did in the service, compared with what was last sent. */
export function notesOnFound(
  actions: readonly Pick<Action, "address" | "action" | "changes">[],
  found: FoundBodies,
  lock: Pick<Lock, "resources">,
): GuardrailNote[] {
  // What documents ask to be deleted is nothing that is found in the service.
  const settings = { deployment: {} };
  const fleet = { resources: resourcesAsFound(lock, found), settings };
  const notes = guardrailNotes({ actions, fleet, lock });
  // That it is gone is what its action says.
  return notes
    .filter(({ code }) => code !== "object-forgotten")
    .map((note) =>
      note.code === "policy-forgotten" ? noteOf("policy-forgotten", { gone: true }, note) : note,
    );
}

// With everything as it was found, so that rules about several resources see the same service.
function resourcesAsFound({ resources }: Pick<Lock, "resources">, found: FoundBodies) {
  return new Map(
    Object.entries(resources).flatMap(([address, { body: sent, protect }]) => {
      const body = found.has(address) ? found.get(address) : sent;
      if (!body) return [];
      const lifecycle = protect === true ? { protect } : {};
      return [[address, { body, documents: {}, lifecycle, references: referencesIn(body) }] as const];
    }),
  );
}
