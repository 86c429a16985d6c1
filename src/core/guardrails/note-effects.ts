import type { GuardrailNote } from "../../generated/plan.js";
import { ruleFinding, type Finding } from "../finding/diagnostic.js";
import { isExcusedFrom } from "../resources/fleet-rules.js";
import type { Fleet } from "../resources/fleet.js";
import { manifestFile } from "../resources/manifest-file.js";
import type { NoteEffect, Settings } from "../resources/manifest.js";
import type { RuleOrigin } from "../rules/own-rule.js";
import { mappingPath } from "./change-path.js";
import { effects as ranked } from "./rule.js";

type SetEffects = Pick<Settings, "effects" | "effectsBefore">;

/** Gives the notes that are not excused, with the gravest effect set by the manifest now or before the change. */
export function withEffects(
  notes: readonly GuardrailNote[],
  settings: SetEffects & Pick<Settings, "exceptions">,
): GuardrailNote[] {
  const isHeeded = ({ address, code }: GuardrailNote) => !isExcusedFrom(settings.exceptions, address, code);
  return notes.filter(isHeeded).map((note) => withEffect(note, settings));
}

/** Gives the notes as rules judge them: who is excused from a note is excused from no rule, and of an organisation's nothing makes one less grave than it usually is. */
export function notesForRules(
  notes: readonly GuardrailNote[],
  { effects, effectsBefore = [] }: SetEffects,
): (origin: RuleOrigin) => GuardrailNote[] {
  return (origin) => {
    const before = origin === "organisation" ? [...effectsBefore, {}] : effectsBefore;
    return notes.map((note) => withEffect(note, { effects, effectsBefore: before }));
  };
}

function withEffect(note: GuardrailNote, settings: SetEffects): GuardrailNote {
  const effect = effectOf(note, settings);
  return effect === "error" ? note : { ...note, effect };
}

function effectOf({ code, effect }: GuardrailNote, { effects, effectsBefore = [] }: SetEffects): NoteEffect {
  const [set = effect, ...before] = [effects, ...effectsBefore].map((all) =>
    Object.hasOwn(all, code) ? all[code] : effect,
  );
  return (["error", ...ranked] as const).find((each) => each === set || before.includes(each)) ?? set;
}

/** Gives the notes that the manifest makes errors, as findings. */
export function refusedNotes(
  notes: readonly GuardrailNote[],
  { resources, settings }: Pick<Fleet, "resources" | "settings">,
): Finding[] {
  return notes.flatMap((note) => {
    if (effectOf(note, settings) !== "error") return [];
    const { code, address, message, path } = note;
    const at = path === undefined ? ["metadata", "name"] : ["spec", ...mappingPath(path)];
    const place = resources.get(address)?.place(at) ?? { file: manifestFile, path: ["spec", "notes", code] };
    const when = settings.effects[code] === "error" ? "" : ", as it was before the change,";
    const hint = `\`spec.notes\` of ${manifestFile}${when} makes this note an error: \`agentform explain ${code}\``;
    return [{ ...ruleFinding("error", code, place, `${address}: ${message}`, hint), address }];
  });
}
