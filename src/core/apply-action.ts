import type { Action } from "../generated/plan.js";
import { lasting } from "./action.js";
import { idsOf } from "./identity.js";
import type { BeginRecord, JournalRecord, Trace } from "./journal.js";
import { isObject, type Hash, type Json, type JsonObject } from "./json.js";
import type { AnswerSettings, BodyRequest, Identity, Kind } from "./kind.js";
import { kindOfAddress } from "./kinds.js";
import { bodyDigest, type Lock } from "./lock.js";
import { idInEntry } from "./outlook.js";
import { referencesIn } from "./reference.js";
import { resolve, resolvedReferences, type Lookup } from "./resolution.js";
import type { Failure, Outcome, Service } from "./service.js";
import type { State } from "./state.js";

/** How one action ended. */
export type Ending =
  | { readonly type: "done"; readonly ids: readonly string[] }
  | (Failure & { readonly type: "failed" | "unknown"; readonly method?: string; readonly path?: string });

type FailedOutcome = Exclude<Outcome, { type: "success" }>;

/** What an action runs with. */
export interface Running {
  readonly state: State;
  readonly service: Service;
  readonly hash: Hash;
  /** The whole documents of which the plan's bodies hold outlines, by address and field. */
  readonly documents: Readonly<Record<string, JsonObject>>;
  readonly answers: (kind: Kind) => AnswerSettings;
  /** Makes a record durable and works it into the state. */
  readonly record: (record: JournalRecord) => Promise<void>;
  /** The time, in ISO 8601. */
  readonly now: () => string;
  readonly nextNumber: () => number;
  /** Who refers to an address in what was last applied. */
  readonly usersOf: (address: string) => string[];
}

/** Runs one action: journal, requests, journal. */
export async function runAction(action: Action, running: Running): Promise<Ending> {
  switch (action.action) {
    case "forget":
      await running.record({ type: "forget", address: action.address, used_by: running.usersOf(action.address) });
      return { type: "done", ids: action.ids ?? [] };
    case "record":
      return await recordEntry(action, running);
    default:
      return await sendAction(action, running);
  }
}

async function recordEntry(action: Action, { state, record }: Running): Promise<Ending> {
  const { address, from } = action;
  const entry = state.lock.resources[from ?? address];
  if (!entry) return { type: "failed", message: `${from ?? address} is not in the lock` };
  const { protect: _protect, ...rest } = entry;
  const marks = pick(action, ["protect", "adopted", "moved_from", "file"]);
  await record({ type: "entry", address, entry: { ...rest, ...marks }, ...(from !== undefined && { from }) });
  return { type: "done", ids: idsOf(entry) };
}

async function sendAction(action: Action, running: Running): Promise<Ending> {
  const { address, body } = action;
  const kind = kindOfAddress(address);
  if (!kind || !body) return { type: "failed", message: `${address} has nothing to send` };
  const lookup: Lookup = (reference) => {
    const entry = running.state.lock.resources[reference.address];
    return entry && idInEntry(entry, reference);
  };
  const missing = referencesIn(body).filter((reference) => lookup(reference) === undefined);
  if (missing.length > 0) return { type: "failed", message: withoutIds(missing.map(({ text }) => text)) };

  const requests = requestsOf(action, running.state.lock, running.documents).map((request) => {
    return { ...request, body: resolve(request.body, lookup) as JsonObject };
  });
  const begin = beginRecord(action, kind, body, requests, lookup, running);
  await running.record(begin);
  return await sendAll(begin, requests, kind, running);
}

function withoutIds(references: string[]): string {
  return `no ID is known for ${references.join(", ")}: the service's answer did not tell it`;
}

/** Gives the requests of an action, references and secrets still symbolic; none for what changes only the lock. */
export function requestsOf(
  { address, action, body, fields = [] }: Action,
  { resources }: Lock,
  documents: Readonly<Record<string, JsonObject>>,
): BodyRequest[] {
  const kind = kindOfAddress(address);
  if (!kind || !body) return [];
  if (action === "update") {
    const entry = resources[address];
    return entry ? kind.update(entry, fields, body) : [];
  }
  if (action !== "create" && action !== "replace") return [];
  const whole = documents[address] ?? {};
  const members = Object.entries(body).map(([field, value]) => [field, whole[field] ?? value] as const);
  return [{ ...kind.create, body: kind.creation(Object.fromEntries(members)) }];
}

function beginRecord(
  action: Action,
  kind: Kind,
  body: JsonObject,
  requests: BodyRequest[],
  lookup: Lookup,
  { hash, now, nextNumber, usersOf }: Running,
): BeginRecord {
  const kept = lasting(body, kind);
  const references = resolvedReferences(kept, lookup);
  const [first = kind.create] = requests;
  return {
    type: "begin",
    n: nextNumber(),
    address: action.address,
    operation: action.action === "replace" || action.action === "update" ? action.action : "create",
    time: now(),
    method: first.method,
    path: first.path,
    body: kept,
    digest: bodyDigest(kept, hash),
    ...(references && { references }),
    ...pick(action, ["file", "protect", "adopted", "moved_from"]),
    ...(action.action === "replace" && { used_by: usersOf(action.address) }),
  };
}

async function sendAll(
  begin: BeginRecord,
  requests: BodyRequest[],
  kind: Kind,
  running: Running,
): Promise<Ending> {
  const { n, operation, body, address } = begin;
  let identity: Identity = {};
  for (const [sent, request] of requests.entries()) {
    const outcome = await running.service.send(request, operation === "update" ? "update" : "create");
    if (outcome.type !== "success") return await closeFailed(n, sent, request, outcome, running);
    if (operation === "update") continue;
    const found = kind.identify(outcome.answer, body, running.answers(kind));
    if (!found) return await closeFailed(n, sent, request, withoutIdentity(outcome), running);
    identity = found;
  }
  const { id, ids, tools } = identity;
  await running.record({
    ...{ type: "done", n },
    ...(id !== undefined && { id }),
    ...(ids && { ids: [...ids] }),
    ...(tools && { tools: { ...tools } }),
  });
  return { type: "done", ids: idsOf(running.state.lock.resources[address] ?? identity) };
}

function withoutIdentity({ status, answer }: { status: number; answer: Json }): FailedOutcome {
  const fields = isObject(answer) ? `, only ${Object.keys(answer).slice(0, 10).join(", ") || "nothing"}` : "";
  return { type: "unknown", status, message: `the service answered ${status} without the ID${fields}` };
}

async function closeFailed(
  n: number,
  sent: number,
  { method, path }: BodyRequest,
  outcome: FailedOutcome,
  { record, now }: Running,
): Promise<Ending> {
  const { type, ...failure } = outcome;
  const { message, status, requestId, answer } = failure;
  const trace: Trace = {
    message,
    ...(status !== undefined && { status }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(answer !== undefined && { answer }),
  };
  if (type === "unknown") await record({ type, n, time: now(), method, path, ...trace });
  else await record({ type, n, ...trace, ...(sent > 0 && { sent }) });
  // Requests that went before have changed the object already.
  const ending = type === "unknown" || sent > 0 ? "unknown" : "failed";
  return { ...failure, type: ending, method, path };
}

function pick<T extends object, K extends keyof T>(source: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(
    keys.flatMap((key) => (source[key] === undefined ? [] : [[key, source[key]]])),
  ) as Pick<T, K>;
}

