import type { KindName } from "../../generated/kinds.js";
import type { Action } from "../../generated/plan.js";
import { allInCode, firstOf, inCode } from "../finding/quotation.js";
import { forEachText } from "../guardrails/note-phrases.js";
import { kinds } from "../kind/kinds.js";
import type { LeftObject } from "../observation/left-object.js";
import type { RetiredObject, UnknownCreate } from "../state/lock.js";
import { howUsed, type ObjectUser } from "../state/object-users.js";
import { pointersText } from "./tool-ids.js";

const notDeleted = "it is not deleted, although its `lifecycle.on_removal` was `delete`";

/** How whoever keeps an object from its delete is left with it, as a clause after others. */
export const forgetInstead =
  "; to leave it in the service as well, apply its document with `on_removal: forget`, and remove it again";

const whyRetired = {
  replaced: "it was left behind by a replacement",
  forgotten: "it was left behind when it was not managed any more",
  gone: "the service did not have it any more when it was read",
} as const;

const ofSeveral = (id: string | undefined): string => (id === undefined ? "" : `${id}: `);

const within = (where: string | undefined): string => (where === undefined ? "" : ` in ${where}`);

/** A reason of an action, as far as one is told from anything else: some have another reason as a part, so the type of the table below cannot be asked for. */
interface AnyCause {
  readonly code: string;
  readonly parts: object;
}

/** An address of another workspace, and the name by which this one uses that. */
type AddressThere = { address: string; use: string };

/** Whether an apply there gives an object another ID first, or makes it. */
type PendingId = "new" | "created";

type LedgerReason = Pick<RetiredObject, "reason" | "operation"> & { id?: string };

type UnknownOutcome = Pick<
  UnknownCreate,
  "operation" | "since" | "method" | "path" | "message" | "request_id"
> & { found?: string[] };

/** Every reason of an action by its code: the parts that it has, and its words from these, as a clause after "because". */
const reasons = {
  edited: ({ fields }: { fields: string[] }) =>
    `${allInCode(fields)} ${fields.length === 1 ? "was" : "were"} edited`,
  /** A resource that is referred to gets a new ID, or new ones. */
  "new-id": ({ address, many }: { address: string; many: boolean }) =>
    `${address} ${fateText("new-id", many)}`,
  "other-id": ({ address, many }: { address: string; many: boolean }) =>
    `${address} ${fateText("other-id", many)}`,
  /** What another workspace has at an address has a new ID, or new ones; or an apply there gives it one first. */
  "new-id-there": ({ address, use, many, pending }: AddressThere & { many: boolean; pending?: PendingId }) =>
    `${address} of ${use} ${fateText("new-id-there", many, pending)}`,
  /** What another workspace has at an address was to get a new ID, and still has the old one. */
  "old-id-there": ({ address, use }: AddressThere) =>
    `${address} of ${use} was to get a new ID, and still has the old one`,
  /** Another workspace has no ID for an address, or for an operation of it. */
  "not-applied-there": ({ address, use, operation }: AddressThere & { operation?: string }) =>
    operation === undefined
      ? `${address} of ${use} is not applied there yet`
      : `which tool of ${address} of ${use} is ${inCode(operation)} is not known there`,
  /** Unless it says otherwise, the object keeps its ID. */
  moved: ({ from, isKept = true }: { from: string; isKept?: boolean }) =>
    `it moves from ${from}${isKept ? " and keeps its ID" : ""}`,
  "rest-left-out": () => "the rest of its changes is left out of this plan",
  "replace-asked": () => "asked for by --replace",
  /** The fields with secrets among those that are sent again. */
  "resend-asked": ({ fields }: { fields: string[] }) =>
    fields.length > 0 ? `resent on request: ${fields.join(", ")}` : "resent on request",
  "update-uncertain": () => "whether the last update arrived is not known, so it is sent again",
  /** An adopted object was never sent what its document says. */
  "never-sent": ({ id }: { id?: string }) => {
    const named = id === undefined ? "it was adopted" : `it was adopted with the ID ${id}`;
    return `${named}, and is sent what its document says for the first time`;
  },
  /** The service can update no field of the kind, or not these. */
  "cannot-update": ({ kind, fields, any }: { kind: KindName; fields: string[]; any: boolean }) => {
    const [noun] = kinds[kind].noun;
    if (any) return `the service cannot update a ${noun} (${allInCode(fields)})`;
    return `the service cannot change ${allInCode(fields)} of a ${noun}`;
  },
  "changed-in-service": () => "it was changed in the service since it was last sent",
  /** Somebody changed these fields in the service. */
  "no-update-undoes": ({ address, fields }: { address: string; fields: string[] }) =>
    `no update can undo what was changed in the service (${allInCode(fields)}): \`--replace ${address}\` creates it again`,
  "object-gone": () => "it is not in the service any more",
  "tools-gone": ({ tools, of }: { tools: string[]; of: number }) =>
    `${listed(tools)} of its ${of} tools ${tools.length === 1 ? "is" : "are"} not in the service any more`,
  "outcome-unknown": ({ operation, since, method, path, message, request_id, found }: UnknownOutcome) => {
    const what = operation === "replace" ? "replacement" : "create";
    const details = [`${method} ${path}`, message, request_id && `request ID ${request_id}`].filter(Boolean);
    const part = found ? `; found so far: ${found.join(", ")}` : "";
    return `the ${what} of ${since} has an unknown outcome (${details.join(", ")})${part}`;
  },
  "document-gone": () => "the workspace has no document for it any more",
  "environment-left": ({ environment }: { environment: string | null }) =>
    environment === null
      ? "its `lifecycle.environments` leaves the default environment out"
      : `its \`lifecycle.environments\` does not list ${environment}`,
  /** A key of `for_each`, and the file with the keys: the document's own, or one that it includes. */
  "key-gone": ({ key, keys, included = false }: { key: string; keys: string; included?: boolean }) =>
    `its key \`${key}\` is gone from ${forEachText(keys, included)}`,
  "key-renamed": ({ key, file }: { key: string; file: string }) =>
    `its document in ${file} gives the key \`${key}\` another name`,
  "delete-asked": () => "its `lifecycle.on_removal` was `delete`",
  "delete-undeclared": ({ kind }: { kind: string }) =>
    `${notDeleted}: \`service.operations.${kind}.delete\` is not set`,
  "delete-without-id": () => `${notDeleted}: it has no ID that is known`,
  "delete-never-sent": () =>
    `${notDeleted}: it was adopted, and never sent whole since; a prune that names its ID deletes it`,
  "still-used": ({ use }: { use: AnyCause }) => {
    const { user } = use.parts as { user?: ObjectUser };
    const stays = user?.retired !== undefined;
    return `it cannot be deleted: ${causeText(use)}${stays ? forgetInstead : ""}`;
  },
  /** Why an object is in the ledger; its ID where an action deletes several. */
  "left-behind": ({ id, reason, operation }: LedgerReason) => {
    const tool = operation === undefined ? "" : `, the tool of ${operation}`;
    return `${ofSeveral(id)}${whyRetired[reason]}${tool}`;
  },
  "delete-uncertain": ({ id, sent }: { id?: string; sent: string }) =>
    `${ofSeveral(id)}a delete of ${sent} had an unknown outcome`,
  "adopt-asked": () => "`lifecycle.adopt` names an object that exists",
  /** Fields that cannot be updated, all of them where none is named; and whether the deployment can show them. */
  "assumed-equal": ({ fields, shown = false }: { fields: string[]; shown?: boolean }) => {
    const whole = fields.length === 0;
    const why = shown ? "cannot be updated" : "can be neither read nor updated";
    const looked = shown ? `, and \`agentform drift\` compares ${whole ? "it" : "them"} after that` : "";
    return whole
      ? `it is assumed to equal the document: it ${why}${looked}`
      : `${allInCode(fields)} are assumed to be as in the document: they ${why}${looked}`;
  },
  "updated-to-match": ({ rest }: { rest: boolean }) =>
    `${rest ? "the rest" : "it"} is updated to match the document`,
  /** Whether nothing was sent to what it takes the place of, so that it is no new object of this address either. */
  "takes-place": ({ ids }: { ids: string[]; unsent?: true }) =>
    `it takes the place of the object with the ID ${ids.join(", ")}`,
  "adopted-already": () => "`adopt` names the object that it has already",
  "tool-ids-told": () => "`id_pointers` says which member is the ID of its tools",
  /** The members of an answer that can be the IDs of tools; of a resource that is waited for, or of its own. */
  "tool-ids-unsettled": ({ pointers, address }: { pointers: string[]; address?: string }) =>
    address === undefined ? pointersText(pointers) : `${address} waits: ${pointersText(pointers)}`,
  "left-out": ({ address }: { address: string }) => `${address} is left out of this plan`,
  "dependency-unknown": ({ address }: { address: string }) => `${address} has an unknown outcome`,
  "dependency-blocked": ({ address }: { address: string }) => `${address} is blocked`,
  "id-unknown": ({ address }: { address: string }) =>
    `${address} has no ID that is known: the service answered none. Give it in \`lifecycle.adopt\``,
  "tool-unmapped": ({ address, operation }: { address: string; operation: string }) =>
    `which tool of ${address} is ${inCode(operation)} is not known`,
  "differs-in-part": ({ field, tools, of }: { field: string; tools: string[]; of: number }) =>
    `${inCode(field)} differs in ${listed(tools)}, of ${of} tools`,
  /** What somebody added in the service; `anew` where no update can be sent that takes it away. */
  "only-in-service": ({ address, anew }: { address: string; anew: boolean }) =>
    `what only the service has is shown until the document says it or is ${
      anew
        ? `created again: \`--replace ${address}\``
        : `sent again: \`--resend ${address} --overwrite ${address}\``
    }`,
  "sent-uncertain": () =>
    "it is not certain what was last sent, so an apply may have made this difference; the next one sends it again",
  "adopted-never-sent": () => "it was adopted, and was never sent what its document says",
  "other-environment-alone": () => "it is in the other environment alone",
  /** Why an apply did not start an action, or did not delete an object. */
  "dependency-failed": ({ address }: { address: string }) => `${address} failed`,
  "dependency-skipped": ({ address }: { address: string }) => `${address} was skipped`,
  "user-not-deleted": ({ address }: { address: string }) =>
    `${address}, which may refer to it, was not deleted`,
  "not-in-ledger": ({ id }: { id: string }) => `${id} is not among what is left behind any more`,
  "there-again": ({ id }: { id: string }) =>
    `the service has ${id}, which was not found before, so nothing was created`,
  used: ({ user }: { user: ObjectUser }) => howUsed(user),
  "used-in-service": ({ name }: { name: string }) => `${name} refers to it in the service`,
  "adopted-by-document": ({ address, where }: { address: string; where?: string }) =>
    `\`lifecycle.adopt\` of ${address}${within(where)} names it`,
  "named-by-document": ({ address, where }: { address: string; where?: string }) =>
    `the document of ${address}${within(where)} contains its ID`,
  /** In the lock of another environment, or of a branch. */
  "used-elsewhere": ({ user, where }: { user: ObjectUser; where: string }) => `${howUsed(user)} in ${where}`,
  /** What may use it could not be read, for each of these reasons. */
  "users-unread": ({ reasons }: { reasons: string[] }) => `what uses it is not known: ${reasons.join("; ")}`,
  /** Why an apply could not run an action. */
  "not-in-lock": ({ address }: { address: string }) => `${address} is not in the lock`,
  "id-taken": ({ addresses }: { addresses: string[] }) => `the ID already belongs to ${addresses.join(", ")}`,
  /** References whose IDs are not known, as their texts; or no ID was answered for them. */
  "ids-unknown": ({ references, answered }: { references: string[]; answered: boolean }) => {
    const why = answered ? "" : ": the service's answer did not contain it";
    return `the ID of ${references.join(", ")} is not known${why}`;
  },
  /** The object is gone, or could not be read for a reason. */
  "not-seen": ({ reason }: { reason?: string }) => `nothing was sent: ${unseenText(reason)}`,
  "changed-meanwhile": ({ fields }: { fields: string[] }) =>
    `somebody changed ${allInCode(fields)} in the service since the last apply, so nothing was sent`,
  /** What was left behind has something else in these fields now, so it may be another object. */
  "not-as-left": ({ fields }: { fields: string[] }) =>
    `the service shows something else in ${allInCode(fields)} than what was left behind; to delete it all the same, do so in the service`,
  interrupted: () => "the apply was interrupted",
  "state-unsaved": () => "the state could not be saved",
  "event-unreported": () => "an event could not be reported",
  /** A failure that every further request would meet. */
  "shared-failure": ({ reason }: { reason: string }) => reason,
  /** How many creates in a row had an unknown outcome, and how many are left. */
  "creates-wait": ({ unknown, left }: { unknown: number; left: number }) => {
    const waiting = left === 1 ? "the remaining create waits" : `the remaining ${left} creates wait`;
    return `${unknown} creates in a row had an unknown outcome; ${waiting} for the next apply`;
  },
} satisfies Record<string, (parts: never) => string>;

/** The code of a reason. */
export type CauseCode = keyof typeof reasons;

/** What a reason of an action is about, by its code. */
type PartsOfCauses = {
  [Key in CauseCode]: Parameters<(typeof reasons)[Key]> extends [infer Only] ? Only : Record<never, never>;
};

/** A reason of an action, as data. */
export interface Cause<Key extends CauseCode = CauseCode> {
  readonly code: Key;
  readonly parts: PartsOfCauses[Key];
}

/** Makes a reason of an action. */
export function cause<Key extends CauseCode>(code: Key, parts: PartsOfCauses[Key]): Cause {
  return { code, parts } as Cause;
}

/** Says why an object was not seen: it is gone, or could not be read for a reason. */
export function unseenText(reason: string | undefined): string {
  return reason === undefined
    ? "the object no longer exists in the service"
    : `it could not be read: ${reason}`;
}

/** Says why an object is not what was left behind, as far as that was seen. */
export function unlikeText(seen: LeftObject): string | undefined {
  if (seen.state === "other") return causeText(cause("not-as-left", { fields: [...seen.fields] }));
  return seen.state === "unreadable" ? causeText(cause("not-seen", { reason: seen.why })) : undefined;
}

/** Gives the words of a reason; throws for a code that is none, as a file may have it. */
export function causeText({ code, parts }: AnyCause): string {
  if (!Object.hasOwn(reasons, code)) throw new TypeError(`no reason has the code ${code}`);
  return reasons[code as CauseCode](parts as never);
}

/** Gives the reasons of an action as data and in words, or nothing where there are none. */
export function because(causes: readonly Cause[]): Pick<Action, "causes" | "reasons"> {
  return {
    reasons: causes.map((each) => causeText(each)),
    ...(causes.length > 0 && { causes: causes.map(({ code, parts }) => ({ code, parts: { ...parts } })) }),
  };
}

/** Says what happens to what a reference stands for. */
export function fateText(
  code: "new-id" | "other-id" | "new-id-there",
  many: boolean,
  pending?: PendingId,
): string {
  if (pending === "created") return "is created there";
  if (code === "new-id-there" && pending === undefined) return many ? "has new IDs" : "has a new ID";
  if (code !== "other-id") return many ? "gets new IDs" : "gets a new ID";
  return many ? "has other IDs than were sent" : "has another ID than was sent";
}

/** Names the first five of some names, and says how many more there are. */
export function listed(names: readonly string[]): string {
  return firstOf(names, 5);
}
