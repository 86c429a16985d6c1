import { countEach } from "../../json/groups.js";
import { canonical, equal, isObject, type Json, member, listOf } from "../../json/json.js";
import { oncePer } from "../../json/once.js";
import { pathSegment } from "../../json/path.js";
import { outlineBudget } from "../openapi/openapi.js";
import { operationSources, routeOf } from "../openapi/openapi-operation.js";
import { childOf, parsePointer, Pointers } from "../openapi/openapi-pointer.js";
import { isOutline, wordKeys } from "../openapi/outline-shape.js";
import { hiddenRuns, isPlain, type HiddenRun } from "./hidden-characters.js";
import { mixedWords } from "./letters.js";
import type { HiddenPart } from "./note-parts.js";
import type { RemarkOf, Subject } from "./rule.js";

/** Finds words with letters of several scripts in text that is added. */
export function mixedScripts(subject: Subject): RemarkOf<"mixed-scripts">[] {
  const found = addedTexts(subject).flatMap(({ field, texts }) => {
    const words = new Map(texts.flatMap(mixedWords).map((each) => [each.word, each]));
    return words.size > 0 ? [{ field, words }] : [];
  });
  if (found.length === 0) return [];
  const known = new Set(
    textsBefore(subject)
      .flatMap(mixedWords)
      .map(({ word }) => word),
  );
  return found.flatMap(({ field, words }) => {
    const added = [...words.values()].filter(({ word }) => !known.has(word));
    return added.length > 0 ? [{ path: pathSegment(field), parts: { field, words: added } }] : [];
  });
}

/** Makes the finder of what is hidden in added text: grave are tags, and characters that reorder what is shown. */
export function hiddenText(areGrave: boolean): (subject: Subject) => RemarkOf<"hidden-text">[] {
  return (subject) => hiddenIn(subject, ({ isGrave }) => isGrave === areGrave);
}

function hiddenIn(subject: Subject, isWanted: (run: HiddenRun) => boolean): RemarkOf<"hidden-text">[] {
  const found = addedTexts(subject).flatMap(({ field, texts }) => {
    const runs = texts.flatMap(hiddenRuns).filter(isWanted);
    return runs.length > 0 ? [{ field, runs }] : [];
  });
  if (found.length === 0) return [];
  const old = textsBefore(subject).flatMap(hiddenRuns);
  const lines = new Set(old.map(({ line }) => line));
  // What only went to another line was there before.
  const left = countEach(old.map(({ text }) => text));
  const all = found.flatMap(({ runs }) => runs);
  for (const { text, line } of all) if (lines.has(line)) left.set(text, (left.get(text) ?? 0) - 1);
  return found.flatMap(({ field, runs }) => {
    const added = runs.filter(({ text, line }) => {
      if (lines.has(line)) return false;
      const before = left.get(text) ?? 0;
      left.set(text, before - 1);
      return before <= 0;
    });
    if (added.length === 0) return [];
    return [{ path: pathSegment(field), parts: { field, runs: added.map(partOf) } }];
  });
}

// Never what stands beside a secret.
function partOf({ characters, count, after, spells, line }: HiddenRun): HiddenPart {
  return {
    characters: [...characters],
    count,
    after: line.includes("${env:") ? "" : after,
    ...(spells !== undefined && { spells }),
  };
}

/** The texts of a field with more than plain ASCII that were not anywhere in the resource before, its names among them. */
interface AddedText {
  readonly field: string;
  readonly texts: readonly string[];
}

// In any field; of an OpenAPI document those of operations that changed.
const addedTexts = oncePer((subject: Subject): readonly AddedText[] => {
  const { changed, after } = subject;
  const found = [...changed].flatMap((field) => {
    const values = [member(after.body, field) ?? null, ...documentParts(field, subject)];
    const texts = new Set(values.flatMap((value) => textsOf(value)).filter((text) => !isPlain(text)));
    return texts.size > 0 ? [{ field, texts }] : [];
  });
  if (found.length === 0) return [];
  const known = new Set(textsBefore(subject));
  return found.flatMap(({ field, texts }) => {
    const added = [...texts].filter((text) => !known.has(text));
    return added.length > 0 ? [{ field, texts: added }] : [];
  });
});

function textsBefore({ before }: Subject): string[] {
  return textsOf(before.body);
}

function textsOf(value: Json, found: string[] = []): string[] {
  if (typeof value === "string") found.push(value);
  else if (Array.isArray(value)) for (const each of value) textsOf(each, found);
  else if (isObject(value)) {
    for (const [key, each] of Object.entries(value)) {
      found.push(key);
      textsOf(each, found);
    }
  }
  return found;
}

// The lock has an outline alone, so that what an operation said before is not known in every word.
function documentParts(field: string, { before, after, documents }: Subject): Json[] {
  const document = member(documents, field);
  if (document === undefined) return [];
  const known = member(before.body, field);
  if (known === undefined) return [document];
  const old = new Set(listOf(member(known, "operations")).map(canonical));
  const outline = member(after.body, field);
  const operations = isOutline(outline) ? outline.operations : [];
  const changed = new Set(operations.filter((each) => !old.has(canonical(each))).map(routeOf));
  const isSame = equal(member(known, "servers"), member(outline, "servers"));
  const parts = operationSources(document, new Pointers(document, outlineBudget()))
    .filter(({ operation }) => changed.has(routeOf(operation)))
    .flatMap(({ pathItem, content }) => [...sharedKeys.flatMap((key) => pathItem[key] ?? []), content]);
  return withReferred([...parts, ...(isSame ? [] : [member(document, "servers") ?? null])], document);
}

// What the path says for all of its operations is a part of each.
const sharedKeys = [...wordKeys, "parameters", "servers"];

// Each part of the document once, however many operations refer to it.
function withReferred(parts: readonly Json[], document: Json): Json[] {
  const all = [...parts];
  const seen = new Set<Json>();
  const visit = (value: Json): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isObject(value)) return;
    const target = referred(value, document);
    if (target !== undefined && !seen.has(target)) {
      seen.add(target);
      all.push(target);
    }
    Object.values(value).forEach(visit);
  };
  for (const part of all) visit(part);
  return all;
}

function referred(value: Json, document: Json): Json | undefined {
  const reference = member(value, "$ref");
  const pointer = typeof reference === "string" ? parsePointer(reference) : undefined;
  return pointer?.reduce<Json | undefined>(childOf, document);
}
