import { renderLine } from "../change/change-text.js";
import { differenceOfTexts } from "../difference/text-difference.js";
import { countText } from "../words/count-text.js";
import { indented } from "../words/text-lines.js";
import { paletteOf } from "../words/palette.js";
import { secretsToSet } from "../words/secrets-to-set.js";
import { safeLine } from "../words/terminal-text.js";
import type { WrittenDrift } from "./drift-write-json.js";

/** Renders the files that would be edited as differences, and what else follows. */
export function renderDriftWrite({ kept: { files, kept }, left }: WrittenDrift, color: boolean): string {
  const palette = paletteOf(color);
  const edited = files.flatMap(({ file, before, after }) => {
    const { lines: changed } = differenceOfTexts(before, after);
    const shown = changed.map((line, index) => renderLine(line, index, palette));
    return [safeLine(file), ...indented(shown, 2), ""];
  });
  const counts = [
    `${countText(files.length, "file")} to edit`,
    `${countText(kept.length, "resource")} to note in the lock as found`,
    ...(left.length > 0 ? [`${left.length} not written (above, with the reasons)`] : []),
  ];
  const secrets = secretsToSet(kept).map(safeLine);
  const toSet = secrets.length > 0 ? [...secrets, ""] : [];
  return `${[...edited, ...toSet, `${counts.join("; ")}.`].join("\n")}\n`;
}
