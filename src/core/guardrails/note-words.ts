import type { NoteCode } from "../../generated/codes.js";
import type { GuardrailNote } from "../../generated/plan.js";
import { firstOf, inCode } from "../finding/quotation.js";
import { isOfKind } from "../kind/kinds.js";
import { settingKey } from "../resources/manifest-keys.js";
import { addressesIn, openHosts } from "../openapi/server-address.js";
import type { PartsOfNotes } from "./note-parts.js";
import {
  along,
  callsText,
  descriptionTurn,
  either,
  featureText,
  few,
  hiddenRun,
  hostNames,
  listOf,
  mixedWord,
  nameOf,
  namedPolicies,
  placeText,
  quote,
  quoted,
  secretTurn,
  secretsIn,
  serverTurn,
  turn,
  turned,
  wholeValue,
  whyGone,
  fieldTurned,
  lostEntry,
  weakerCheck,
} from "./note-phrases.js";
import { defaultNouns } from "./default-value.js";

/** The words of every note: a sentence without its end mark; the resource is its subject where it names none. */
const words: { readonly [Key in NoteCode]: (parts: PartsOfNotes[Key], address: string) => string } = {
  "object-deleted": () => "is deleted in the service, which cannot be undone",
  "check-off": ({ check, now }) => {
    const says = { gone: "gone", off: "switched off", unsaid: "no longer explicitly on" } as const;
    return `the check ${inCode(check)} is ${says[now]}`;
  },
  // Names that two policies exchange would say the opposite.
  "policy-detached": ({ policy, former, in_text, gained = [] }) => {
    const rest = in_text ? "refers to it only inside a longer text" : "no longer refers to it";
    const now = gained.length > 0 ? `, and now refers to ${few(gained)}` : "";
    const name = former === undefined ? policy : `${policy} (${former} until now)`;
    return `${name} is detached: the agent ${rest}${now}`;
  },
  "policy-forgotten": ({ gone, why }) =>
    gone
      ? "is gone from the service, and guards no agent any more"
      : `is forgotten: its object stays in the service, no longer managed here${whyGone(why)}`,
  "object-forgotten": ({ uses, secrets, why }) => {
    const held = [
      ...(uses.length > 0 ? [uses.join(", ")] : []),
      ...(secrets.length > 0 ? [secretsIn(secrets)] : []),
    ];
    const rest = held.length > 0 ? `, and keeps ${held.join(" and ")}` : "";
    return `is forgotten: its object stays in the service, no longer managed here${rest}${whyGone(why)}`;
  },
  "policy-added": ({ feature, policy, policies }) => {
    const has = policies.includes(policy) ? "once more" : `beside ${namedPolicies(policies)}`;
    return `the feature ${quote(feature)} has ${namedPolicies([policy])} ${has}; which of them applies is not documented`;
  },
  "policy-feature-gone": ({ feature, policy }) =>
    `a feature ${quote(feature)} with ${policy} is gone, or no longer has it`,
  "security-dropped": ({ before, after, places = {}, operations }) => {
    const where = Object.entries(places).map(([name, place]) => `; ${quote(name)} is ${placeText(place)}`);
    const turn = `${either(after)}, and required ${either(before)}${where.join("")}`;
    return operations
      ? `calls of ${few(operations.map(nameOf))} now require ${turn}`
      : `its OpenAPI document now requires ${turn}`;
  },
  "encryption-dropped": (parts) =>
    `${callsText(parts)} ${serverTurn(parts)}, not encrypted any more${along(parts)}`,
  "key-moved": ({ scheme, before, after, operations }) => {
    const of = operations && operations.length > 0 ? ` of ${few(operations.map(nameOf))}` : "";
    const now = after === undefined ? "is defined nowhere any more" : `is now ${placeText(after)}`;
    const seen = after?.in === "query" ? ", which logs of servers and proxies keep" : "";
    const was = before === undefined ? "was defined nowhere" : `was ${placeText(before)}`;
    return `the key ${quote(scheme)}${of} ${now}${seen}, and ${was}`;
  },
  "protect-removed": ({ replaced }) =>
    replaced
      ? "is no longer protected, and this plan replaces it"
      : "is no longer protected, so a later plan may replace or forget it",
  "removal-deletes": ({ replaced, undeclared }) => {
    const when = replaced ? "a new object replaces it" : "its document is removed";
    return undeclared === undefined
      ? `is now deleted in the service when ${when}`
      : `is deleted in the service when ${when}, once \`service.operations.${undeclared}.delete\` is set`;
  },
  "banned-topic-gone": ({ check, items }) => `${inCode(check)} no longer bans ${quoted(items)}`,
  "keyword-gone": ({ check, items }) => `${inCode(check)} no longer looks for ${quoted(items)}`,
  "pii-type-gone": ({ check, items }) => `${inCode(check)} no longer looks for ${quoted(items)}`,
  "custom-pii-gone": ({ check, items }) =>
    `${inCode(check)} no longer looks for the custom PII ${quoted(items)}`,
  "allowed-topics-emptied": ({ check, items }) =>
    `${inCode(check)} no longer has any topics, which may allow all; it had ${quoted(items)}`,
  "allowed-topic-added": ({ check, items }) => `${inCode(check)} newly allows ${quoted(items)}`,
  "feature-removed": ({ feature }) =>
    `the feature ${quote(feature)} is gone, which may weaken what guards the agent`,
  "policy-feature-changed": ({ feature, policies, changes }) => {
    const turns = few(changes.map((change) => turned(quote(change.field), change)));
    return `in ${featureText(feature, policies)}, ${turns}, which may weaken it`;
  },
  "policy-priority-changed": ({ feature, policies, behind, before, after }) =>
    behind
      ? `${featureText(feature, behind)} may now come before the one with ${namedPolicies(policies)}, and may allow more`
      : `the priority of ${featureText(feature, policies)} ${turn(before, after)}, which may change what is checked when`,
  "threshold-changed": weakerCheck,
  "check-action-changed": weakerCheck,
  "policy-setting-changed": (change, address) => {
    const what = isOfKind(address, "agent") ? "what guards the agent, or widen its reach" : "the policy";
    return `${fieldTurned(change)}, which may weaken ${what}`;
  },
  "pii-type-changed": weakerCheck,
  "custom-pii-changed": ({ label, changes }) => {
    const turns = few(changes.map((change) => turned(inCode(change.field), change)));
    return `the custom PII ${quote(label)} is treated differently: ${turns}`;
  },
  "writing-tool-gained": (parts) => {
    const gains = parts.new ? "comes with" : "gains";
    if ("tools" in parts)
      return `${gains} ${quoted(parts.tools)}, of which only the ID is known, so it may write`;
    const { toolset, operations } = parts;
    const isUnknown = operations.some(({ route = "" }) => route.startsWith("/"));
    const verb = isUnknown ? "may write" : operations.length > 1 ? "write" : "writes";
    return `${gains} ${few(operations.map(nameOf))} of ${toolset}, which ${verb}`;
  },
  "tool-gained": (parts) => {
    if ("features" in parts)
      return `gains the feature${parts.features.length > 1 ? "s" : ""} ${quoted(parts.features)}`;
    return `gains ${few(parts.operations.map(nameOf))} of ${parts.toolset}`;
  },
  "host-added": (parts) => {
    const { hosts, before, servers, written = {} } = parts;
    const many = hosts.length > 1 ? "new hosts" : "a new host";
    const inTheOpen = openHosts(servers.after.flatMap(addressesIn));
    const open = hosts.some((host) => inTheOpen.has(host)) ? " (not encrypted)" : "";
    return `${callsText(parts)} may go to ${many}: ${hostNames(hosts, written)}${open}; before: ${hostNames(before, written)}${along(parts)}`;
  },
  "server-changed": (parts) => `${callsText(parts)} ${serverTurn(parts)}${along(parts)}`,
  "token-address-changed": ({ fields, before, after }) => {
    const where = `where credentials are sent for a token (${quoted(fields)})`;
    if (before === undefined) return `${where} is ${wholeValue(after)}, which is new`;
    return `${where} is now ${wholeValue(after)}, and was ${wholeValue(before)}`;
  },
  "callback-added": ({ callbacks, before, operations }) => {
    const was = before.length > 0 ? `; before: ${listOf(before.map(wholeValue))}` : "";
    return `calls of ${few(operations.map(nameOf))} newly ask for callbacks to ${listOf(callbacks.map(wholeValue))}${was}`;
  },
  "credential-changed": fieldTurned,
  "secret-header-changed": ({ header, secrets }) => `the header ${quote(header)} ${secretTurn(secrets)}`,
  "secret-changed": ({ field, secrets, own, elsewhere, nearby }) => {
    const uses = own ? `: agentform itself uses ${quoted(own)}` : "";
    const went = elsewhere ? `; so far, ${quoted(elsewhere)} went elsewhere` : "";
    const goes = nearby ? `; in another workspace or environment, ${quoted(nearby)} goes elsewhere` : "";
    return `${quote(field)} ${secretTurn(secrets)}${uses}${went}${goes}`;
  },
  "default-changed": (parts) => {
    const noun = Object.hasOwn(defaultNouns, parts.section) ? defaultNouns[parts.section] : undefined;
    const what = `the ${noun ?? "setting"} ${quote(parts.name)}`;
    if ("calls" in parts) {
      const { before, after } = parts.calls;
      const was = before ? `went with those of ${nameOf(before)}` : "went with none";
      return `${what} now goes with calls of ${nameOf(after)}, and ${was}${along(parts)}`;
    }
    return `${what} ${"secrets" in parts ? secretTurn(parts.secrets) : turn(parts.before, parts.after)}`;
  },
  "agent-gained": (parts) =>
    "agents" in parts
      ? `${parts.new ? "comes with" : "newly has"} ${quoted(parts.agents)} among the agents that it may reach, with everything that these can reach`
      : `${parts.new ? "is new and" : "newly"} refers to ${parts.agent}, so it may reach that agent and everything that agent can reach`,
  "object-exchanged": () =>
    "is another object now, whose content is not known here: what refers to it gets it unchecked",
  "object-adopted": (_, address) =>
    `takes over an object whose content is not known here: ${
      isOfKind(address, "agent")
        ? "the update replaces all of it, also a policy that it has"
        : "that it is what the document says is not checked"
    }`,
  "provider-changed": fieldTurned,
  "model-changed": fieldTurned,
  "agent-without-policy": ({ adopted }) =>
    adopted
      ? "is taken over without a policy; if its object has one, the update takes it away"
      : "is created without a policy, while others have or had one",
  "policy-without-checks": ({ unsaid }) =>
    unsaid.length === 0
      ? "has no check that is on, so it guards nothing"
      : `has no check that says it is on, so it may guard nothing: ${few(unsaid.map(quote))}`,
  "prohibition-lost": (parts) => {
    const said = (text: string): string => quote(text);
    if ("gone" in parts) {
      const where = parts.titles === undefined ? "" : ` under ${quoted(parts.titles)}`;
      return `${inCode(parts.field)} no longer says ${few(parts.gone.map(said))}${where}`;
    }
    const reworded = parts.reworded.map(({ before, after }) => `${said(after)} instead of ${said(before)}`);
    return `${inCode(parts.field)} now says ${few(reworded)}`;
  },
  "description-changed": descriptionTurn,
  "description-repunctuated": (parts) => `${descriptionTurn(parts)}: only punctuation or white space`,
  "hidden-text": ({ field, runs }) =>
    `${inCode(field)} has characters that hide or reorder text: ${few(runs.map(hiddenRun))}`,
  "invisible-characters": ({ field, runs }) =>
    `${inCode(field)} has invisible characters: ${few(runs.map(hiddenRun))}`,
  "mixed-scripts": ({ field, words: mixed }) => {
    const what = mixed.length > 1 ? "words" : "a word";
    return `${inCode(field)} has ${what} with letters of several scripts: ${few(mixed.map(mixedWord))}`;
  },
  "first-apply": ({ creates }) =>
    `no earlier apply is known, so ${creates === 1 ? "1 object is" : `${creates} objects are`} created, even if they are in the service already`,
  "setting-changed": (parts) => {
    const { risk } = settingKey(parts.field, parts);
    // Never shortened: a host shows who owns it at its end.
    return `${inCode(parts.field)} ${turn(parts.before, parts.after, wholeValue)}: ${risk}`;
  },
  "state-edited": ({ part, key, edit, fields, stays }, address) => {
    const what = key === undefined || key === address ? inCode(part) : `${inCode(part)} (${inCode(key)})`;
    const verb = { changed: "edits", added: "adds to", removed: "removes from" } as const;
    const shown = edit === "changed" ? `: ${firstOf(fields, 5)}` : "";
    return `the change itself ${verb[edit]} ${what} of the lock${shown}${stays ? `; ${lostEntry[stays]}` : ""}`;
  },
  "replacement-not-in-effect": ({ resources }) => {
    const many = resources.length === 1 ? "1 resource" : `${resources.length} resources`;
    return `the new object is not in effect on ${many}, left out of this plan: ${resources.join(", ")}`;
  },
  "used-by-others": ({ users, replaced, exchanged, gone = [] }) => {
    const who = users.map(({ where, addresses }) => `${where} (${addresses.join(", ")})`).join(", ");
    if (exchanged !== undefined)
      return `${who} ${users.length === 1 ? "gets" : "get"} another object for ${inCode(exchanged)} with the next apply there`;
    const lost = gone.length === 0 ? "what" : `${gone.map(inCode).join(", ")}, which`;
    const verb = gone.length > 1 ? "are" : "is";
    return replaced
      ? `${who} ${users.length === 1 ? "keeps" : "keep"} the old object until the next apply there`
      : `${who} ${users.length === 1 ? "refers" : "refer"} to ${lost} ${verb} not there any more under this name, and cannot be applied while ${users.length === 1 ? "its" : "their"} documents do`;
  },
  "used-id-changed": ({ reference, before, after, moved, compared = true }) => {
    const [was, made] = [before ?? [], after ?? []].map((ids) => [ids].flat().map(inCode).join(", "));
    const is = after === undefined ? "a new object" : made;
    if (after === undefined && before === undefined)
      return `${inCode(reference)} stands for another object than was last sent here; the state does not have the earlier one, so nothing is compared`;
    return before === undefined
      ? `${inCode(reference)} stands for ${is}, and nothing here was sent an ID for it before`
      : `${inCode(reference)} stands for another object: ${was} → ${is}${moved === undefined ? "" : `; the earlier one is now ${inCode(moved)}`}${compared ? "" : "; the content of the earlier one is not known, so nothing is compared"}`;
  },
  "retired-deleted": ({ ids }) => {
    const what =
      ids.length === 1 ? "an object that it left behind is" : `${ids.length} objects that it left behind are`;
    return `${what} deleted in the service, which cannot be undone`;
  },
};

/** Makes a note: what it is about as data, and its words from that. */
export function noteOf<Key extends NoteCode>(
  code: Key,
  parts: PartsOfNotes[Key],
  { address, effect, path }: Pick<GuardrailNote, "address" | "effect" | "path">,
): GuardrailNote {
  const message = words[code](parts, address);
  return { code, effect, address, parts, message, ...(path !== undefined && { path }) };
}

/** Gives the words of a note of a plan by its code and parts; its own where this version does not know the code. */
export function messageOf({ code, parts, address, message }: Omit<GuardrailNote, "effect">): string {
  const say = Object.hasOwn(words, code) ? words[code as NoteCode] : undefined;
  return say ? say(parts as never, address) : message;
}
