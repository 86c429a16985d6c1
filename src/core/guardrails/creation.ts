import { isObject } from "../../json/json.js";
import { isOfKind } from "../kind/kinds.js";
import { enabledChecks } from "./policy.js";
import { listOf, member, type Remark, type Subject } from "./rule.js";

/** Finds a new agent without a policy in a workspace where other agents have one. */
export function policyMissing({ after, isPolicyInUse }: Subject): Remark[] {
  const isGuarded = [...after.mentions()].some(([text, { alone }]) => alone && isOfKind(text, "policy"));
  const hasLiteral = listOf(after.body.features).some((feature) => {
    const policy = isObject(feature) ? member(feature.config, "policy_id") : undefined;
    return policy !== undefined && policy !== null && policy !== "";
  });
  if (isGuarded || hasLiteral || !isPolicyInUse()) return [];
  return [{ message: "is created without a policy, while other agents have one" }];
}

/** Finds a new policy of which no check is on. */
export function checksMissing({ after: { body } }: Subject): Remark[] {
  if (enabledChecks(body) > 0) return [];
  return [{ message: "is created without a check that is on, so it guards nothing" }];
}
