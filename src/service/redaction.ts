import { decode, hasEscapes } from "./decoding.js";
import type { Secret } from "./secret.js";
import type { Json } from "../json/json.js";

const MASK = "[secret]";
/** Fewer base64 characters than this are too common to be recognised. */
const SHORTEST_INNER_BASE64 = 8;

/** The minimum length of a secret that cannot appear in a text by chance. */
const SHORTEST_TAINT = 8;

/** How many layers of escapes are decoded; a text with more is withheld, because it cannot be searched. */
const MOST_LAYERS = 8;

/** How much of a text is searched, and how much of that may be shown: a secret that is cut off would not be found. */
const LONGEST_LOOK = 262_144;
const LONGEST_SHOWN = 131_072;

/** How many characters may still be decoded, so that the time for an answer is limited by its size. */
interface Effort {
  left: number;
}

/** The effort for one answer. */
const mostEffort = 1_000_000;

type SecretSpan = readonly [at: number, end: number];

/** Gives the range in a text for one of a layer of it. */
type SourceOf = (at: number, end: number) => SecretSpan;
type LayerVisit = (layer: string, source: SourceOf) => void;

/** One way in which a secret can be written. */
interface SecretForm {
  readonly text: string;
  /** The least length of its source: a form that is shorter than the secret counts only where it was escaped. */
  readonly leastSource: number;
  /** Whether the secret is too long to appear in a text by chance. */
  readonly isTainting: boolean;
}

/** The secrets that a run has sent; the service may echo them at any time after. */
export class Redaction {
  readonly #values = new Set<string>();
  readonly #forms: SecretForm[] = [];

  add(secrets: readonly Secret[]): void {
    for (const secret of secrets) {
      const value = secret.unwrap();
      if (this.#values.has(value)) continue;
      this.#values.add(value);
      const isTainting = value.trim().length >= SHORTEST_TAINT;
      for (const [text, leastSource] of formsOf(value)) {
        if (text !== "") this.#forms.push({ text, leastSource, isTainting });
      }
    }
  }

  /** Removes secrets, raw or in base64, under any layers of JSON, URL or HTML escapes; keeps 131,072 characters. */
  redact(text: string): string {
    const ranges: SecretSpan[] = [];
    const looked = text.slice(0, LONGEST_LOOK);
    const look: LayerVisit = (layer, source) => {
      for (const form of this.#forms) for (const range of placesOf(form, layer, source)) ranges.push(range);
    };
    if (!eachLayer(looked, look, { left: LONGEST_LOOK * 4 })) return MASK;
    return mask(text.length > LONGEST_LOOK ? text.slice(0, LONGEST_SHOWN) : text, ranges);
  }

  /** Whether a text has a secret, or cannot be searched; not below 8 characters, which may appear by chance. */
  taints(text: string, effort: Effort = { left: mostEffort }): boolean {
    let isTainted = false;
    const look: LayerVisit = (layer, source) => {
      for (const form of this.#forms) {
        isTainted ||= form.isTainting && !placesOf(form, layer, source).next().done;
      }
    };
    const isSeenThrough = eachLayer(text, look, effort);
    return isTainted || !isSeenThrough;
  }
}

function* placesOf(
  { text, leastSource }: SecretForm,
  layer: string,
  source: SourceOf,
): Generator<SecretSpan> {
  for (let at = layer.indexOf(text); at !== -1; at = layer.indexOf(text, at + text.length)) {
    const range = source(at, at + text.length);
    if (range[1] - range[0] >= leastSource) yield range;
  }
}

// Visits a text with zero, one, and more layers of escapes decoded; says whether all layers were visited.
function eachLayer(text: string, visit: LayerVisit, effort: Effort): boolean {
  let source: SourceOf = (at, end) => [at, end];
  let layer = text;
  for (let taken = 0; taken <= MOST_LAYERS; taken++) {
    visit(layer, source);
    visitUnwrapped(layer, source, visit);
    if (!hasEscapes(layer)) return true;
    effort.left -= layer.length;
    if (effort.left < 0) return false;
    const decoded = decode(layer);
    if (!decoded) return true;
    const outer = source;
    source = (at, end) => outer(...decoded.source(at, end));
    layer = decoded.text;
  }
  return false;
}

// Base64 is often split into lines.
function visitUnwrapped(layer: string, source: SourceOf, visit: LayerVisit): void {
  if (!/[\r\n]/.test(layer)) return;
  const places: number[] = [];
  let unwrapped = "";
  for (const { 0: line, index } of layer.matchAll(/[^\r\n]+/g)) {
    unwrapped += line;
    for (let offset = 0; offset < line.length; offset++) places.push(index + offset);
  }
  visit(unwrapped, (at, end) => source(places[at] ?? 0, (places[end - 1] ?? 0) + 1));
}

// Ranges that overlap belong to one secret, or to a secret inside a longer one.
function mask(text: string, ranges: readonly SecretSpan[]): string {
  let masked = "";
  let from = 0;
  let end = 0;
  for (const [at, to] of ranges.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (at >= text.length) break;
    if (at >= end) {
      masked += text.slice(from, at) + MASK;
    }
    end = Math.max(end, to);
    from = end;
  }
  return masked + text.slice(from);
}

// A text is searched with its escapes decoded, so a part of a secret that looks like an escape is decoded as well.
function formsOf(value: string): ReadonlyMap<string, number> {
  const wellFormed = Buffer.from(value).toString();
  const raw = [value, wellFormed].flatMap((text) => [text, text.trim()]);
  // In a form, a space is written as a plus sign.
  const spelt = raw.flatMap((text) => [text, text.replaceAll(" ", "+")]);
  const forms = new Map<string, number>();
  for (const text of spelt) eachLayer(text, (layer) => forms.set(layer, text.length), { left: mostEffort });
  const whole = [...spelt, ...raw.flatMap((text) => [text, ...jsonForms(text)]).flatMap(base64Forms)];
  for (const text of whole) forms.set(text, 0);
  return forms;
}

// Base64 may contain a body in which the value is escaped for JSON; some writers escape everything but ASCII.
function jsonForms(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  const ascii = escaped.replace(/[^\0-\x7f]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return [...new Set([escaped, ascii])].filter((form) => form !== text);
}

// Inside a longer text base64 has three forms, by where the value begins; what neighbours share is left out.
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

/** Removes secrets from an answer, in place: an ID that a service derived from one must not get into a lock. */
export function withhold(
  answer: Json,
  redaction: Redaction,
): { readonly answer: Json; readonly withheld: boolean } {
  const effort = { left: mostEffort };
  const isTainted = (value: Json): boolean =>
    typeof value === "string" || typeof value === "number" ? redaction.taints(String(value), effort) : false;
  if (isTainted(answer)) return { answer: null, withheld: true };
  let withheld = false;
  // A work list instead of recursion: an answer may be nested deeper than the call stack allows.
  const open: Json[] = [answer];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      if (!Array.isArray(value) && redaction.taints(key, effort)) Reflect.deleteProperty(value, key);
      else if (isTainted(member)) Reflect.set(value, key, null);
      else {
        open.push(member);
        continue;
      }
      withheld = true;
    }
  }
  return { answer, withheld };
}
