import type { Action, GuardrailNote } from "../../generated/plan.js";
import type { Settings } from "../resources/manifest.js";
import type { Resource } from "../resources/resource.js";
import { ownersIn } from "../state/known-ids.js";
import { mentionsIn, withPresentNames } from "./mention.js";
import { readOperations, sortOperations } from "./operations.js";
import { memberTurns } from "./note-parts.js";
import { noteOf } from "./note-words.js";
import { ownSecretsOf } from "./own-secrets.js";
import { readSecretPlaces, type SecretsNearby } from "./secret-places.js";
import type { Occasion, Remark, Rule, Subject } from "./rule.js";
import { isOfRule, rankOf, rules } from "./rules.js";
import { compareText } from "../../json/compare-text.js";
import type { PlannedBodies } from "./judged-change.js";
import { canonical, equal, filterMembers, type JsonObject } from "../../json/json.js";
import { sentOnce } from "../state/entry-ids.js";
import { isOfKind, kindOfAddress } from "../kind/kinds.js";
import { lasting } from "../kind/body.js";
import type { Kind } from "../kind/kind.js";
import type { Lock, LockEntry } from "../state/lock.js";
import { lazy, once, oncePer } from "../../json/once.js";
import { Budget } from "../../json/budget.js";
import { measure } from "../../json/extent.js";
import { leadToChanges } from "./change-path.js";

/** Everything that notes are made from: a plan's actions, the workspace, and what was last applied. */
export interface GuardrailInput {
  readonly actions: readonly Pick<Action, "address" | "action" | "changes" | "causes">[];
  readonly fleet: {
    readonly resources: ReadonlyMap<
      string,
      Pick<Resource, "body" | "documents" | "lifecycle" | "references">
    >;
    readonly settings: Pick<Settings, "deployment"> & Partial<Pick<Settings, "service" | "lock">>;
  };
  /** What other workspaces had when it was last sent, and have. */
  readonly elsewhere?: PlannedBodies;
  /** Gives what else the job has the secrets of; asked only where something may hold one. */
  readonly nearby?: (() => readonly SecretsNearby[]) | undefined;
  /** The lock in which the moves of the plan have happened. */
  readonly lock: Pick<Lock, "resources">;
}

/** Gives the notes on the actions of a plan, compared with what was last applied, by rank, then by address. */
export function guardrailNotes(input: GuardrailInput): GuardrailNote[] {
  if (input.actions.length === 0) return [];
  const subjectOf = subjectsIn(input);
  return input.actions.flatMap((action) => notesOn(action, subjectOf, input)).toSorted(byRank);
}

/** What is sent for an object, and what the lock keeps of its `lifecycle`. */
type SentObject = Pick<LockEntry, "body" | "protect" | "on_removal" | "on_replaced">;

/** Gives the notes on an object of an address in the place of another one; what it refers to is the same for both. */
export function notesBetween(
  address: string,
  before: SentObject,
  after: SentObject,
  settings: GuardrailInput["fleet"]["settings"],
  bodyOf: PlannedBodies["after"] = () => undefined,
): GuardrailNote[] {
  const resources = new Map([
    [address, { body: after.body, documents: {}, lifecycle: after, references: [] }],
  ]);
  const lock = { resources: { [address]: { ...before, digest: "" } } };
  const action = "record" as const;
  return guardrailNotes({
    actions: [{ address, action, changes: [] }],
    fleet: { resources, settings },
    elsewhere: { before: bodyOf, after: bodyOf },
    lock,
  });
}

// An action that is unknown or blocked does nothing in this plan.
const occasions: Readonly<Record<Action["action"], Occasion | undefined>> = {
  create: "create",
  update: "change",
  replace: "change",
  adopt: "change",
  record: "change",
  forget: "forget",
  delete: "delete",
  changed: "change",
  gone: "forget",
  unknown: undefined,
  blocked: undefined,
};

/** Whether a plan does something with an action; one that is unknown or blocked waits. */
export function isDone(action: Action["action"]): boolean {
  return occasions[action] !== undefined;
}

const rulesFor = once((name) =>
  rules.filter(({ on, kinds }) =>
    kinds.some((kind) => [on].flat().some((occasion) => name === `${occasion} ${kind}`)),
  ),
);

function notesOn(
  { address, action, changes, causes = [] }: GuardrailInput["actions"][number],
  subjectOf: ReturnType<typeof subjectsIn>,
  { lock }: GuardrailInput,
): GuardrailNote[] {
  const occasion = occasions[action];
  if (occasion === undefined) return [];
  // An object that was never applied from here has nothing to be compared with.
  const on = occasion === "change" && !lock.resources[address] ? "create" : occasion;
  const own = rulesFor(`${on} ${kindOfAddress(address).name}`);
  if (own.length === 0) return [];
  const subject = { causes, action, isNew: on === "create", ...subjectOf(address, action) };
  const found: { readonly rule: Rule; readonly remark: Remark }[] = [];
  for (const rule of own) {
    if (rule.field !== undefined && !subject.changed.has(rule.field)) continue;
    for (const remark of rule.find(subject)) found.push({ rule, remark });
  }
  if (found.length === 0) return [];
  const pathTo = leadToChanges(changes);
  return found.map(({ rule: { code, effect }, remark }) => {
    const path = pathTo(remark);
    return noteOf(code, remark.parts, { address, effect, ...(path !== undefined && { path }) });
  });
}

/** Orders notes by the rank of their rules, then by address and message. */
export function byRank(a: GuardrailNote, b: GuardrailNote): number {
  return rankOf(a) - rankOf(b) || compareText(a.address, b.address) || compareText(a.message, b.message);
}

/** Gives the notes of a plan in the order that its digest covers, which stays when ranks change. */
export function notesForDigest(notes: readonly GuardrailNote[]): GuardrailNote[] {
  const others = notes.filter((note) => !isOfRule(note));
  return [...others, ...notes.filter(isOfRule).toSorted(byName)];
}

function byName(a: GuardrailNote, b: GuardrailNote): number {
  return (
    compareText(a.effect, b.effect) ||
    compareText(a.address, b.address) ||
    compareText(a.code, b.code) ||
    compareText(partsText(a), partsText(b))
  );
}

function partsText({ parts }: GuardrailNote): string {
  return canonical(parts as JsonObject);
}

/** Gives the bodies that are compared, by the addresses that their references have now, also those of other workspaces. */
export function bodiesIn({
  fleet: { resources },
  lock,
  elsewhere,
}: Omit<GuardrailInput, "actions">): PlannedBodies {
  const ownersOf = ownersIn(lock);
  return {
    before(address) {
      const entry = lock.resources[address];
      return entry ? withPresentNames(entry, { lock, ownersOf }).body : elsewhere?.before(address);
    },
    after: (address) => resources.get(address)?.body ?? elsewhere?.after(address),
  };
}

// In characters of the policies that are compared; of what is left then, any may allow more.
const mostCompared = 32 * 1024 * 1024;

function comparePolicies(bodyOf: PlannedBodies["after"], settings: GuardrailInput["fleet"]["settings"]) {
  const budget = new Budget(mostCompared);
  const sizeOf = oncePer((body: JsonObject) => measure(body).size);
  const isLaxer = once((both) => {
    const [body = {}, than = {}] = (JSON.parse(both) as string[]).map(bodyOf);
    if (!budget.spend(sizeOf(body) + sizeOf(than))) return true;
    if ([body, than].some((each) => Object.keys(each).length === 0)) return true;
    const notes = notesBetween("policy:", { body: than }, { body }, settings);
    return notes.some(({ effect }) => effect === "weakens");
  });
  return (policy: string, than: string) => policy !== than && isLaxer(JSON.stringify([policy, than]));
}

// The names of now are in the order of those from before, unless two have become one.
function formerNameIn(entry: LockEntry | undefined, present: LockEntry | undefined, reference: string) {
  const [was, is] = [entry, present].map((each) => Object.keys(each?.references ?? {}));
  const former = was?.length === is?.length ? was?.[is?.indexOf(reference) ?? -1] : undefined;
  return former === reference ? undefined : former;
}

function hasGuardedAgent({ fleet, lock }: GuardrailInput): boolean {
  const isGuarded = (address: string, references: readonly string[]): boolean =>
    isOfKind(address, "agent") && references.some((text) => isOfKind(text, "policy"));
  return (
    [...fleet.resources].some(([address, { references }]) =>
      isGuarded(
        address,
        references.map(({ text }) => text),
      ),
    ) ||
    Object.entries(lock.resources).some(([address, { references = {} }]) =>
      isGuarded(address, Object.keys(references)),
    )
  );
}

// A state has only the variables of what a create alone was sent.
function sameOnce(entry: LockEntry | undefined, whole: JsonObject, kind: Kind): JsonObject {
  const { sent_once = [] } = sentOnce(whole, kind);
  const isSame =
    sent_once.length > 0 && equal([...sent_once].toSorted(), (entry?.sent_once ?? []).toSorted());
  return isSame ? filterMembers(whole, (field) => kind.creationOnly.has(field)) : {};
}

function subjectsIn(input: GuardrailInput) {
  const { fleet, lock } = input;
  const { resources, settings } = fleet;
  const bodies = bodiesIn(input);
  const mayAllowMore = comparePolicies(bodies.after, settings);
  const ownersOf = ownersIn(lock);
  const [before, after] = [readOperations(bodies.before), readOperations(bodies.after)];
  const added = once((address) => {
    const had = before(address).all;
    return sortOperations(
      [...after(address).all].flatMap(([route, operation]) => (had.has(route) ? [] : [operation])),
    );
  });
  const nearby = input.nearby ?? (() => []);
  const isOwn = ownSecretsOf(settings);
  const secrets = {
    isOwnSecret: (variable: string) => isOwn(variable) || nearby().some((each) => each.isOwn(variable)),
    goesElsewhere: readSecretPlaces(lock, resources, nearby),
  };
  const isBegun = Object.keys(lock.resources).length > 0;
  const isPolicyInUse = lazy(() => hasGuardedAgent(input));
  return (address: string, action: string): Omit<Subject, "causes" | "action" | "isNew"> => {
    const entry = lock.resources[address];
    const { body: whole = {}, documents = {}, lifecycle = {} } = resources.get(address) ?? {};
    const kind = kindOfAddress(address);
    // What is sent at creation alone is no part of an update.
    const partOf = (all: JsonObject): JsonObject =>
      action !== "create" && action !== "replace" ? lasting(all, kind) : all;
    const body = partOf(whole);
    const present = entry && withPresentNames(entry, { lock, ownersOf });
    const applied = partOf({ ...sameOnce(entry, whole, kind), ...present?.body });
    const changed = new Set(memberTurns(applied, body).map(({ field }) => field));
    // Many rules ask for them. What is the same on both sides is read once, and nothing is kept after the notes:
    // for hundreds of thousands of resources, that would be hundreds of megabytes.
    const mentions = lazy(() => mentionsIn(body));
    const mentionsBefore = changed.size > 0 ? lazy(() => mentionsIn(applied)) : mentions;
    return {
      address,
      before: {
        body: changed.size > 0 ? applied : body,
        mentions: mentionsBefore,
        lifecycle: entry ?? {},
        operations: before,
      },
      after: { body, mentions, lifecycle, operations: after },
      changed,
      documents,
      formerName: (reference) => formerNameIn(entry, present, reference),
      added,
      ...secrets,
      isBegun,
      isPolicyInUse,
      mayAllowMore,
      deployment: settings.deployment,
    };
  };
}
