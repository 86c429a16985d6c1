import type { Secret } from "./secret.js";

const MASK = "[secret]";
/** Less of a value in base64 than this is too common to be told from other text. */
const SHORTEST_INNER_BASE64 = 8;

/** The least length of a secret whose presence in a text is no accident. */
const SHORTEST_TAINT = 8;

/** The secrets that a run has sent, and which its service may give back at any time after. */
export class Redaction {
  readonly #values = new Set<string>();
  #forms: readonly string[] = [];
  #tainting: readonly string[] = [];

  /** Looks for these secrets too from now on. */
  add(secrets: readonly Secret[]): void {
    const values = new Set(secrets.map((secret) => secret.unwrap()));
    const news = [...values].filter((value) => !this.#values.has(value));
    if (news.length === 0) return;
    for (const value of news) this.#values.add(value);
    const long = news.filter((value) => value.trim().length >= SHORTEST_TAINT);
    this.#forms = byLength([...this.#forms, ...news.flatMap(formsOf)]);
    this.#tainting = byLength([...this.#tainting, ...long.flatMap(formsOf)]);
  }

  /** Takes secrets out of a text, in every form: raw, JSON-escaped, HTML-escaped, URL-encoded and base64. */
  redact(text: string): string {
    let masked = text;
    for (const form of this.#forms) masked = masked.replaceAll(form, MASK);
    return masked;
  }

  /** Says whether a text holds a secret; one of less than 8 characters does not count, for it may be there by chance. */
  taints(text: string): boolean {
    return this.#tainting.some((form) => text.includes(form));
  }
}

// The longest first, so that no form is broken up by a shorter one inside it.
function byLength(forms: readonly string[]): string[] {
  return [...new Set(forms)].filter((form) => form !== "").toSorted((a, b) => b.length - a.length);
}

/** Escapes control characters and those that turn the direction of text, and cuts after a number of characters. */
export function excerpt(text: string, length: number): string {
  const start = text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
  return start.replace(
    /[\u0000-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function formsOf(value: string): string[] {
  const raw = [value, value.trim()];
  // A text that was made for a page is often sent inside JSON.
  const forPages = raw.flatMap(htmlForms);
  return [
    ...raw,
    ...forPages,
    ...[...raw, ...forPages].flatMap(jsonForms),
    ...raw.flatMap(urlForms),
    ...raw.flatMap(base64Forms),
  ];
}

// Writers of JSON differ in what they escape beyond what they must: slashes, all but ASCII, what a page could
// take for its own.
function jsonForms(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  const ascii = escapeIn(escaped, /[\u007F-\uFFFF]/g);
  const forPages = escapeIn(escaped, /[&<>]/g);
  const cautious = escapeIn(escaped.replaceAll('\\"', "\\u0022"), /[&'+<>`\u007F-\uFFFF]/g, "upper");
  const twice = JSON.stringify(escaped).slice(1, -1);
  return [
    escaped,
    escaped.replaceAll("/", "\\/"),
    ascii,
    ascii.replaceAll("/", "\\/"),
    forPages,
    cautious,
    twice,
  ];
}

function escapeIn(text: string, characters: RegExp, letters: "lower" | "upper" = "lower"): string {
  return text.replace(characters, (char) => {
    const code = char.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${letters === "upper" ? code.toUpperCase() : code}`;
  });
}

function urlForms(text: string): string[] {
  const encoded = encodeURIComponent(Buffer.from(text).toString());
  const form = new URLSearchParams([["", text]]).toString().slice(1);
  const lower = (code: string): string => code.toLowerCase();
  return [encoded, encoded.replace(/%[0-9A-F]{2}/g, lower), form, form.replace(/%[0-9A-F]{2}/g, lower)];
}

function htmlForms(text: string): string[] {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const quoted = escaped.replaceAll('"', "&quot;");
  return [escaped, quoted, quoted.replaceAll("'", "&#39;"), quoted.replaceAll("'", "&#x27;")];
}

// Inside a longer text, base64 is one of three, by where the value begins; what it shares with its
// neighbours' bytes is left out.
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text);
  const whole = bytes.toString("base64");
  const inner = [0, 1, 2].map((shift) => {
    const bits = (shift + bytes.length) * 8;
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    return encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(bits / 6));
  });
  const forms = [whole, ...inner.filter((form) => form.length >= SHORTEST_INNER_BASE64)];
  return forms.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")]);
}
