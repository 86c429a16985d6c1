import { secretsIn } from "./default-value.js";
import type { WhyGone } from "./note-parts.js";
import type { RemarkOf, Subject } from "./rule.js";

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
