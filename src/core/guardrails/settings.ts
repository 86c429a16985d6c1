import { secretsIn } from "./default-value.js";
import { turnOf, type FieldTurn, type WhyGone } from "./note-parts.js";
import type { Remark, RemarkOf, Subject } from "./rule.js";
import { filterMembers, isObject, member, listOf } from "../../json/json.js";
import { mentionsIn } from "./mention.js";
import { isOfKind, kindOfAddress } from "../kind/kinds.js";

/** Makes the finder of a changed field of the body. */
export function fieldChanged(field: string): (subject: Subject) => Remark<FieldTurn>[] {
  return ({ before, after, changed }) => {
    if (!changed.has(field)) return [];
    return [{ path: field, parts: { field, ...turnOf(before.body[field], after.body[field]) } }];
  };
}

/** Finds resources that are no longer protected. */
export function protectRemoved({ before, after, action }: Subject): RemarkOf<"protect-removed">[] {
  if (before.lifecycle.protect !== true || after.lifecycle.protect === true) return [];
  return [{ path: "lifecycle.protect", parts: { replaced: action === "replace" } }];
}

/** Finds resources whose objects a later plan may delete, or this one where it replaces them. */
export function removalDeletes(subject: Subject): RemarkOf<"removal-deletes">[] {
  const { address, before, after, deployment } = subject;
  const kind = kindOfAddress(address).name;
  const undeclared = deployment[kind]?.delete ? {} : { undeclared: kind };
  return (["on_removal", "on_replaced"] as const)
    .filter((key) => after.lifecycle[key] === "delete" && before.lifecycle[key] !== "delete")
    .map((key) => ({
      path: `lifecycle.${key}`,
      parts: { ...(key === "on_replaced" && { replaced: true as const }), ...undeclared },
    }));
}

/** Finds objects that are taken over, of which the state does not have what they were sent; an agent without a policy, and what is exchanged, have notes of their own. */
export function objectAdopted(subject: Subject): RemarkOf<"object-adopted">[] {
  const { address, action, before } = subject;
  if (action !== "adopt") return [];
  // In the place of an object from before it is no new agent, and has no other note.
  if (Object.keys(before.body).length > 0)
    return placesOf(subject).length > 0 && !isUnsentExchange(subject) ? [{ parts: {} }] : [];
  return isOfKind(address, "agent") && policyMissing(subject).length > 0 ? [] : [{ parts: {} }];
}

/** Finds objects that are taken over in the place of others, and that nothing is sent to: what refers to them gets what nobody here knows. */
export function objectExchanged(subject: Subject): RemarkOf<"object-exchanged">[] {
  return isUnsentExchange(subject) ? [{ parts: {} }] : [];
}

// The update of an agent replaces all of it.
function isUnsentExchange(subject: Subject): boolean {
  return !isOfKind(subject.address, "agent") && placesOf(subject).some(({ unsent }) => unsent);
}

function placesOf({ causes }: Subject) {
  return causes.flatMap((each) => (each.code === "takes-place" ? [each.parts] : []));
}

/** Finds a new agent without a policy in a workspace where others have or had one, or that takes over an object. */
export function policyMissing({
  address,
  after,
  action,
  isPolicyInUse,
}: Subject): RemarkOf<"agent-without-policy">[] {
  // A deployment may have a field of its own for it; in a name or a description it guards nothing.
  const known = kindOfAddress(address).fields.fields.spec.fields;
  const guards = filterMembers(after.body, (key) => key === "features" || !Object.hasOwn(known, key));
  const isGuarded = [...mentionsIn(guards)].some(([text, { alone }]) => alone && isOfKind(text, "policy"));
  const hasLiteral = listOf(after.body.features).some((feature) => {
    const policy = isObject(feature) ? member(feature.config, "policy_id") : undefined;
    return policy !== undefined && policy !== null && policy !== "";
  });
  if (isGuarded || hasLiteral) return [];
  if (action === "adopt") return [{ parts: { adopted: true } }];
  return isPolicyInUse() ? [{ parts: {} }] : [];
}

/** Says of a policy without a document that its object stays, no longer managed here. */
export function policyForgotten({ causes }: Subject): RemarkOf<"policy-forgotten">[] {
  return [{ parts: { gone: false, ...whyGone(causes) } }];
}

/** Says of any other resource without a document what its object keeps: what guards it, its tools, and its keys. */
export function objectForgotten({ before, causes }: Subject): RemarkOf<"object-forgotten">[] {
  const uses = [...new Set([...before.mentions().values()].map(({ reference }) => reference.address))];
  return [{ parts: { uses: uses.toSorted(), secrets: secretsIn(before.body), ...whyGone(causes) } }];
}

// The reasons of the plan, as far as they say where the document was lost.
function whyGone(causes: Subject["causes"]): { why?: WhyGone } {
  for (const { code, parts } of causes) {
    const { key, keys, included, environment } = parts;
    if (code === "environment-left")
      return { why: { environment: typeof environment === "string" ? environment : null } };
    if (code === "key-gone" && typeof key === "string" && typeof keys === "string")
      return { why: { keys: [key], keys_in: keys, ...(included === true && { included }) } };
  }
  return {};
}
