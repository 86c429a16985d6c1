import { applyPlan } from "../../../src/core/apply/apply.js";
import type { ApplyInput } from "../../../src/core/apply/apply-input.js";
import type { ApplyEvent, ApplySummary } from "../../../src/core/apply/apply-report.js";
import type { JsonObject } from "../../../src/json/json.js";
import type { BodyRequest, References } from "../../../src/core/kind/kind.js";
import { emptyLock } from "../../../src/core/state/lock.js";
import type { LockStore } from "../../../src/core/state/lock-store.js";
import type { Plan } from "../../../src/core/plan/plan.js";
import type { Outcome, Service } from "../../../src/core/observation/service.js";

type Action = Plan["actions"][number];

/** An agent that is created once others are. */
export function creation(name: string, waitsFor: readonly string[] = []): Action {
  const tools = waitsFor.map((address) => `\${${address}}`);
  return {
    address: `agent:${name}`,
    action: "create",
    reasons: [],
    changes: [],
    affects: [],
    waits_for: [...waitsFor],
    reads: {},
    body: { name, ...(tools.length > 0 && { tools }) },
  };
}

function planOfActions(actions: readonly Action[]): Plan {
  const create = actions.length;
  const none = { update: 0, replace: 0, adopt: 0, forget: 0, record: 0, unknown: 0, blocked: 0 };
  return {
    format: "agentform/plan/v1",
    workspace: "test",
    environment: null,
    lock: null,
    options: {},
    partial: false,
    digest: "sha256:0",
    notes: [],
    actions: [...actions],
    summary: { create, ...none, unchanged: 0 },
    diagnostics: [],
  };
}

/** Applies actions to a lock that has nothing yet, one at a time unless more is said. */
export async function applyActions(
  actions: readonly Action[],
  more: Pick<ApplyInput, "store" | "service"> & Partial<ApplyInput>,
) {
  let summary: ApplySummary | undefined;
  const lock = await applyPlan({
    plan: planOfActions(actions),
    lock: emptyLock({ workspace: "test", environment: null }, "lineage"),
    version: null,
    write: "write",
    serviceIdentity: { base_url: "http://127.0.0.1:1" },
    answers: () => ({ documentOrder: false }),
    deployment: {},
    updateChecks: { before: true, overwrite: new Set(), after: false, fieldNames: {} },
    concurrency: 1,
    now: () => "2026-01-01T00:00:00.000Z",
    drain: new AbortController().signal,
    onEvent: () => undefined,
    onSummary: (counts) => {
      summary = counts;
    },
    ...more,
  });
  return { lock, summary };
}

/** Lets everything run that can run without what a test holds back. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** A request that has no answer until the test gives it one. */
export interface OpenRequest {
  readonly name: string;
  readonly body: JsonObject;
  readonly references: References | undefined;
  readonly answer: (outcome?: Outcome) => void;
}

/** A request without a body that has no answer until the test gives it one. */
export interface OpenQuestion {
  readonly request: string;
  readonly answer: (outcome?: Outcome) => void;
}

/** A service whose answers a test gives, with all requests in the order in which they were sent. */
function createHeldService(): Service & {
  readonly sent: readonly OpenRequest[];
  readonly asked: readonly OpenQuestion[];
  /** How often its connections were given up. */
  readonly renewals: () => number;
} {
  let renewals = 0;
  const sent: OpenRequest[] = [];
  const asked: OpenQuestion[] = [];
  return {
    sent,
    asked,
    async send({ body, references }: BodyRequest, _intent, ready) {
      await ready?.(false);
      return await new Promise((resolve) => {
        const name = String(body["name"]);
        const success: Outcome = { type: "success", status: 200, answer: { agent_id: `id of ${name}` } };
        sent.push({ name, body, references, answer: (outcome = success) => resolve(outcome) });
      });
    },
    async ask({ method, path }, _intent, ready) {
      await ready?.(false);
      return await new Promise((resolve) => {
        const answer = (outcome: Outcome = { type: "success", status: 204, answer: null }) =>
          resolve(outcome);
        asked.push({ request: `${method} ${path}`, answer });
      });
    },
    address: () => undefined,
    renew: () => void renewals++,
    renewals: () => renewals,
    close: async () => undefined,
  };
}

/** A store whose syncs a test lets end, with the lines that were written and how many of them are durable. */
export function createHeldStore() {
  const lines: string[] = [];
  const locks: string[] = [];
  const syncs: ((failure?: Error) => void)[] = [];
  let durable = 0;
  let isHolding = false;
  const store: LockStore = {
    needsClaim: false,
    lockName: "lock",
    journalName: "journal",
    read: async () => ({ version: null, lock: null, journal: null, holder: null }),
    acquire: async () => undefined,
    confirm: async () => undefined,
    append: (line) => void lines.push(line),
    async flush() {
      await Promise.resolve();
      const covers = lines.length;
      if (!isHolding) {
        durable = covers;
        return;
      }
      if (durable >= covers) return;
      await new Promise<void>((resolve, reject) => {
        syncs.push((failure) => {
          if (failure) return reject(failure);
          durable = Math.max(durable, covers);
          resolve();
        });
      });
    },
    async replace(text) {
      locks.push(text);
      return "version";
    },
    release: async () => undefined,
    unlock: async () => false,
  };
  return {
    store,
    lines,
    /** The locks that were written. */
    locks,
    /** From now on every sync waits for the test. */
    hold: () => void (isHolding = true),
    /** Ends all syncs that wait, and lets new ones pass. */
    letGo(failure?: Error) {
      isHolding = failure !== undefined;
      for (const end of syncs.splice(0)) end(failure);
    },
  };
}

/** Starts an apply whose answers and syncs are the test's, one action at a time unless more is said. */
export function startHeldApply(
  actions: readonly Action[],
  more: Omit<Partial<ApplyInput>, "store"> & { readonly store?: Partial<LockStore> } = {},
) {
  const service = createHeldService();
  const held = createHeldStore();
  const events: ApplyEvent[] = [];
  const onEvent = (event: ApplyEvent) => void events.push(event);
  const store = { ...held.store, ...more.store };
  const applied = applyActions(actions, { service, onEvent, ...more, store });
  return { service, held, events, applied };
}

/** Types and addresses of events, such as `start agent:a`. */
export function told(events: readonly ApplyEvent[]): string[] {
  return events.map(({ type, address }) => `${type} ${address}`);
}

/** The types of a journal's lines. */
export function typesIn(lines: readonly string[]): string[] {
  return lines.map((line) => /"type":"([a-z-]+)"/.exec(line)?.[1] ?? "");
}
