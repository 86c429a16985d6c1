import type { Change } from "../../generated/plan.js";
import {
  readable,
  isExpression,
  parseEnvironmentLocator,
  parseText,
} from "../../core/expression/expression.js";
import { rightToLeft } from "../../core/finding/invisible.js";
import { countEach } from "../../json/groups.js";
import { canonical, equal, type Json } from "../../json/json.js";
import { differenceOfTexts, type TextDifference } from "../difference/text-difference.js";
import { cutText } from "../words/cut-text.js";
import { outlineLines } from "../words/outline-text.js";
import { placeText } from "../words/place-text.js";
import { safeLine } from "../words/terminal-text.js";
import { isNested, scalarText } from "../words/value-text.js";
import { operationLines, outlineOf, outlinePart } from "./outline-change.js";

/** One change as every form shows it; it names no resource, so it can be shown once for many. */
export interface ShownChange {
  /** The field, safe to show. */
  readonly path: string;
  /** Whether the field is new, gone or changed. */
  readonly sign: "+" | "-" | "~";
  /** The file and line that the new value comes from, if not the document's own, safe to show. */
  readonly origin?: string;
  /** The titles in the text that its lines stand under, safe to show. */
  readonly under?: string;
  /** What a hand in the service has to do with it. */
  readonly hand?: string;
  readonly content: ShownContent;
}

/** What a change shows beside its field; texts are safe to show, and each `Json` is as the document has it. */
export type ShownContent =
  /** A value that is new or gone. */
  | { readonly sort: "value"; readonly value: Json }
  /** An OpenAPI document that is new or gone, or an operation: what it is in a few words, then what it holds. */
  | { readonly sort: "outline"; readonly lines: readonly [string, ...string[]] }
  /** A part of an OpenAPI document of which a word or two say all; none where the field says it. */
  | { readonly sort: "part"; readonly words: string }
  /** Two values without members that are short enough to be side by side, and read from left to right. */
  | { readonly sort: "pair"; readonly before: Json; readonly after: Json }
  /** Two values of which at least one has members, or that are not read from left to right. */
  | { readonly sort: "nested"; readonly before: Json; readonly after: Json }
  /** What differs between two texts. */
  | { readonly sort: "difference"; readonly difference: TextDifference }
  /** What differs between two lists, taken as sets. */
  | {
      readonly sort: "items";
      readonly removed: readonly Json[];
      readonly added: readonly Json[];
      readonly moved: readonly MovedReference[];
    }
  /** The same items in another order. */
  | {
      readonly sort: "order";
      readonly before: readonly Json[];
      readonly after: readonly Json[];
      /** Whether the lists are written in the same order too, and differ only in what they refer to. */
      readonly isSameText: boolean;
      readonly moved: readonly MovedReference[];
    }
  /** A text that stays while what it refers to changes; undefined where it is too long for a line. */
  | { readonly sort: "moved"; readonly text: string | undefined; readonly moved: readonly MovedReference[] }
  /** A secret of which only the revision changed, such as `revision 1 → 2`. */
  | { readonly sort: "secret"; readonly revision: string };

/** A reference whose text stays while what it stands for changes. */
export interface MovedReference {
  /** As it is written, such as `${policy:strict}`. */
  readonly name: string;
  /** What happens to what it stands for, such as `gets a new ID`. */
  readonly fate: string;
}

// How long a text, or two values together, may be beside the field.
const longestBeside = 120;

/** Decides what is shown of a change; `fateOf` says what happens to what a reference stands for. */
export function shownChange(
  change: Change,
  fateOf: (reference: string) => string = () => unknownFate,
): ShownChange {
  const shown = withoutOrigin(change, fateOf);
  const origin = change.origin && placeText(change.origin);
  const hand = handOf(change);
  return {
    ...shown,
    ...(origin !== undefined && { origin: safeLine(origin) }),
    ...(change.under && { under: change.under.slice(-shownTitles).map(titleText).join(" › ") }),
    ...(hand !== undefined && { hand }),
  };
}

/** What is said of a text that stays where the plan does not say what happens to what it refers to. */
export const unknownFate = "what it refers to changes";
const shownTitles = 2;
const longestTitle = 80;

function handOf({ undoes, edited, stays, own }: Change): string | undefined {
  if (edited) return "edited, and overwrites a manual edit in the service";
  if (undoes) return "reverts a manual edit in the service";
  if (stays) return "changed in the service, and stays so";
  return own ? "set in the service, not by documents" : undefined;
}

function titleText(text: string): string {
  return safeLine(cutText(text, longestTitle));
}

/** How a form writes a value within a sentence. */
export type Quote = (text: string) => string;

/** Writes a value without a sign around it. */
export const asIs: Quote = (text) => text;

/** Gives what is shown beside the field of a change, before its values; nothing if there is none. */
export function besideField(
  { under, origin, hand }: ShownChange,
  quoteTitle: Quote = JSON.stringify,
  quotePlace: Quote = asIs,
): string | undefined {
  const title = under === undefined ? undefined : `under ${quoteTitle(under)}`;
  const parts = [title, origin && quotePlace(origin), hand].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join("; ") : undefined;
}

function withoutOrigin(change: Change, fateOf: (reference: string) => string): ShownChange {
  const { before, after, references = [] } = change;
  const sign = before === undefined ? "+" : after === undefined ? "-" : "~";
  const part = outlinePart(change);
  if (part) return { path: safeLine(part.path), sign, content: { sort: "part", words: part.words } };
  const path = safeLine(change.path);
  const [name, ...lines] = operationLines(change) ?? [];
  if (name !== undefined)
    return { path, sign, content: { sort: "outline", lines: [safeLine(name), ...lines.map(safeLine)] } };
  const moved = references.map((name) => ({ name: safeLine(`\${${name}}`), fate: safeLine(fateOf(name)) }));
  if (before !== undefined && after !== undefined) {
    const content = twoSided(before, after, moved, change.order === true);
    // What reads bidirectional text shows the second value first, and behind such a name also two numbers.
    const isApart = content.sort === "pair" && rightToLeft.test(path);
    return { path, sign, content: isApart ? { ...content, sort: "nested" } : content };
  }
  const outline = outlineOf(change);
  const content: ShownContent = outline
    ? { sort: "outline", lines: outlineLines(outline) }
    : { sort: "value", value: after ?? before ?? null };
  return { path, sign, content };
}

function twoSided(
  before: Json,
  after: Json,
  moved: readonly MovedReference[],
  isOrder: boolean,
): ShownContent {
  if (Array.isArray(before) && Array.isArray(after)) {
    if (isOrder) return { sort: "order", before, after, isSameText: equal(before, after), moved };
    return {
      sort: "items",
      removed: itemsWithout(before, after),
      added: itemsWithout(after, before),
      moved,
    };
  }
  if (typeof before === "string" && typeof after === "string") {
    return before === after ? sameText(after, moved) : twoTexts(before, after);
  }
  return { sort: isNested(before) || isNested(after) ? "nested" : "pair", before, after };
}

function sameText(text: string, moved: readonly MovedReference[]): ShownContent {
  const isShort = text.length <= longestBeside && !text.includes("\n");
  const shown = moved.length === 0 ? scalarText(text) : safeLine(readable(text));
  return { sort: "moved", text: isShort ? shown : undefined, moved };
}

function twoTexts(before: string, after: string): ShownContent {
  const revision = revisionChange(before, after);
  if (revision !== undefined) return { sort: "secret", revision: safeLine(revision) };
  const [left, right] = shownTexts(before, after);
  const isShort = left.length + right.length <= longestBeside && !/\n/.test(left + right);
  const onlySpaces = left.replace(/\s/gu, "") === right.replace(/\s/gu, "") && left !== "" && right !== "";
  if (isShort && !onlySpaces && !rightToLeft.test(left + right)) return { sort: "pair", before, after };
  return { sort: "difference", difference: withMoved(differenceOfTexts(left, right)) };
}

function withMoved(difference: TextDifference): TextDifference {
  const { lines, moved } = difference;
  return moved === undefined
    ? difference
    : { ...difference, lines: [{ kind: "note", text: moved }, ...lines] };
}

// As a reader sees them; where a literal and an expression would read alike, as they are written.
function shownTexts(before: string, after: string): [string, string] {
  const [left, right] = [readable(before), readable(after)];
  return left === right ? [before, after] : [left, right];
}

// One that is twice here and once there differs once.
function itemsWithout(items: readonly Json[], others: readonly Json[]): Json[] {
  const counts = countEach(others.map(canonical));
  return items.filter((item) => {
    const count = counts.get(canonical(item)) ?? 0;
    counts.set(canonical(item), count - 1);
    return count <= 0;
  });
}

/** Says `revision 1 → 2` if nothing but the revisions of secrets differs; undefined otherwise. */
function revisionChange(before: string, after: string): string | undefined {
  if (!before.includes("${env:") || !after.includes("${env:")) return undefined;
  const [left, right] = [withoutRevisions(before), withoutRevisions(after)];
  if (JSON.stringify(left.parts) !== JSON.stringify(right.parts)) return undefined;
  const changed = left.secrets.flatMap(({ name, revision }, index) => {
    const other = right.secrets[index]?.revision;
    return other === revision ? [] : [{ name, text: `revision ${revision ?? "none"} → ${other ?? "none"}` }];
  });
  const [first, ...more] = changed;
  if (!first) return undefined;
  return more.length === 0 ? first.text : changed.map(({ name, text }) => `${name} ${text}`).join(", ");
}

function withoutRevisions(text: string) {
  const secrets: { readonly name: string; readonly revision: string | undefined }[] = [];
  const parts = parseText(text).map((part) => {
    if (typeof part === "string") return { literal: part };
    const secret =
      isExpression(part) && part.scheme === "env" ? parseEnvironmentLocator(part.locator) : undefined;
    if (!secret) return { source: part.source };
    secrets.push({ name: secret.name, revision: secret.revision });
    return { secret: secret.name };
  });
  return { parts, secrets };
}
