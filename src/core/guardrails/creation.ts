import { isObject } from "../../json/json.js";
import { isOfKind } from "../kind/kinds.js";
import { enabledChecks } from "./policy.js";
import { listOf, member, type RemarkOf, type Subject } from "./rule.js";

/** Finds a new agent without a policy in a workspace where other agents have one. */
export function policyMissing({ after, isPolicyInUse }: Subject): RemarkOf<"agent-without-policy">[] {
  const isGuarded = [...after.mentions()].some(([text, { alone }]) => alone && isOfKind(text, "policy"));
  const hasLiteral = listOf(after.body.features).some((feature) => {
    const policy = isObject(feature) ? member(feature.config, "policy_id") : undefined;
    return policy !== undefined && policy !== null && policy !== "";
  });
  if (isGuarded || hasLiteral || !isPolicyInUse()) return [];
  return [{ parts: {} }];
}

/** Finds a new policy of which no check is on. */
export function checksMissing({ after: { body } }: Subject): RemarkOf<"policy-without-checks">[] {
  return enabledChecks(body) > 0 ? [] : [{ parts: {} }];
}
