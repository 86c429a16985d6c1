import type { Action } from "../../generated/plan.js";
import { actionChanges } from "./action-changes.js";
import { consequences, resolution } from "./action-sentences.js";
import { type ChangeStyle, renderChange } from "./change-text.js";
import { actionWords } from "../words/action-words.js";
import { countText } from "../words/count-text.js";
import { indented } from "../words/indented.js";
import type { Palette } from "../words/palette.js";
import { safeLine } from "../words/terminal-text.js";

/** What the lines of an action depend on beside the action. */
export interface ActionStyle {
  readonly palette: Palette;
  /** About how many columns a value may take. */
  readonly width: number;
  /** The plan's environment, for the commands that the lines offer. */
  readonly environment: string | null;
}

/** Renders one action of a plan: its address, why, what changes, and what follows from it. */
export function renderAction(action: Action, { palette, width, environment }: ActionStyle): string[] {
  const style: ChangeStyle = { palette, width, compact: action.action === "create" };
  const { changes, left } = actionChanges(action, style);
  return [
    actionHead(action, palette),
    ...indented(
      [
        ...action.reasons.map((reason) => `because ${safeLine(reason)}`),
        ...resolution(action, environment),
        ...changes.flatMap((change) => renderChange(change, style)),
        ...(left > 0 ? [`… ${countText(left, "more change")}`] : []),
        ...consequences(action),
      ],
      4,
    ),
  ];
}

/** Renders what is done, to which resource and in which file, in one line. */
export function actionHead({ action, address, file }: Action, palette: Palette): string {
  const { symbol, role } = actionWords[action];
  const place = file === undefined ? "" : `  ${palette.dim(safeLine(file))}`;
  return `${palette[role](symbol)} ${safeLine(address)}${place}`;
}
