import type { GuardrailNote, NamedOperation } from "../../generated/plan.js";
import { canonical, equal, type Json } from "../../json/json.js";
import { readable } from "../expression/expression.js";
import { inCode } from "../finding/quotation.js";
import { isOfKind } from "../kind/kinds.js";
import { punycode } from "./letters.js";
import type {
  FieldTurn,
  HiddenPart,
  MixedPart,
  PartsOfNotes,
  PlaceOfKey,
  SecretsTurn,
  ServersTurn,
  WhyGone,
} from "./note-parts.js";

/** What becomes of the object of an entry that is taken out of the lock. */
export const lostEntry: Readonly<Record<string, string>> = {
  document:
    "its object stays in the service, no longer managed here, and the next apply creates another one, for its document is still there",
  alone: "its object stays in the service, no longer managed here, and nothing here names it",
  retired: "the object stays in the service, and neither a plan nor a prune knows of it any more",
  unknown: "an object that it may have made stays in the service, and nothing asks about it any more",
};

/** Says what becomes of the object of an entry that a change takes out of the state; undefined of any other note. */
export function lostEntryText({ parts }: Pick<GuardrailNote, "parts">): string | undefined {
  return typeof parts.stays === "string" ? lostEntry[parts.stays] : undefined;
}

/** Says why a resource has no document here, to go on in a sentence; nothing where that is not known. */
export function whyGone(why: WhyGone | undefined): string {
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

/** Names a run of characters that are not shown, with what is before them and what they spell. */
export function hiddenRun({ characters, count, after, spells }: HiddenPart): string {
  const isTags = characters.every((each) => each.startsWith("U+E00"));
  const names = characters.slice(0, mostCharacters).join(", ");
  const many = count === 1 ? "" : "s";
  const what = isTags ? `${count} tag character${many}` : `${count} character${many} (${names})`;
  const where = after.trim() === "" ? "at the start of a line" : `after ${quote(after.trim())}`;
  return `${what} ${where}${spells === undefined ? "" : `, which spell ${quote(spells)}`}`;
}

/** Quotes a word of several scripts, with the letters of each that is not Latin. */
export function mixedWord({ word, foreign, ascii }: MixedPart): string {
  const scripts = foreign.map(({ letters, script }) => `\`${letters}\` is ${script}`);
  const host = ascii === undefined ? "" : `; a host that the network calls ${quote(ascii)}`;
  return `${quote(word)} (${scripts.join(", ")}${host})`;
}

/** Says of something what it was and what it is now. */
export function turned(name: string, { before, after }: FieldTurn): string {
  return `${name} ${turn(before, after)}`;
}

/** Says of a field what it was and what it is now. */
export function fieldTurned(change: FieldTurn): string {
  return turned(inCode(change.field), change);
}

/** Says of a field of a check what it was and what it is now. */
export function weakerCheck(change: FieldTurn): string {
  return `${turned(quote(change.field), change)}, which may weaken the check`;
}

/** Quotes some values. */
export function quoted(items: readonly Json[]): string {
  return few(items.map(quote));
}

/** Names policies; an ID in the place of one is a stranger's text. */
export function namedPolicies(policies: readonly string[]): string {
  return few(policies.map((policy) => (isOfKind(policy, "policy") ? policy : quote(policy))));
}

/** Names a feature, with its policies. */
export function featureText(feature: string, policies: readonly string[]): string {
  const rest = policies.length > 0 ? ` with ${namedPolicies(policies)}` : "";
  return `the feature ${quote(feature)}${rest}`;
}

/** Names an operation, with its route. */
export function nameOf({ name, route }: NamedOperation): string {
  if (route === undefined) return quote(name ?? "");
  if (name === undefined) return inCode(route);
  // A path may hold any words.
  return `${inCode(name)} (${/^\w+ [^\s()`]*$/.test(route) ? route : inCode(route)})`;
}

/** Names the calls that a note is about. */
export function callsText({ operations }: Pick<ServersTurn, "operations">): string {
  return operations ? `calls of ${few(operations.map(nameOf))}` : "its calls";
}

/** Says where calls went and where they go. */
export function serverTurn({ servers: { before, after } }: ServersTurn): string {
  return `go to ${listOf(after.map(wholeValue))}, and went to ${listOf(before.map(wholeValue))}`;
}

/** Names the secrets that are sent along, to go on in a sentence; nothing where there are none. */
export function along({ secrets = [] }: Pick<ServersTurn, "secrets">): string {
  if (secrets.length === 0) return "";
  const sent = secrets.map(({ field, variables }) => `${quote(field)} (${secretsIn(variables)})`);
  return `; sent along: ${few(sent)}`;
}

/** Lists hosts, with how those are written that are not in ASCII. */
export function hostNames(hosts: readonly string[], written: Readonly<Record<string, string>>): string {
  const names = hosts.map((host) => {
    if (host === "")
      return "an address that names no host (a relative one is below where the document is served)";
    const own = Object.hasOwn(written, host) ? written[host] : undefined;
    return own === undefined ? wholeValue(host) : `${wholeValue(host)} (written ${wholeValue(own)})`;
  });
  return listOf(names);
}

/** Says where the key of a security scheme goes. */
export function placeText({ type, in: where, name, scheme, flow }: PlaceOfKey): string {
  const nouns: Readonly<Record<string, string>> = {
    query: "query parameter",
    header: "header",
    cookie: "cookie",
  };
  if (type === "apiKey") return `the ${nouns[where ?? ""] ?? where ?? "key"} ${quote(name ?? "")}`;
  const kind = type === undefined ? "of no type" : `of type ${quote(type)}`;
  const way = scheme ?? flow;
  return way === undefined ? kind : `${kind} (${quote(way)})`;
}

/** Lists alternatives of security schemes. */
export function either(alternatives: readonly string[][]): string {
  return alternatives
    .map((schemes) => (schemes.length > 0 ? quote(schemes.join(" + ")) : "nothing"))
    .join(" or ");
}

/** Says which secret variables a value held and holds. Never a part of the value: a secret may stand beside its variable. */
export function secretTurn({ before, after }: SecretsTurn): string {
  if (!before) return `is new, and holds ${secretsIn(after)}`;
  if (!after) return `is gone, and held ${secretsIn(before)}`;
  if (equal(before, after)) return `holds ${secretsIn(after)} as before, and changes in its other parts`;
  return `now holds ${secretsIn(after)}, and held ${secretsIn(before)}`;
}

/** Names secret variables. */
export function secretsIn(names: readonly string[] = []): string {
  if (names.length === 0) return "no secret";
  return `the ${names.length > 1 ? "secrets" : "secret"} ${quoted(names)}`;
}

/** Quotes all of a value, a host also as the network calls it. */
export function wholeValue(value: Json): string {
  const text = inCode(typeof value === "string" && value !== "" ? value : canonical(value));
  const [, host] = typeof value === "string" ? (/^https?:\/\/([^/?#]+)/i.exec(value) ?? []) : [];
  const ascii = host === undefined ? undefined : punycode(host);
  return ascii === undefined ? text : `${text} (\`${ascii}\`)`;
}

/** Says how a description changed; an operation's texts are in the change that is shown with the note. */
export function descriptionTurn(parts: PartsOfNotes["description-changed"]): string {
  const { field, operations, before, after, words } = parts;
  if (!operations) return `${inCode(field)} ${turn(before, after)}`;
  const verb = before === undefined ? "is new" : after === undefined ? "is gone" : "changes";
  const now = words === undefined ? "" : `; now: ${wholeValue(words)}`;
  return `the ${field} of ${few(operations.map(nameOf))}, which models read, ${verb}${now}`;
}

// A note is read before everything else, so its bounds are for hostile values alone.
const mostCharacters = 4;
const shownNames = 20;
const shownLength = 1000;

/** Quotes a value in backticks, all of it unless it is very long; everything but a text appears as JSON. */
export function quote(value: Json): string {
  const text = typeof value === "string" && value !== "" ? readable(value) : canonical(value);
  return inCode(shorten(text, shownLength));
}

/** Lists all of some names: of addresses none is left out. */
export function listOf(names: readonly string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join("");
}

/** Lists the first of some names, and says how many more there are. */
export function few(names: readonly string[]): string {
  const more = names.length - shownNames;
  return more > 0 ? `${names.slice(0, shownNames).join(", ")} and ${more} more` : listOf(names);
}

/** Says what a value was and what it is now. */
export function turn(before: Json | undefined, after: Json | undefined, textOf = quote): string {
  if (before === undefined) return `is newly set to ${textOf(after ?? null)}`;
  if (after === undefined) return `is no longer set (it was ${textOf(before)})`;
  // A text and another value may look alike.
  const show = textOf(before) === textOf(after) ? (value: Json) => inCode(canonical(value)) : textOf;
  return `changes from ${show(before)} to ${show(after)}`;
}

// By code points, so that no character is cut in two.
function shorten(text: string, length: number): string {
  const start = Array.from(text.slice(0, 2 * length + 2));
  return start.length > length ? `${start.slice(0, length - 1).join("")}…` : start.join("");
}
