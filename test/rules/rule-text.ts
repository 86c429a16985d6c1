/** The text of a rule. */
export function ruleText(name: string, spec: object): string {
  const body = { effect: "review", message: `The rule ${name} holds.`, ...spec };
  return JSON.stringify({ apiVersion: "agentform/v1", kind: "Rule", metadata: { name }, spec: body });
}

/** A schema of a part of `spec`. */
export function ofSpec(spec: object): object {
  return { properties: { spec } };
}

/** A schema of what fits a second one where it fits a first. */
export function where(first: object, second: object): object {
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  return { if: first, then: second };
}

/** A rule that refuses what gives an agent an operation that writes. */
export const onlyReads = ruleText("only-reads", {
  for: { kind: "Agent" },
  effect: "error",
  message: "An agent only reads.",
  change: {
    properties: {
      gained: { properties: { operations: { items: { properties: { writes: { const: false } } } } } },
    },
  },
});
