import { Beginning } from "./beginning.js";
import { isUntold } from "../state/attempts.js";
import { adoptionForm, candidatesText } from "../plan/tool-ids.js";
import { identityMembers, idsOf } from "../kind/identity.js";
import type { BeginRecord } from "../../generated/journal.js";
import { depthLimit, isObject, isShallow, type Json } from "../../json/json.js";
import type { BodyRequest, Identity, Kind } from "../kind/kind.js";
import { excerpt } from "../finding/invisible.js";
import { kindOfAddress } from "../kind/kinds.js";
import { traceOf, type Ending, type Running, type Stopped } from "./running.js";
import { observedBody } from "../observation/observed-body.js";
import type { Look, Outcome } from "../observation/service.js";
import { defined } from "../state/defined.js";
import { doubtText } from "../state/unknown-create.js";
import { wrongOutcome, lookAtAnswered, type AnswerLook } from "./answered-object.js";
import { resolveCommand, type StateChoice } from "../state/state-choice.js";

interface FailedRequest {
  readonly request: BodyRequest;
  readonly outcome: Exclude<Outcome, { type: "success" }>;
  /** How many requests were answered before it. */
  readonly sent: number;
  /** Whether it was answered, and no ID was found in the answer. */
  readonly isWithoutId?: boolean;
  /** What a look found that has kept it from being sent, or sent again. */
  readonly stopped?: Stopped | undefined;
}

/** Sends the requests of an action, the first once its beginning is durable, and records their outcome. */
export async function sendAll(
  begin: BeginRecord,
  requests: BodyRequest[],
  kind: Kind,
  running: Running,
  lookAgain?: (sent: number) => Promise<Stopped | undefined>,
): Promise<Ending> {
  const { n, operation, body, address } = begin;
  const beginning = new Beginning(begin, running);
  const { ready } = beginning;
  let identity: Identity = {};
  let answered: AnswerLook = {};
  let next = 0;
  let stopped: Stopped | undefined;
  const look: Look | undefined = lookAgain && { again: async () => (stopped = await lookAgain(next)) };
  for (const [sent, request] of requests.entries()) {
    next = sent;
    const intent = operation === "update" ? "update" : "create";
    const outcome = await running.service.send(request, intent, ready, look);
    if (outcome.type !== "success")
      return await closeFailed(beginning, { request, outcome, sent, stopped }, running);
    if (operation === "update") continue;
    const found = kind.identify(outcome.answer, body, running.answers(kind));
    if (!found)
      return await closeFailed(beginning, { request, sent, ...withoutIdentity(outcome, kind) }, running);
    const others = running.ids.takeAnswered(address, idsOf(found));
    if (others.length > 0) return await closeShared(begin, request, found, others, running);
    const told = lookAtAnswered(begin, found, outcome, kind, running);
    answered = told instanceof Promise ? await told : told;
    if (answered.other) running.service.renew();
    const wrong = wrongOutcome(answered, outcome.status);
    if (wrong) return await closeFailed(beginning, { request, outcome: wrong, sent }, running);
    identity = found;
  }
  const { candidates } = identity;
  // Before anything that may depend on it: if the journal fails, it must fail while everything can be sent again.
  const recorded = beginning.close({
    type: "done",
    n,
    ...identityMembers(identity),
    ...(candidates && { candidates: candidates.map((each) => ({ ...each })) }),
  });
  const ending: Ending = {
    type: "done",
    ids: idsOf(operation === "update" ? (running.state.lock.resources[address] ?? {}) : identity),
    ...defined({
      hint: candidates ? candidatesText(candidates) : (answered.hint ?? otherCount(identity, begin, kind)),
    }),
  };
  running.answered(address, ending);
  await recorded;
  return ending;
}

// One record for all, so that an apply that ends here trusts none of them.
async function closeShared(
  begin: BeginRecord,
  { method, path }: BodyRequest,
  identity: Identity,
  others: string[],
  { record, answered, doubt, now, service, choice }: Running,
): Promise<Ending> {
  const { address } = begin;
  // If there was one answer too many, each later answer on that connection belongs to an earlier request.
  service.renew();
  const names = idsOf(identity);
  const known = names.length > 3 ? `${names.length} IDs` : names.join(", ");
  const message = `the service answered ${known}, already used by ${others.join(", ")}`;
  const recorded = record({
    type: "unknown",
    n: begin.n,
    time: now(),
    method,
    path,
    message,
    ids: [...names],
    ...(identity.tools && { tools: { ...identity.tools } }),
    doubts: others,
  });
  const hint = hintFor(begin, "unknown", {}, choice);
  const ending: Ending = { type: "unknown", message, method, path, ...(hint !== undefined && { hint }) };
  for (const other of others) doubt(other, doubtText(address));
  answered(address, ending);
  await recorded;
  return ending;
}

function withoutIdentity(
  { status, answer, withheld }: Extract<Outcome, { type: "success" }>,
  kind: Kind,
): Pick<FailedRequest, "outcome" | "isWithoutId"> {
  const outcome = { type: "unknown", status, ...defined({ answer: answerText(answer, kind) }) } as const;
  if (kind.operations && repeatsId(answer)) {
    const message = `the service answered ${status} with the same ID for several tools`;
    return { outcome: { ...outcome, message } };
  }
  // Only plain words are listed as names to look for.
  const names = isObject(answer) ? Object.keys(answer).filter((name) => /^[\w.-]{1,40}$/.test(name)) : [];
  const fields = isObject(answer) ? `, but with ${names.slice(0, 10).join(", ") || "nothing"}` : "";
  const taken = withheld ? "; parts that contained a secret were not read" : "";
  const message = `the service answered ${status} without the ID${fields}${taken}`;
  return { outcome: { ...outcome, message }, isWithoutId: true };
}

const answerLength = 500;

// The ID may be in it all the same, in a place that nobody has named, and nothing else may ever tell it.
function answerText(answer: Json, kind: Kind): string | undefined {
  const isTold = typeof answer !== "object" || Object.keys(answer ?? {}).length > 0;
  if (!isTold || !isShallow(answer, depthLimit)) return undefined;
  const shown = isObject(answer) ? observedBody(answer, kind, {}) : observedBody({ answer }, kind, {}).answer;
  const told = JSON.stringify(shown, (_key, value: Json) =>
    isRounded(value) ? "(a number beyond 2^53)" : value,
  );
  return excerpt(told, answerLength);
}

// What is left of its digits would be the ID of another object.
function isRounded(value: Json): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

// An agent that has the whole set gets what was answered, and not what was shown.
function otherCount({ ids }: Identity, { body }: BeginRecord, kind: Kind): string | undefined {
  const count = kind.operations?.(body).length;
  if (!ids || count === undefined || ids.length === count) return undefined;
  return `the service answered a different number of tools (${ids.length}) than the document has operations (${count}): look which tools these are`;
}

function repeatsId(answer: Json): boolean {
  const lists = isObject(answer) ? Object.values(answer).filter(Array.isArray) : [];
  return lists.some((list: readonly Json[]) => {
    const ids = list
      .map((each) => (isObject(each) ? each.name : each))
      .filter((id) => typeof id === "string");
    return new Set(ids).size < ids.length;
  });
}

async function closeFailed(
  beginning: Beginning<BeginRecord>,
  failed: FailedRequest,
  { answered, now, choice, state }: Running,
): Promise<Ending> {
  const { begin } = beginning;
  const { n } = begin;
  const { request, outcome, sent } = failed;
  const entry = state.lock.resources[begin.address];
  const { method, path } = request;
  const { type, common, ...failure } = outcome;
  const trace = traceOf(failure);
  const recorded = beginning.close(
    type === "unknown"
      ? { type, n, time: now(), method, path, ...trace }
      : { type, n, ...trace, ...(sent > 0 && { sent }) },
  );
  // Earlier requests have changed the object already.
  const became = type === "unknown" || sent > 0 ? "unknown" : "failed";
  const { stopped } = failed;
  const told = entry && isUntold(entry) && isGone(begin, failed) ? wrongId(begin.address) : undefined;
  const hints = [outcome.hint, told ?? hintFor(begin, became, failed, choice)].filter(
    (hint) => hint !== undefined,
  );
  const hint = hints.length > 0 && { hint: hints.join("; ") };
  const ending: Ending =
    stopped && became === "failed" ? stopped : { ...failure, type: became, method, path, ...hint };
  answered(begin.address, ending, common);
  await recorded;
  return ending;
}

function isGone({ operation }: BeginRecord, { outcome }: Partial<FailedRequest>): boolean {
  return operation === "update" && outcome?.status === 404;
}

// Nothing was ever sent to this object, so a person may have told another ID than they meant.
function wrongId(address: string): string {
  return `the service has no object with the ID that was adopted; correct it as \`lifecycle.adopt\` in the document, or create a new object with \`--replace ${address}\``;
}

function hintFor(
  begin: BeginRecord,
  ending: "failed" | "unknown",
  failed: Partial<FailedRequest>,
  choice: StateChoice,
): string | undefined {
  const { address, operation, body } = begin;
  if (isGone(begin, failed)) {
    return `the object no longer exists in the service; create a new one with \`--replace ${address}\``;
  }
  if (operation === "update" && ending === "unknown")
    return failed.stopped ? undefined : "the next apply sends it again";
  if (ending !== "unknown") return undefined;
  const resolve = resolveCommand(address, choice);
  const kind = kindOfAddress(address);
  const pointer = failed.isWithoutId
    ? `; if the answer has the ID in a different place, set \`service.id_pointers: {${kind.name}: /…}\` in agentform.yaml`
    : "";
  return `look for it in the service, then run \`${resolve} --adopt ${adoptionForm(kind, body)}\` if it is there, or \`${resolve} --not-created\`${pointer}`;
}
