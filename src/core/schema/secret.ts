import type { Field } from "../../generated/fields.js";
import { parseText } from "../expression/expression.js";
import type { Json } from "../../json/json.js";

/** How sure a name makes it that its value is a secret, the surest first. */
export type Telling = "always" | "mostly" | "perhaps";

/** A row of the table of names that tell of a secret. */
export interface TellingName {
  readonly telling: Telling;
  /** What a name has at its end, or anywhere in it, in lower case with `-` between words. */
  readonly words: readonly string[];
  readonly where: "end" | "anywhere";
}

/** Names that tell of a secret, in any spelling; the first row that fits counts, and its words are alternatives. */
export const tellingNames: readonly TellingName[] = [
  { telling: "always", where: "end", words: ["authorization", "cookie", "api-key", "apikey"] },
  {
    telling: "perhaps",
    where: "end",
    words: splitWords(
      "max-token min-token next-token page-token continuation-token sync-token",
      "start-token stop-token end-token bos-token eos-token pad-token mask-token",
    ),
  },
  {
    telling: "mostly",
    where: "anywhere",
    words: splitWords(
      "secret password passwd passphrase token api-key apikey subscription-key access-key private-key",
      "credential signature x-auth cookie authorization conn-str connection-string",
    ),
  },
  { telling: "mostly", where: "end", words: ["sig", "dsn", "pwd"] },
  { telling: "perhaps", where: "end", words: ["key"] },
];

/** What is said about a secret is none, such as the address that gives tokens, or the name of a header. */
export const aboutSecrets: readonly string[] = splitWords(
  "algorithm consent count endpoint expires expiry field format header id ids length limit location method",
  "mode name names path policy prefix scheme ttl type uri url version",
);

/** The forms of keys that providers give, by who gives them; with a limit, so that no text is too long to search. */
export const providerKeys: readonly (readonly [provider: string, form: RegExp])[] = [
  ["OpenAI or Anthropic", /sk-(?=[\w-]{0,4000}\d)[\w-]{12,4000}/],
  ["Stripe", /[sr]k_(?:live|test)_\w{10,4000}/],
  ["GitHub", /(?:gh[oprsu]_|github_pat_)\w{16,4000}/],
  ["GitLab", /gl(?:pat|dt|rt|ptt|cbt|ft|soat)-[\w-]{16,4000}/],
  ["Slack", /xox[abeprs]-[\w-]{10,4000}/],
  ["AWS", /(?:AKIA|ASIA)[A-Z0-9]{12,4000}/],
  ["Google", /AIza[\w-]{30,4000}|ya29\.[\w-]{20,4000}|GOCSPX-[\w-]{20,4000}/],
  ["Hugging Face", /hf_[A-Za-z0-9]{20,4000}/],
  ["npm", /npm_[A-Za-z0-9]{30,4000}/],
  ["PyPI", /pypi-[\w-]{30,4000}/],
  ["SendGrid", /SG\.[\w-]{16,4000}\.[\w-]{16,4000}/],
  ["Groq or xAI", /gsk_\w{20,4000}|xai-\w{20,4000}/],
  ["DigitalOcean", /do[opr]_v1_[a-f0-9]{30,4000}/],
  ["HashiCorp Vault", /hv[sb]\.[\w-]{20,4000}/],
  ["whoever issued this JSON Web Token", /eyJ[\w-]{8,4000}\.eyJ[\w-]{8,4000}\.[\w-]{8,4000}/],
  ["whoever has this private key", /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?:[^]{0,9000}?-----END)?/],
];

const anyKey = new RegExp(`(?<![\\w-])(?:${providerKeys.map(([, { source }]) => source).join("|")})`, "g");
// Most texts are shorter than the shortest key.
const shortestKey = 14;
const scheme =
  /^(?:(?:bearer|basic|digest|token|(?:api-?)?key|bot)\b)?[\s:]{0,9}(?:[\w-]{1,30}=["']{0,2})?[\s"';,]{0,9}$/i;
const passwordInAddress = /:\/\/[^\s/:@{]{0,200}:[^\s/@{]{1,400}@/;

// Most names are ordinary, and this is asked of each.
const mayTell = /key|token|secret|pass|auth|cookie|cred|sig|dsn|pwd|conn/i;

// There, names such as PASSWORD say what data is about, and keys are examples.
const aboutData: ReadonlySet<string> = new Set(["openapi_schema", "pii_detection", "response_format"]);

/** Whether what is in a field of a body is about data of others, so that no name or example in it tells of a secret. */
export function isAboutData(field: string): boolean {
  return aboutData.has(field);
}

/** Says how sure a name makes it that its value is a secret, however it is spelled, such as `clientSecret` or `X-Auth`. */
export function tellingOf(name: string): Telling | undefined {
  if (name.length > 200 || !mayTell.test(name)) return undefined;
  const words = wordsIn(name).replaceAll(/secretar(?:y|ies)|tokeni[sz]\w*|tokens$|x-author(?!iz)\w*/g, "");
  if (aboutSecrets.some((word) => words.endsWith(`-${word}`))) return undefined;
  const fits = ({ words: some, where }: TellingName) => some.some((word) => hasWord(words, word, where));
  return tellingNames.find(fits)?.telling;
}

/** Whether a text in `client_secret: {…}` or the like is one: by its look, and not named as `client_id` is. */
export function isSecretWithin(name: string, text: string): boolean {
  const words = `-${wordsIn(name.slice(-200))}`;
  const isAbout = aboutSecrets.some((word) => words.endsWith(`-${word}`));
  return !isAbout && isSecretText(text, "perhaps") && isMostlyRandom(literalOf(text).trim());
}

function wordsIn(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
}

/** Whether a name says by itself that its value is a secret, whatever the value is. */
export function tellsSecret(name: string): boolean {
  const telling = tellingOf(name);
  return telling === "always" || telling === "mostly";
}

/** Whether a member is a secret: by schema, by name and look, or as a known provider's key; never an expression. */
export function isSecretMember(name: string, value: Json, known?: Field): boolean {
  if (known?.writeOnly) return true;
  if (Array.isArray(value)) return value.some((item) => isSecretMember(name, item, known));
  return typeof value === "string" && isSecretText(value, known ? undefined : tellingOf(name));
}

/** Whether a text is a secret where its name is so telling; an expression in it is none. */
export function isSecretText(text: string, telling: Telling | undefined): boolean {
  if (telling === undefined && text.length < shortestKey) return false;
  const literal = literalOf(text).trim();
  if (literal === "") return false;
  if (isProviderKey(literal)) return true;
  if (telling === "always") return !isSchemeAlone(text, literal);
  if (telling === "mostly") return !isPlainWord(literal) && !isSchemeAlone(text, literal);
  return telling === "perhaps" && looksRandom(literal);
}

/** Whether a text is the key of a known provider, perhaps with the name of a scheme before it. */
export function isProviderKey(text: string): boolean {
  const [key] = text.trim().match(anyKey) ?? [];
  return (
    key !== undefined &&
    (!/\s/.test(text.trim()) || /^\w{1,40} \S{1,9000}$/.test(text.trim()) || key.startsWith("-----"))
  );
}

/** Gives the ranges of the keys of known providers in a text. */
export function keysIn(text: string): { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(anyKey)].map(({ 0: key, index }) => ({ start: index, end: index + key.length }));
}

/** What looks like a key or a password in a text: what it is, and its own text, which is never shown. */
export interface KeyWithin {
  readonly what: string;
  readonly secret: string;
}

/** Finds what in a text looks like a key or a password; undefined if nothing does. */
export function keyWithin(text: string): KeyWithin | undefined {
  const [key] = (text.length < shortestKey ? undefined : text.match(anyKey)) ?? [];
  if (key !== undefined) {
    const [provider] = providerKeys.find(([, form]) => form.test(key)) ?? ["a provider"];
    return { what: `a key of ${provider}`, secret: key };
  }
  const [address] = (text.includes("://") ? passwordInAddress.exec(text) : undefined) ?? [];
  return address === undefined ? undefined : { what: "an address with a password", secret: address };
}

/** Whether a text is made by a machine: long, and neither words nor numbers nor an address. */
export function looksRandom(text: string): boolean {
  if (text.length < 12 || isAddress(text)) return false;
  const pieces = text.replace(/^(?:bearer|basic|token) /i, "");
  return !/\s/.test(pieces) && pieces.split(notOfWord).some((part) => part.length >= 8 && !isWorded(part));
}

/** Whether a text may be a password or a key, whatever its name is: it has more than words, numbers and addresses. */
export function mayBeSecret(text: string): boolean {
  return text.split(/\s+/).some((each) => {
    return !isAddress(each) && each.split(notOfWord).some((part) => part.length >= 5 && !isWorded(part));
  });
}

/** Whether a text before or after an expression only says how the secret is given, such as `Bearer` or `session=`. */
export function isScheme(text: string): boolean {
  return scheme.test(text);
}

const notOfWord = /[^A-Za-z0-9]+/;

// A picture in a text is an address, too.
function isAddress(text: string): boolean {
  return /^(?:[a-z][a-z+.-]{0,30}:\/\/|data:[a-z]{1,20}\/)/i.test(text);
}

// Of a UUID, an ARN, a host or the ID of a model, less than this is neither words nor numbers.
const mostOf = 0.6;

function isMostlyRandom(text: string): boolean {
  const parts = text.split(notOfWord).filter((part) => part.length >= 5 && !/^\d+$/.test(part));
  const random = parts.filter((part) => !isWorded(part) && !isNumbered(part));
  return random.some((part) => part.length >= 8) && random.join("").length >= mostOf * text.length;
}

// Such as `OAuth2Token`.
function isNumbered(part: string): boolean {
  const words = part.length > 40 ? null : /^([A-Za-z]{3,})\d{1,3}([A-Za-z]{3,}\d{0,10})$/.exec(part);
  return words !== null && words.slice(1).every(isWorded);
}

function hasWord(words: string, word: string, where: TellingName["where"]): boolean {
  if (where === "anywhere") return words.includes(word);
  return words === word || words.endsWith(`-${word}`);
}

// Words with small or large initials, and a number at the end; a letter between others of another size is of no word.
function isWorded(part: string): boolean {
  const [, letters] = part.length > 40 ? [] : (/^([A-Za-z]*)\d{0,10}$/.exec(part) ?? []);
  return letters !== undefined && !/(?<![a-z])[a-z](?![a-z])/.test(letters);
}

// `optional` and `user_id` say what is wanted.
function isPlainWord(text: string): boolean {
  return /^(?:[A-Za-z]{1,8}|(?=.{1,16}$)[a-z]+(?:_[a-z]+)+)$/.test(text);
}

// Of `Bearer ${env:NAME}` and `session=${env:NAME}` this is left.
function isSchemeAlone(text: string, literal: string): boolean {
  return text.trim() !== literal && isScheme(literal);
}

// `{{ … }}` is the service's own.
function literalOf(text: string): string {
  if (!text.includes("{")) return text;
  const parts = parseText(text).map((part) => (typeof part === "string" ? part : ""));
  return parts.join("").replaceAll(/\{\{[^{}]{0,400}\}\}/g, "");
}

function splitWords(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(" "));
}
