import type { UnsealedState } from "../../core/lock-edit/repair-change.js";
import { itemText } from "../plan/item-text.js";
import { stateItem } from "../view/state-item.js";
import { countText } from "../words/count-text.js";
import { paletteOf } from "../words/palette.js";
import { safeLine } from "../words/terminal-text.js";

/** Renders what a person has to look at before a state is sealed with a command, a line end at the end. */
export function renderUnsealed(
  { changes, against }: Pick<UnsealedState, "changes" | "against">,
  command: string,
  color: boolean,
): string {
  const head =
    against === undefined
      ? "No version of the state that is sealed with this key was found, so this is all that is in it:"
      : `${countText(changes.length, "difference")} from what was sealed (${against}):`;
  const palette = paletteOf(color);
  const items = changes.map((change) =>
    itemText({ ...stateItem(change, []), isOpen: true }, { palette, isBounded: false }),
  );
  return `${[safeLine(head), ...items, "", `To seal it as it is: ${safeLine(command)}`].join("\n")}\n`;
}
