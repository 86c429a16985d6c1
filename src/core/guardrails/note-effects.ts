import type { GuardrailNote } from "../../generated/plan.js";
import { ruleFinding, type Finding } from "../finding/diagnostic.js";
import { isExcusedFrom } from "../resources/exceptions.js";
import type { Fleet } from "../resources/fleet.js";
import { manifestFile } from "../resources/manifest-file.js";
import type { Settings } from "../resources/manifest.js";

/** Gives built-in notes with the effects that the manifest sets, without those that documents are excused from. */
export function withEffects(
  notes: readonly GuardrailNote[],
  { effects, exceptions }: Pick<Settings, "effects" | "exceptions">,
): GuardrailNote[] {
  return notes.flatMap((note) => {
    const { code, address } = note;
    if (isExcusedFrom(exceptions, address, code)) return [];
    const effect = Object.hasOwn(effects, code) ? effects[code] : undefined;
    return effect === undefined || effect === "error" ? [note] : [{ ...note, effect }];
  });
}

/** Gives the notes that the manifest makes errors, as findings. */
export function refusedNotes(
  notes: readonly GuardrailNote[],
  { resources, settings: { effects } }: Pick<Fleet, "resources" | "settings">,
): Finding[] {
  return notes.flatMap(({ code, address, message, path }) => {
    if (!Object.hasOwn(effects, code) || effects[code] !== "error") return [];
    const at = path === undefined ? ["metadata", "name"] : ["spec", ...path.split(".")];
    const place = resources.get(address)?.place(at) ?? { file: manifestFile, path: ["spec", "notes", code] };
    const hint = `\`spec.notes\` of ${manifestFile} makes this note an error: \`agentform explain ${code}\``;
    return [{ ...ruleFinding("error", code, place, `${address}: ${message}`, hint), address }];
  });
}
