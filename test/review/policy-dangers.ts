import type { JsonObject } from "../../src/json/json.js";
import type { Danger } from "./danger.js";
import { specOf, within } from "./draft.js";

/** A danger in one check of a policy. */
function inCheck(
  name: string,
  check: string,
  shows: readonly (string | RegExp)[],
  edit: (check: JsonObject) => void,
): Danger {
  return {
    name,
    plant(draft, { policy }) {
      edit(within(specOf(draft, policy), check));
      return { addresses: [policy], shows: [check, ...shows] };
    },
  };
}

function without(list: string, item: string) {
  return (check: JsonObject): void => {
    const items = check[list];
    check[list] = Array.isArray(items) ? items.filter((each) => each !== item) : [];
  };
}

/** Dangers in the checks that guard agents. */
export const policyDangers: readonly Danger[] = [
  inCheck("check-switched-off", "prompt_injection", [/true/, /false/], (check) => {
    check.enabled = false;
  }),
  inCheck("threshold-changed", "toxicity_check", ["0.85", "0.15"], (check) => {
    check.threshold = 0.15;
  }),
  inCheck("banned-topic-gone", "banned_topics", ["weapons"], without("topics", "weapons")),
  inCheck("keyword-gone", "keywords", ["lawsuit"], without("keywords", "lawsuit")),
  inCheck("secrets-let-through", "secrets_detection", ["block", "log"], (check) => {
    check.action = "log";
  }),
  inCheck("pii-type-gone", "pii_detection", ["IBAN"], (check) => {
    delete within(check, "types").IBAN;
  }),
  inCheck("pii-type-let-through", "pii_detection", ["redact", "allow"], (check) => {
    within(check, "types").PHONE = "allow";
  }),
  {
    name: "check-gone",
    plant(draft, { policy }) {
      delete specOf(draft, policy).secrets_detection;
      return { addresses: [policy], shows: ["secrets_detection"] };
    },
  },
  {
    name: "policy-forgotten",
    plant(draft) {
      draft.documents.delete("policy:unused");
      return { addresses: ["policy:unused"], shows: [/forg[eo]t/i] };
    },
  },
  {
    name: "policy-created-off",
    plant(draft) {
      const spec = {
        name: "quiet",
        toxicity_check: { enabled: false, threshold: 0.5 },
        prompt_injection: { enabled: false, threshold: 0.5 },
      };
      draft.documents.set("policy:quiet", { spec, lifecycle: {} });
      return { addresses: ["policy:quiet"], shows: [/check/] };
    },
  },
];
