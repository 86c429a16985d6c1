import type { NoteCode } from "../../generated/codes.js";
import type { GuardrailNote, NamedOperation } from "../../generated/plan.js";
import { canonical, equal, type Json } from "../../json/json.js";
import { settingKey } from "../resources/manifest-keys.js";
import type {
  FieldTurn,
  HiddenPart,
  MixedPart,
  PlaceOfKey,
  PartsOfNotes,
  SecretsTurn,
  ServersTurn,
  WhyGone,
} from "./note-parts.js";
import { punycode } from "./letters.js";
import { defaultNouns } from "./secrets-sent.js";
import { readable } from "../expression/expression.js";

type NoteWords = { readonly [Code in NoteCode]: (parts: PartsOfNotes[Code], address: string) => string };

/** Enough of a description to judge it. */
const describedLength = 300;
const sentenceLength = 200;
const mostCharacters = 4;

/** The words of every note: a sentence without its end mark; the resource is its subject where it names none. */
const words: NoteWords = {
  "object-deleted": () => "is deleted in the service, which cannot be undone",
  "check-off": ({ check, now }) => {
    const says = { gone: "gone", off: "switched off", unsaid: "no longer explicitly on" } as const;
    return `the check \`${check}\` is ${says[now]}`;
  },
  "policy-detached": ({ policy, in_text }) => {
    const rest = in_text ? "refers to it only inside a longer text" : "no longer refers to it";
    return `${policy} is detached: the agent ${rest}`;
  },
  "policy-forgotten": ({ gone, why }) =>
    gone
      ? "is gone from the service, and guards no agent any more"
      : `is forgotten: its object stays in the service, unmanaged${whyGone(why)}`,
  "object-forgotten": ({ uses, secrets, why }) => {
    const held = [
      ...(uses.length > 0 ? [uses.join(", ")] : []),
      ...(secrets.length > 0 ? [secretsIn(secrets)] : []),
    ];
    const rest = held.length > 0 ? `, with ${held.join(" and ")}` : "";
    return `is forgotten: its object stays in the service as it is, unmanaged${rest}${whyGone(why)}`;
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
  "removal-deletes": () => "is now deleted in the service when its document is removed",
  "banned-topic-gone": ({ check, items }) => `\`${check}\` no longer bans ${quoted(items)}`,
  "keyword-gone": ({ check, items }) => `\`${check}\` no longer looks for ${quoted(items)}`,
  "pii-type-gone": ({ check, items }) => `\`${check}\` no longer looks for ${quoted(items)}`,
  "custom-pii-gone": ({ check, items }) => `\`${check}\` no longer looks for the custom PII ${quoted(items)}`,
  "allowed-topics-emptied": ({ check, items }) =>
    `\`${check}\` no longer has any topics, which may allow all; it had ${quoted(items)}`,
  "allowed-topic-added": ({ check, items }) => `\`${check}\` newly allows ${quoted(items)}`,
  "feature-removed": ({ feature }) =>
    `the feature ${quote(feature)} is gone, which may weaken what guards the agent`,
  "policy-feature-changed": ({ feature, policies, changes }) => {
    const turns = few(changes.map((change) => turned(quote(change.field), change)));
    return `in the feature ${quote(feature)} with ${few(policies)}, ${turns}, which may weaken it`;
  },
  "policy-priority-changed": ({ feature, policies, before, after }) =>
    `the priority of the feature ${quote(feature)} with ${few(policies)} ${turn(before, after)}, which may change what is checked when`,
  "threshold-changed": weakerCheck,
  "check-action-changed": weakerCheck,
  "pii-type-changed": weakerCheck,
  "custom-pii-changed": ({ label, changes }) => {
    const turns = few(changes.map((change) => turned(`\`${change.field}\``, change)));
    return `the custom PII ${quote(label)} is treated differently: ${turns}`;
  },
  "writing-tool-gained": ({ toolset, operations }) => {
    const verb = operations.length > 1 ? "write" : "writes";
    return `gains ${few(operations.map(nameOf))} of ${toolset}, which ${verb}`;
  },
  "tool-gained": (parts) =>
    "tools" in parts
      ? `gains ${quoted(parts.tools)}, for which the workspace has no operation`
      : `gains ${few(parts.operations.map(nameOf))} of ${parts.toolset}`,
  "host-added": (parts) => {
    const { hosts, before, servers, written = {} } = parts;
    const many = hosts.length > 1 ? "new hosts" : "a new host";
    const isOpen = hosts.some((host) =>
      servers.after.some((address) => address.startsWith(`http://${host}`)),
    );
    const open = isOpen ? " (not encrypted)" : "";
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
    return `calls of ${few(operations.map(nameOf))} newly have called back ${listOf(callbacks.map(wholeValue))}${was}`;
  },
  "credential-changed": fieldTurned,
  "secret-header-changed": ({ header, secrets }) => `the header ${quote(header)} ${secretTurn(secrets)}`,
  "secret-changed": ({ field, secrets }) => `${quote(field)} ${secretTurn(secrets)}`,
  "default-changed": (parts) => {
    const says = "secrets" in parts ? secretTurn(parts.secrets) : turn(parts.before, parts.after);
    return `the ${defaultNouns[parts.section] ?? ""} ${quote(parts.name)} ${says}`;
  },
  "agent-gained": ({ agent }) =>
    `newly refers to ${agent}, so it may reach that agent and everything that agent can reach`,
  "provider-changed": fieldTurned,
  "model-changed": fieldTurned,
  "agent-without-policy": () => "is created without a policy, while other agents have one",
  "policy-without-checks": () => "is created without a check that is on, so it guards nothing",
  "prohibition-lost": (parts) => {
    const said = (text: string): string => quoteUpTo(sentenceLength, text);
    if ("gone" in parts) return `\`${parts.field}\` no longer says ${few(parts.gone.map(said))}`;
    const reworded = parts.reworded.map(({ before, after }) => `${said(after)} instead of ${said(before)}`);
    return `\`${parts.field}\` now says ${few(reworded)}`;
  },
  "description-changed": descriptionTurn,
  "description-repunctuated": (parts) => `${descriptionTurn(parts)}: only punctuation or white space`,
  "hidden-text": ({ field, runs }) =>
    `\`${field}\` has what is not shown as it is: ${few(runs.map(hiddenRun))}`,
  "invisible-characters": ({ field, runs }) =>
    `\`${field}\` has characters that are shown as nothing: ${few(runs.map(hiddenRun))}`,
  "mixed-scripts": ({ field, words: mixed }) => {
    const what = mixed.length > 1 ? "words" : "a word";
    return `\`${field}\` has ${what} with letters of several scripts: ${few(mixed.map(mixedWord))}`;
  },
  "setting-changed": (parts) => {
    const { risk } = settingKey(parts.field, parts);
    return `\`${parts.field}\` ${settingTurn(parts)}: ${risk}`;
  },
  "state-edited": ({ part, key, edit, fields, stays }, address) => {
    const what = key === undefined || key === address ? `\`${part}\`` : `\`${part}\` (\`${key}\`)`;
    const verb = { changed: "edits", added: "adds to", removed: "removes from" } as const;
    const shown = edit === "changed" ? `: ${someFields(fields)}` : "";
    return `the change itself ${verb[edit]} ${what} of the lock${shown}${stays ? `; ${lostEntry[stays]}` : ""}`;
  },
  "replacement-not-in-effect": ({ resources }) => {
    const many = resources.length === 1 ? "1 resource" : `${resources.length} resources`;
    return `the new object is not in effect on ${many}, left out of this plan: ${resources.join(", ")}`;
  },
  "retired-deleted": ({ ids }) => {
    const what =
      ids.length === 1 ? "an object that it left behind is" : `${ids.length} objects that it left behind are`;
    return `${what} deleted in the service, which cannot be undone`;
  },
};

/** Makes a note: what it is about as data, and its words from that. */
export function noteOf<Code extends NoteCode>(
  code: Code,
  parts: PartsOfNotes[Code],
  { address, effect, path }: Pick<GuardrailNote, "address" | "effect" | "path">,
): GuardrailNote {
  const message = words[code](parts, address);
  return { code, effect, address, parts, message, ...(path !== undefined && { path }) };
}

// The texts of an operation are in the change that is shown with the note, as far as the lock keeps them.
function descriptionTurn(parts: PartsOfNotes["description-changed"]): string {
  const { field, operations, before, after, words } = parts;
  if (!operations) return `\`${field}\` ${turn(before, after, describedLength)}`;
  const verb = before === undefined ? "is new" : after === undefined ? "is gone" : "changes";
  const now = words === undefined ? "" : `; now: ${wholeValue(words)}`;
  return `the ${field} of ${few(operations.map(nameOf))}, which models read, ${verb}${now}`;
}

/** Gives the words of a note of a plan by its code and parts; its own where this version does not know the code. */
export function messageOf({ code, parts, address, message }: Omit<GuardrailNote, "effect">): string {
  const say = Object.hasOwn(words, code) ? words[code as NoteCode] : undefined;
  return say ? say(parts as never, address) : message;
}

// What becomes of the object of an entry that is taken out of the lock.
const lostEntry: Readonly<Record<string, string>> = {
  document:
    "its object stays in the service, unmanaged, and the next apply creates another one, for its document is still there",
  alone: "its object stays in the service, unmanaged, and nothing names it any more",
  retired: "the object stays in the service, and neither a plan nor a prune knows of it any more",
  unknown: "an object that it may have made stays in the service, and nothing asks about it any more",
};

/** Says what becomes of the object of an entry that a change takes out of the state; undefined of any other note. */
export function lostEntryText({ parts }: Pick<GuardrailNote, "parts">): string | undefined {
  return typeof parts.stays === "string" ? lostEntry[parts.stays] : undefined;
}

function whyGone(why: WhyGone | undefined): string {
  if (!why) return "";
  if ("environment" in why) {
    const { environment } = why;
    return environment === null
      ? "; its `lifecycle.environments` leaves the default environment out"
      : `; its \`lifecycle.environments\` does not list ${environment}`;
  }
  const { keys, keys_in, included = false } = why;
  const what = keys.length === 1 ? "its key" : "their keys";
  const is = keys.length === 1 ? "is" : "are";
  const names = keys.map((key) => `\`${key}\``).join(", ");
  return `; ${what} ${names} ${is} gone from ${forEachText(keys_in, included)}`;
}

/** Names the place of the keys of a document: its `for_each`, or the file that this includes. */
export function forEachText(keysIn: string, isIncluded: boolean): string {
  return isIncluded ? `${keysIn}, which \`for_each\` includes` : `\`for_each\` of ${keysIn}`;
}

function hiddenRun({ characters, count, after, spells }: HiddenPart): string {
  const isTags = characters.every((each) => each.startsWith("U+E00"));
  const names = characters.slice(0, mostCharacters).join(", ");
  const many = count === 1 ? "" : "s";
  const what = isTags ? `${count} tag character${many}` : `${count} character${many} (${names})`;
  const where = after.trim() === "" ? "at the start of a line" : `after ${quote(after.trim())}`;
  return `${what} ${where}${spells === undefined ? "" : `, which spell ${quoteUpTo(describedLength, spells)}`}`;
}

function mixedWord({ word, foreign, ascii }: MixedPart): string {
  const scripts = foreign.map(({ letters, script }) => `\`${letters}\` is ${script}`);
  const host = ascii === undefined ? "" : `; a host that the network calls ${quote(ascii)}`;
  return `${quote(word)} (${scripts.join(", ")}${host})`;
}

function turned(name: string, { before, after }: FieldTurn): string {
  return `${name} ${turn(before, after)}`;
}

function fieldTurned(change: FieldTurn): string {
  return turned(`\`${change.field}\``, change);
}

function weakerCheck(change: FieldTurn): string {
  return `${turned(quote(change.field), change)}, which may weaken the check`;
}

function quoted(items: readonly Json[]): string {
  return few(items.map(quote));
}

function nameOf({ name, route }: NamedOperation): string {
  if (route === undefined) return quote(name ?? "");
  return name === undefined ? `\`${route}\`` : `\`${name}\` (${route})`;
}

function callsText({ operations }: Pick<ServersTurn, "operations">): string {
  return operations ? `calls of ${few(operations.map(nameOf))}` : "its calls";
}

function serverTurn({ servers: { before, after } }: ServersTurn): string {
  return `go to ${listOf(after.map(wholeValue))}, and went to ${listOf(before.map(wholeValue))}`;
}

// What goes with calls to another address is what can be lost there.
function along({ secrets = [] }: Pick<ServersTurn, "secrets">): string {
  if (secrets.length === 0) return "";
  const sent = secrets.map(({ field, variables }) => `${quote(field)} (${secretsIn(variables)})`);
  return `; sent along: ${few(sent)}`;
}

function hostNames(hosts: readonly string[], written: Readonly<Record<string, string>>): string {
  const names = hosts.map((host) => {
    if (host === "") return "a relative address (below where the document is served)";
    const own = Object.hasOwn(written, host) ? written[host] : undefined;
    return own === undefined ? wholeValue(host) : `${wholeValue(host)} (written ${wholeValue(own)})`;
  });
  return listOf(names);
}

function placeText({ type, in: where, name, scheme }: PlaceOfKey): string {
  const nouns: Readonly<Record<string, string>> = {
    query: "query parameter",
    header: "header",
    cookie: "cookie",
  };
  if (type === "apiKey") return `the ${nouns[where ?? ""] ?? where ?? "key"} ${quote(name ?? "")}`;
  const kind = type === undefined ? "of no type" : `of type ${quote(type)}`;
  return scheme === undefined ? kind : `${kind} (${quote(scheme)})`;
}

function either(alternatives: readonly string[][]): string {
  return alternatives
    .map((schemes) => (schemes.length > 0 ? quote(schemes.join(" + ")) : "nothing"))
    .join(" or ");
}

// Never a part of the value, for a secret may stand beside its variable.
function secretTurn({ before, after }: SecretsTurn): string {
  if (!before) return `is new, and holds ${secretsIn(after)}`;
  if (!after) return `is gone, and held ${secretsIn(before)}`;
  if (equal(before, after)) return `holds ${secretsIn(after)} as before, and changes in its other parts`;
  return `now holds ${secretsIn(after)}, and held ${secretsIn(before)}`;
}

function secretsIn(names: readonly string[] = []): string {
  if (names.length === 0) return "no secret";
  return `the ${names.length > 1 ? "secrets" : "secret"} ${quoted(names)}`;
}

// Never shortened: a host shows who owns it at its end.
function settingTurn({ before, after }: FieldTurn): string {
  if (before === undefined) return `is now ${wholeValue(after ?? null)}, and was not set before`;
  if (after === undefined) return `is gone, and was ${wholeValue(before)}`;
  return `changes from ${wholeValue(before)} to ${wholeValue(after)}`;
}

function wholeValue(value: Json): string {
  const text = `\`${typeof value === "string" && value !== "" ? value : canonical(value)}\``;
  const [, host] = typeof value === "string" ? (/^https?:\/\/([^/?#]+)/i.exec(value) ?? []) : [];
  const ascii = host === undefined ? undefined : punycode(host);
  return ascii === undefined ? text : `${text} (\`${ascii}\`)`;
}

function someFields(fields: readonly string[]): string {
  const shown = fields.slice(0, 5);
  const left = fields.length - shown.length;
  return shown.join(", ") + (left > 0 ? ` and ${left} more` : "");
}

const shownNames = 5;
const shownLength = 80;

/** Quotes a value in backticks, shortened to 80 characters; everything but a text appears as JSON. */
function quote(value: Json): string {
  return quoteUpTo(shownLength, value);
}

/** Quotes a value as `quote` does, shortened to a number of characters. */
function quoteUpTo(length: number, value: Json): string {
  const text = typeof value === "string" && value !== "" ? readable(value) : canonical(value);
  return `\`${shorten(text, length)}\``;
}

/** Lists all of some names: of addresses none is left out. */
function listOf(names: readonly string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join("");
}

/** Lists at most five of some names, and says how many more there are. */
function few(names: readonly string[]): string {
  const more = names.length - shownNames;
  return more > 0 ? `${names.slice(0, shownNames).join(", ")} and ${more} more` : listOf(names);
}

/** Says what a value was and what it is now. */
function turn(before: Json | undefined, after: Json | undefined, length = shownLength): string {
  if (before === undefined) return `is now ${quoteUpTo(length, after ?? null)}, and was not set before`;
  if (after === undefined) return `is gone, and was ${quoteUpTo(length, before)}`;
  return `changes from ${quoteUpTo(length, before)} to ${quoteUpTo(length, after)}`;
}

// By code points, so that no character is cut in two.
function shorten(text: string, length: number): string {
  const start = Array.from(text.slice(0, 2 * length + 2));
  return start.length > length ? `${start.slice(0, length - 1).join("")}…` : start.join("");
}
