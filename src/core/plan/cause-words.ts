import { allInCode, firstOf, inCode } from "../finding/quotation.js";
import type { Action } from "../../generated/plan.js";
import { forEachText } from "../guardrails/note-phrases.js";
import { kinds } from "../kind/kinds.js";
import type { LeftObject } from "../observation/left-object.js";
import { howUsed } from "../state/object-users.js";
import { cause, type Cause, type CauseCode, type PartsOfCauses } from "./cause.js";
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

/** The words of every reason, as a clause after "because". */
const within = (where: string | undefined): string => (where === undefined ? "" : ` in ${where}`);

const words: { readonly [Key in CauseCode]: (parts: PartsOfCauses[Key]) => string } = {
  edited: ({ fields }) => `${allInCode(fields)} ${fields.length === 1 ? "was" : "were"} edited`,
  "new-id": ({ address, many }) => `${address} ${fateText("new-id", many)}`,
  "other-id": ({ address, many }) => `${address} ${fateText("other-id", many)}`,
  "new-id-there": ({ address, use, many, pending }) =>
    `${address} of ${use} ${fateText("new-id-there", many, pending)}`,
  "old-id-there": ({ address, use }) => `${address} of ${use} was to get a new ID, and still has the old one`,
  "not-applied-there": ({ address, use, operation }) =>
    operation === undefined
      ? `${address} of ${use} is not applied there yet`
      : `which tool of ${address} of ${use} is ${inCode(operation)} is not known there`,
  moved: ({ from, isKept = true }) => `it moves from ${from}${isKept ? " and keeps its ID" : ""}`,
  "rest-left-out": () => "the rest of its changes is left out of this plan",
  "replace-asked": () => "asked for by --replace",
  "resend-asked": ({ fields }) =>
    fields.length > 0 ? `resent on request: ${fields.join(", ")}` : "resent on request",
  "update-uncertain": () => "whether the last update arrived is not known, so it is sent again",
  "never-sent": ({ id }) => {
    const named = id === undefined ? "it was adopted" : `it was adopted with the ID ${id}`;
    return `${named}, and is sent what its document says for the first time`;
  },
  "cannot-update": ({ kind, fields, any }) => {
    const [noun] = kinds[kind].noun;
    if (any) return `the service cannot update a ${noun} (${allInCode(fields)})`;
    return `the service cannot change ${allInCode(fields)} of a ${noun}`;
  },
  "changed-in-service": () => "it was changed in the service since it was last sent",
  "no-update-undoes": ({ address, fields }) =>
    `no update can undo what was changed in the service (${allInCode(fields)}): \`--replace ${address}\` creates it again`,
  "object-gone": () => "it is not in the service any more",
  "tools-gone": ({ tools, of }) =>
    `${listed(tools)} of its ${of} tools ${tools.length === 1 ? "is" : "are"} not in the service any more`,
  "outcome-unknown": ({ operation, since, method, path, message, request_id, found }) => {
    const what = operation === "replace" ? "replacement" : "create";
    const details = [`${method} ${path}`, message, request_id && `request ID ${request_id}`].filter(Boolean);
    const part = found ? `; found so far: ${found.join(", ")}` : "";
    return `the ${what} of ${since} has an unknown outcome (${details.join(", ")})${part}`;
  },
  "document-gone": () => "the workspace has no document for it any more",
  "environment-left": ({ environment }) =>
    environment === null
      ? "its `lifecycle.environments` leaves the default environment out"
      : `its \`lifecycle.environments\` does not list ${environment}`,
  "key-gone": ({ key, keys, included = false }) =>
    `its key \`${key}\` is gone from ${forEachText(keys, included)}`,
  "key-renamed": ({ key, file }) => `its document in ${file} gives the key \`${key}\` another name`,
  "delete-asked": () => "its `lifecycle.on_removal` was `delete`",
  "delete-undeclared": ({ kind }) => `${notDeleted}: \`service.operations.${kind}.delete\` is not set`,
  "delete-without-id": () => `${notDeleted}: it has no ID that is known`,
  "delete-never-sent": () =>
    `${notDeleted}: it was adopted, and never sent whole since; a prune that names its ID deletes it`,
  "still-used": ({ use }) => {
    const { parts } = use;
    const stays = "user" in parts && parts.user.retired !== undefined;
    return `it cannot be deleted: ${causeText(use)}${stays ? forgetInstead : ""}`;
  },
  "left-behind": ({ id, reason, operation }) => {
    const tool = operation === undefined ? "" : `, the tool of ${operation}`;
    return `${ofSeveral(id)}${whyRetired[reason]}${tool}`;
  },
  "delete-uncertain": ({ id, sent }) => `${ofSeveral(id)}a delete of ${sent} had an unknown outcome`,
  "adopt-asked": () => "`lifecycle.adopt` names an object that exists",
  "assumed-equal": ({ fields, shown = false }) => {
    const whole = fields.length === 0;
    const why = shown ? "cannot be updated" : "can be neither read nor updated";
    const looked = shown ? `, and \`agentform drift\` compares ${whole ? "it" : "them"} after that` : "";
    return whole
      ? `it is assumed to equal the document: it ${why}${looked}`
      : `${allInCode(fields)} are assumed to be as in the document: they ${why}${looked}`;
  },
  "updated-to-match": ({ rest }) => `${rest ? "the rest" : "it"} is updated to match the document`,
  "takes-place": ({ ids }) => `it takes the place of the object with the ID ${ids.join(", ")}`,
  "adopted-already": () => "`adopt` names the object that it has already",
  "tool-ids-told": () => "`id_pointers` says which member is the ID of its tools",
  "tool-ids-unsettled": ({ pointers, address }) =>
    address === undefined ? pointersText(pointers) : `${address} waits: ${pointersText(pointers)}`,
  "left-out": ({ address }) => `${address} is left out of this plan`,
  "dependency-unknown": ({ address }) => `${address} has an unknown outcome`,
  "dependency-blocked": ({ address }) => `${address} is blocked`,
  "id-unknown": ({ address }) =>
    `${address} has no ID that is known: the service answered none. Give it in \`lifecycle.adopt\``,
  "tool-unmapped": ({ address, operation }) =>
    `which tool of ${address} is ${inCode(operation)} is not known`,
  "differs-in-part": ({ field, tools, of }) => `${inCode(field)} differs in ${listed(tools)}, of ${of} tools`,
  "only-in-service": ({ address, anew }) =>
    `what only the service has is shown until the document says it or is ${
      anew
        ? `created again: \`--replace ${address}\``
        : `sent again: \`--resend ${address} --overwrite ${address}\``
    }`,
  "sent-uncertain": () =>
    "it is not certain what was last sent, so an apply may have made this difference; the next one sends it again",
  "adopted-never-sent": () => "it was adopted, and was never sent what its document says",
  "other-environment-alone": () => "it is in the other environment alone",
  "dependency-failed": ({ address }) => `${address} failed`,
  "dependency-skipped": ({ address }) => `${address} was skipped`,
  "user-not-deleted": ({ address }) => `${address}, which may refer to it, was not deleted`,
  "not-in-ledger": ({ id }) => `${id} is not among what is left behind any more`,
  "there-again": ({ id }) => `the service has ${id}, which was not found before, so nothing was created`,
  used: ({ user }) => howUsed(user),
  "used-in-service": ({ name }) => `${name} refers to it in the service`,
  "adopted-by-document": ({ address, where }) => `\`lifecycle.adopt\` of ${address}${within(where)} names it`,
  "named-by-document": ({ address, where }) => `the document of ${address}${within(where)} contains its ID`,
  "used-elsewhere": ({ user, where }) => `${howUsed(user)} in ${where}`,
  "users-unread": ({ reasons }) => `what uses it is not known: ${reasons.join("; ")}`,
  "not-in-lock": ({ address }) => `${address} is not in the lock`,
  "id-taken": ({ addresses }) => `the ID already belongs to ${addresses.join(", ")}`,
  "ids-unknown": ({ references, answered }) => {
    const why = answered ? "" : ": the service's answer did not contain it";
    return `the ID of ${references.join(", ")} is not known${why}`;
  },
  "not-seen": ({ reason }) => `nothing was sent: ${unseenText(reason)}`,
  "changed-meanwhile": ({ fields }) =>
    `somebody changed ${allInCode(fields)} in the service since the last apply, so nothing was sent`,
  "not-as-left": ({ fields }) =>
    `the service shows something else in ${allInCode(fields)} than what was left behind; to delete it all the same, do so in the service`,
  interrupted: () => "the apply was interrupted",
  "state-unsaved": () => "the state could not be saved",
  "event-unreported": () => "an event could not be reported",
  "shared-failure": ({ reason }) => reason,
  "creates-wait": ({ unknown, left }) => {
    const waiting = left === 1 ? "the remaining create waits" : `the remaining ${left} creates wait`;
    return `${unknown} creates in a row had an unknown outcome; ${waiting} for the next apply`;
  },
};

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
export function causeText<Key extends CauseCode>({ code, parts }: Cause<Key>): string {
  if (!Object.hasOwn(words, code)) throw new TypeError(`no reason has the code ${code}`);
  return words[code](parts);
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
  pending?: PartsOfCauses["new-id-there"]["pending"],
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
