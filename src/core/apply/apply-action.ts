import { retiredAt } from "../state/known-ids.js";
import { shellWord } from "../finding/shell-word.js";
import { cause } from "../plan/cause.js";
import type { Action } from "../../generated/plan.js";
import { checkGone, checkUpdate, isChecked, verifySent } from "./check-update.js";
import { adoptedEntry } from "../plan/adoption.js";
import { idsOf } from "../kind/identity.js";
import type { BeginRecord } from "../../generated/journal.js";
import type { JsonObject } from "../../json/json.js";
import type { BodyRequest, Kind } from "../kind/kind.js";
import { kindOfAddressIn } from "../kind/deployment.js";
import { defined } from "../state/defined.js";
import { documentMarks, marksApart } from "../state/document-marks.js";
import type { LockEntry } from "../state/lock.js";
import { lookupIn, sentContent, sentOnce } from "../state/entry-ids.js";
import { referencesIn, type Reference } from "../expression/reference.js";
import { resolvedReferences, type Lookup } from "../expression/resolution.js";
import { identityOf } from "../plan/planning.js";
import { requestsOf } from "./requests.js";
import { failed, type Ending, type Running } from "./running.js";
import { sendAll } from "./sending.js";
import { resolveCommand } from "../state/state-choice.js";
import { candidatesText, unmappedHint } from "../plan/tool-ids.js";

/** Runs one action: what it waits for, journal, requests, journal. */
export async function runAction(action: Action, running: Running): Promise<Ending> {
  const { address, ids = [], gone } = action;
  if (action.action === "forget") {
    const used_by = running.usersOf(address);
    await running.record({ type: "forget", address, used_by, ...defined({ gone }) });
    return { type: "done", ids };
  }
  const kind = kindOfAddressIn(running.deployment, address);
  if (action.action === "record") return await recordEntry(action, kind, running);
  if (action.action === "adopt") return await adoptObject(action, kind, running);
  return await sendAction(action, kind, running);
}

async function recordEntry(action: Action, kind: Kind, running: Running): Promise<Ending> {
  const { address, body, ids, tools } = action;
  const entry = running.state.lock.resources[address];
  if (!entry) return failed(cause("not-in-lock", { address }));
  const lookup = lookupOf(action, running);
  const missing = unresolved(referencesIn(body ?? {}), lookup, running);
  if (missing) return missing;
  const { candidates, references, ...kept } = marksApart(entry).rest;
  const { uncertain: _uncertain, attempted: _attempted, ...certain } = kept;
  const rest = action.action === "update" ? certain : kept;
  const settled = candidates && ids ? { ids, ...(tools && { tools }) } : candidates && { candidates };
  const content = body ? sentContent(body, kind, lookup) : references && { references };
  const told = { ...rest, ...settled, ...content, ...marksOf(action) };
  await running.record({ type: "entry", address, entry: told });
  return { type: "done", ids: ids ?? idsOf(entry) };
}

// The ID is recorded before anything is sent, so that a failed update is sent again.
async function adoptObject(action: Action, kind: Kind, running: Running): Promise<Ending> {
  const { address, body = {}, requests = [] } = action;
  const lookup = lookupOf(action, running);
  const missing = unresolved(referencesIn(body), lookup, running);
  if (missing) return missing;
  const identity = identityOf(action);
  const { lock } = running.state;
  // A retired or uncertain ID may be adopted.
  const taken = running.ids.take(address, idsOf(identity)).filter((other) => {
    return (
      lock.unknown[other] === undefined &&
      !idsOf(identity).some((id) => retiredAt(lock, address, id)?.address === other)
    );
  });
  if (taken.length > 0) return failed(cause("id-taken", { addresses: [...taken] }));
  const entry = adoptedEntry({ kind, body, identity, ...marksOf(action) }, lookup);
  const replaced = (action.leaves ?? 0) > 0 && { replaces: true, used_by: running.usersOf(address) };
  await running.record({ type: "entry", address, entry, ...replaced });
  return requests.length > 0
    ? await sendAction(action, kind, running)
    : { type: "done", ids: idsOf(identity) };
}

async function sendAction(action: Action, kind: Kind, running: Running): Promise<Ending> {
  const { address, body = {} } = action;
  const lookup = lookupOf(action, running);
  const symbolic = requestsOf(action, running.state.lock, running.documents, running.deployment);
  // Of an uncertain object that has nothing to update, nothing is in doubt.
  if (symbolic.length === 0) return await recordEntry(action, kind, running);
  const named = referencesIn([body, ...symbolic.map((request) => request.body)]);
  const missing = unresolved(named, lookup, running);
  if (missing) return missing;

  const references = resolvedReferences(named, lookup);
  const requests = symbolic.map((request) => ({ ...request, ...(references && { references }) }));
  const entry = action.action === "update" ? running.state.lock.resources[address] : undefined;
  const isRead = entry && isChecked(entry, kind, running);
  const check =
    isRead && (async (ids = idsOf(entry)) => await checkUpdate(action, entry, body, kind, running, ids));
  const refused = check ? await check() : await checkGone(action, kind, running);
  if (refused) return refused;
  const begin = beginRecord(action, kind, body, requests, lookup, running);
  // Each tool of a set has a request of its own.
  const lookAgain = check
    ? async (sent: number) => await check(idsOf(entry).slice(sent, sent + 1))
    : undefined;
  const ending = await sendAll(begin, requests, kind, running, lookAgain);
  // Read at once, to tell what somebody adds later from what the service adds; no earlier read can.
  const isReadAgain = running.updateChecks.after || running.updateChecks.before;
  return ending.type === "done" && isReadAgain
    ? await verified(action, ending, entry, kind, running)
    : ending;
}

async function verified(
  { address }: Action,
  ending: Extract<Ending, { type: "done" }>,
  before: LockEntry | undefined,
  kind: Kind,
  running: Running,
): Promise<Ending> {
  const { updateChecks, deployment } = running;
  const entry = running.state.lock.resources[address];
  // Of an object whose ID nobody knows, nothing was read that could be remembered.
  if (!deployment[kind.name]?.read || !entry || idsOf(entry).length === 0) return ending;
  const { baseline, hint, isOther, isMixed, kept, tools } = await verifySent(entry, before, kind, running);
  // Another create was answered with its ID meanwhile: the doubt stays, whatever was read.
  if (running.isDoubted(address)) return ending;
  // What refers to one of its tools waits until somebody tells which is which.
  const { tools: _tools, ...unmapped } = entry;
  if (isMixed) await running.record({ type: "entry", address, entry: unmapped });
  if (baseline)
    await running.record({ type: "entry", address, entry: { ...entry, baseline, ...defined({ tools }) } });
  // Something new is told anyway, for the answer may be another's object; so is an update that did nothing.
  const isTold = updateChecks.after || isOther;
  const hints = [ending.hint, kept, isTold ? hint : undefined].filter((each) => each !== undefined);
  return { ...ending, ...(hints.length > 0 && { hint: hints.join("; ") }) };
}

function lookupOf(action: Action, { state, isDoubted }: Running): Lookup {
  const lookup = lookupIn(state.lock, action.used);
  return (reference) => (isDoubted(reference.address) ? undefined : lookup(reference));
}

function unresolved(
  references: readonly Reference[],
  lookup: Lookup,
  { isDoubted, state, choice, answers, deployment }: Running,
): Ending | undefined {
  const missing = references.filter((reference) => lookup(reference) === undefined);
  if (missing.length === 0) return undefined;
  const doubted = missing.find(({ address }) => isDoubted(address));
  if (doubted) return failed(cause("dependency-unknown", { address: doubted.address }));
  const unknown = (answered: boolean) =>
    cause("ids-unknown", { references: missing.map(({ text }) => text), answered });
  const [{ address, operation } = { address: "" }] = missing;
  const { candidates, ids } = state.lock.resources[address] ?? {};
  if (candidates) return failed(unknown(true), candidatesText(candidates));
  // The answer had IDs, and did not tell which is of which operation.
  if (operation !== undefined && ids) {
    const { documentOrder } = answers(kindOfAddressIn(deployment, address));
    const hint = unmappedHint(address, [operation], choice, documentOrder);
    return failed(cause("tool-unmapped", { address, operation }), hint);
  }
  const id = operation === undefined ? "ID" : shellWord(`${operation}=ID`);
  const hint = `look it up in the service, run \`${resolveCommand(address, choice)} --adopt ${id}\`, and apply again`;
  return failed(unknown(false), hint);
}

function marksOf(action: Action) {
  const { adopted, made_from } = action;
  return { ...documentMarks(action), ...defined({ adopted, made_from }) };
}

function beginRecord(
  action: Action,
  kind: Kind,
  body: JsonObject,
  requests: BodyRequest[],
  lookup: Lookup,
  { now, nextNumber, usersOf }: Running,
): BeginRecord {
  const [first = kind.create] = requests;
  const operation = operationOf(action);
  const once = operation === "update" ? {} : sentOnce(kind.creation(body), kind);
  return {
    type: "begin",
    n: nextNumber(),
    address: action.address,
    operation,
    time: now(),
    method: first.method,
    path: first.path,
    ...sentContent(body, kind, lookup),
    ...once,
    ...marksOf(action),
    ...(action.action === "replace" && {
      used_by: usersOf(action.address),
      ...defined({ gone: action.gone }),
    }),
  };
}

function operationOf({ action }: Action): BeginRecord["operation"] {
  if (action === "adopt") return "update";
  return action === "replace" || action === "update" ? action : "create";
}
