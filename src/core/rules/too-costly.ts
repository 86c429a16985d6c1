import { error, type Finding } from "../finding/diagnostic.js";
import { say } from "../finding/said.js";
import { placeInRule, type OwnRule } from "./own-rule.js";

/** Reports a rule that does more work than a rule may, or for which others have left none. */
export function tooMuch(rule: OwnRule): Finding {
  const message = say`the rule ${{ name: rule.name }} takes too much work to judge`;
  const hint =
    "make it smaller: fewer schemas, no `$ref`s in a circle, and none that repeat each other; all rules of a workspace have a limit, too";
  return error("rule-too-costly", placeInRule(rule, ["spec", rule.subject]), message, hint);
}
