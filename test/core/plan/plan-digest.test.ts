import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Plan } from "../../../src/core/plan/plan.js";
import { planDigest } from "../../../src/core/plan/plan-digest.js";
import { noLock, planOf } from "../../plan/history.js";
import { pieceOf, workspaceOf } from "../../plan/world.js";

interface Schema {
  readonly properties: Readonly<Record<string, object>>;
}

const schema = JSON.parse(
  readFileSync(new URL("../../../schemas/plan.schema.json", import.meta.url), "utf8"),
) as Schema & { readonly definitions: { readonly action: Schema; readonly change: Schema } };

const { plan } = planOf(workspaceOf([pieceOf("agent:a", { name: "A" })]), noLock);
const [action] = plan.actions;

/** What a digest leaves out of a plan, and why. */
const leftOut: Readonly<Record<string, string>> = {
  format: "a constant",
  lock: "the entries that count are read by the actions",
  observation: "what actions take from it is in them, and when it was made makes no difference",
  partial: "what the plan does is in its actions, and how it came about makes no difference",
  digest: "it is the digest",
  edits: "it is counted from the actions wherever it is shown",
  groups: "they are made from the actions wherever they are shown",
  summary: "it is counted from the actions wherever a plan is read",
  unchanged: "what has no change is not acted on",
  peers: "what keeps its value is not acted on",
  diagnostics: "warnings of the whole workspace come and go by changes that the plan has nothing to do with",
  checksum: "it is over the digest",
  left_out: "a plan that is shown short is the same plan, and cannot be applied",
};

const leftOutOfActions: Readonly<Record<string, string>> = {
  affects: "a resource that comes to depend on this one changes nothing of what is done",
  affects_more: "as affects",
  file: "a document that moves changes nothing of what is done",
  files: "as file",
  made_from: "it says where parts of a document come from, and what is sent has these parts",
  reasons: "they are the words of `causes`",
};

function differs(changed: object): boolean {
  return planDigest({ ...plan, ...changed } as Plan) !== planDigest(plan);
}

describe("planDigest", () => {
  it.each(Object.keys(schema.properties))("covers `%s` of a plan, or says why not", (member) => {
    const other =
      member === "options"
        ? { emulator: true }
        : member === "documents"
          ? { "agent:a": { a: 1 } }
          : [{ a: 1 }];
    const changed = { [member]: member === "actions" ? [] : other };
    expect(differs(changed)).toBe(!Object.hasOwn(leftOut, member));
  });

  it.each(Object.keys(schema.definitions.action.properties))(
    "covers `%s` of an action, or says why not",
    (member) => {
      const changed = { ...action, [member]: member === "address" ? "agent:b" : [{ a: 1 }] };
      expect(differs({ actions: [changed] })).toBe(!Object.hasOwn(leftOutOfActions, member));
    },
  );

  it.each(Object.keys(schema.definitions.change.properties))(
    "covers `%s` of a change, unless it says where the value is written",
    (member) => {
      const changes = action?.changes.map((change) => ({ ...change, [member]: { file: "other.yaml" } }));
      expect(differs({ actions: [{ ...action, changes }] })).toBe(member !== "origin" && member !== "ceased");
    },
  );

  it("covers the options that say where a plan is sent, and none that only chose its actions", () => {
    expect(differs({ options: { service_moved: true } })).toBe(true);
    expect(differs({ options: { changed_since: "main", target: ["agent:a"] } })).toBe(false);
  });

  it("covers the order of the actions, and of the keys of a document", () => {
    const first = {
      ...plan,
      actions: plan.actions.flatMap((each) => [each, { ...each, address: "agent:b" }]),
    };
    const digestOf = (changed: object) => planDigest({ ...first, ...changed } as Plan);
    expect(digestOf({ actions: first.actions.toReversed() })).not.toBe(digestOf({}));
    const [one, other] = [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ].map((whole) => digestOf({ documents: { "agent:a": { openapi_schema: whole } } }));
    expect(one).not.toBe(other);
  });

  it("is the same for a plan that went through a file", () => {
    expect(planDigest(JSON.parse(JSON.stringify(plan)) as Plan)).toBe(plan.digest);
    expect(plan.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});
