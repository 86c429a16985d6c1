import type { StateChange } from "../../generated/plan.js";
import { itemText } from "../plan/item-text.js";
import { stateItem } from "../view/state-item.js";
import { countText } from "../words/count-text.js";
import { paletteOf } from "../words/palette.js";
import { safeLine } from "../words/terminal-text.js";

/** A state that is not sealed, compared with the newest that is. */
export interface ShownUnsealed {
  readonly changes: readonly StateChange[];
  readonly against?: string;
  /** The command that seals it as it is shown. */
  readonly command: string;
}

/** Renders what a person has to look at before a state is sealed, a line end at the end. */
export function renderUnsealed({ changes, against, command }: ShownUnsealed, color: boolean): string {
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
