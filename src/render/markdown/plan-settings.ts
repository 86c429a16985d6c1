import type { Change, Plan } from "../../generated/plan.js";
import { code, prose } from "./markdown-text.js";
import { scalarText } from "../words/value-text.js";

/** Renders the settings that differ from those of the last apply as a list, with what each can do; nothing if there are none. */
export function renderSettings({ setting_changes = [], notes }: Plan): string[] {
  if (setting_changes.length === 0) return [];
  const noteOf = new Map(notes.flatMap((note) => (isOfSetting(note) ? [[note.path, note] as const] : [])));
  const lines = setting_changes.map((change) => {
    const note = noteOf.get(change.path);
    if (!note) return `- ${code(change.path)}: ${valuesText(change)}`;
    return `- **${note.effect}**: ${prose(note.message)} (${code(note.code)})`;
  });
  return [["**Settings**", "", ...lines].join("\n")];
}

/** Whether a note speaks of a setting, and so is shown with it. */
export function isOfSetting({ code: name }: Pick<Plan["notes"][number], "code">): boolean {
  return name === "setting-changed";
}

// Whole, for a host shows who owns it at its end.
function valuesText({ before, after }: Change): string {
  return [before, after]
    .flatMap((value) => (value === undefined ? [] : [code(scalarText(value))]))
    .join(" → ");
}
