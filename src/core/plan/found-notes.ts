import type { Action, GuardrailNote } from "../../generated/plan.js";
import { referencesIn } from "../expression/reference.js";
import { guardrailNotes } from "../guardrails/guardrail.js";
import { noteOf } from "../guardrails/note-words.js";
import type { JsonObject } from "../../json/json.js";
import type { Lock } from "../state/lock.js";

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
