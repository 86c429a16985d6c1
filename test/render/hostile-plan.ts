import { fc } from "../harness/property.js";
import { kindNames } from "../../src/core/kind/kinds.js";
import type { Json } from "../../src/json/json.js";
import type { Action, Change, GuardrailNote, Plan, StateChange } from "../../src/generated/plan.js";
import { hostileText } from "./hostile-text.js";

const few = { maxLength: 3 };

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hostileText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), few),
    fc.dictionary(hostileText, tie("value"), { maxKeys: 3 }),
    fc.record({
      operations: fc.array(
        fc.record({ method: hostileText, path: hostileText, operationId: hostileText }),
        few,
      ),
      servers: fc.array(fc.record({ url: hostileText }), few),
    }),
  ),
}));

const path = fc.oneof(
  hostileText,
  hostileText.map((text) => `openapi_schema.operations[${text}]`),
);

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ path, before: value, after: value, references: fc.array(hostileText, few) }),
  fc.record({ path, before: hostileText, after: hostileText }),
  hostileText.chain((text) =>
    fc.record({
      path,
      before: fc.constant(text),
      after: fc.constant(text),
      references: fc.array(hostileText, few),
    }),
  ),
  fc.record({ path, after: value }),
  fc.record({ path, before: value }),
);

// Whoever reads a plan refuses an address of no kind.
const address = fc.tuple(fc.constantFrom(...kindNames), hostileText).map(([kind, text]) => `${kind}:${text}`);

const action: fc.Arbitrary<Action> = fc.record({
  address,
  action: fc.constantFrom("create", "update", "replace", "adopt", "forget", "record", "unknown", "blocked"),
  reasons: fc.array(hostileText, few),
  changes: fc.array(change, few),
  affects: fc.array(hostileText, { maxLength: 5 }),
  waits_for: fc.constant([]),
  reads: fc.constant({}),
  file: hostileText,
  ids: fc.array(hostileText, few),
  from: hostileText,
  leaves: fc.nat(3),
  requests: fc.array(hostileText, few),
});

/** None, or two agents with the same edit. */
const shared: fc.Arbitrary<Action[]> = fc.oneof(
  fc.constant<Action[]>([]),
  fc.tuple(action, change, hostileText).map(([each, edit, text]) =>
    ["agent:a", `agent:b${text}`].map((name) => ({
      ...each,
      address: name,
      action: "update" as const,
      changes: [edit],
    })),
  ),
);

const note: fc.Arbitrary<GuardrailNote> = fc.record({
  code: fc.oneof(hostileText, fc.constant("setting-changed")),
  effect: fc.constantFrom("weakens", "widens"),
  address: hostileText,
  parts: fc.record({ feature: hostileText, fields: fc.array(hostileText, few) }),
  message: hostileText,
  path: hostileText,
});

const stateChange: fc.Arbitrary<StateChange> = fc.record(
  {
    part: fc.oneof(hostileText, fc.constantFrom("resources", "retired", "unknown", "lineage")),
    key: hostileText,
    address: hostileText,
    edit: fc.constantFrom("added", "removed", "changed"),
    before: fc.constant(null),
    after: hostileText,
    changes: fc.array(change, few),
  },
  { requiredKeys: ["part", "edit", "before", "after", "changes"] },
);

/** Plans whose every text is hostile. */
export const hostilePlan: fc.Arbitrary<Plan> = fc.record({
  format: fc.constant("agentform/plan/v1" as const),
  workspace: hostileText,
  environment: fc.option(hostileText),
  lock: fc.option(fc.record({ source: hostileText, lineage: hostileText, serial: fc.nat(9) })),
  options: fc.record({ target: fc.array(hostileText, few) }),
  partial: fc.boolean(),
  digest: hostileText,
  state_changes: fc.array(stateChange, few),
  setting_changes: fc.array(change, few),
  notes: fc.array(note, few),
  actions: fc.tuple(fc.array(action, few), shared).map((made) => made.flat()),
  unchanged: fc.record({
    agent: fc.record({ count: fc.nat(9), addresses: fc.array(hostileText, few) }),
  }),
  summary: fc.constant({
    create: 1,
    update: 1,
    replace: 1,
    adopt: 1,
    forget: 1,
    record: 1,
    unknown: 1,
    blocked: 1,
    unchanged: 1,
  }),
  diagnostics: fc.constant([]),
});
