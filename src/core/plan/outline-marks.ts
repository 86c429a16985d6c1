import type { Plan } from "../../generated/plan.js";
import { topField } from "./difference.js";
import { kindOfAddress } from "../kind/kinds.js";

/** Whether every change of a plan is marked as an outline, which is shown short, exactly where its kind has outlines. */
export function hasTrueMarks({ actions }: Plan): boolean {
  return actions.every(({ address, changes }) => {
    const outlined = kindOfAddress(address)?.outlined ?? [];
    return changes.every((change) => outlined.includes(topField(change)) === (change.outline === true));
  });
}
