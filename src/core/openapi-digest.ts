import type { Hash, Json } from "./json.js";
import { locate, type Place } from "./openapi-pointer.js";

/** Gives the digest of a value of a document with its local `$ref`s resolved: 16 hexadecimal digits. */
export type Digest = (value: Json) => string;

/** A canonical text with a gap for each local `$ref`: `pieces[0] refs[0] pieces[1] … pieces[n]`. */
interface Template {
  pieces: string[];
  refs: string[];
}

/** A place on the way of the search, with the numbers of Tarjan's algorithm. */
interface Visit {
  pointer: string;
  refs: readonly string[];
  next: number;
  index: number;
  low: number;
}

const PREFIX_LENGTH = "sha256:".length;
const DIGEST_LENGTH = 16;

function buildTemplate(root: Json, pointerOf: (ref: string) => string | undefined): Template {
  const pieces: string[] = [];
  const refs: string[] = [];
  // Joined at the end: one long += makes a rope that costs twice the time on a large document.
  let parts: string[] = [];
  const write = (value: Json): void => {
    if (value === null || typeof value !== "object") {
      parts.push(JSON.stringify(value));
    } else if (Array.isArray(value)) {
      parts.push("[");
      for (const [index, item] of value.entries()) {
        if (index > 0) parts.push(",");
        write(item);
      }
      parts.push("]");
    } else {
      const keys = Object.keys(value);
      const pointer = typeof value.$ref === "string" ? pointerOf(value.$ref) : undefined;
      if (pointer !== undefined) {
        pieces.push(parts.join(""));
        refs.push(pointer);
        parts = [];
        if (keys.length === 1) return;
      }
      let mark = "{";
      for (const key of keys.toSorted()) {
        if (pointer !== undefined && key === "$ref") continue;
        parts.push(`${mark}${JSON.stringify(key)}:`);
        write(value[key] as Json);
        mark = ",";
      }
      parts.push(mark === "{" ? "{}" : "}");
    }
  };
  write(root);
  pieces.push(parts.join(""));
  return { pieces, refs };
}

function fill({ pieces, refs }: Template, nameOf: (pointer: string) => string): string {
  return pieces
    .map((piece, index) => {
      const ref = refs[index];
      // No JSON text has a bare @, so nothing that a document says can pass for a resolved reference.
      return ref === undefined ? piece : `${piece}@${nameOf(ref)}`;
    })
    .join("");
}

function isAlias({ pieces, refs }: Template): boolean {
  return refs.length === 1 && pieces.every((piece) => piece === "");
}

/**
 * Searches what can be reached from a place and closes it in circles (places that lead to each other; mostly
 * one alone), each after all that it leads to. A list stands in for recursion, for chains may be very long.
 */
function closeCircles(
  start: string,
  refsOf: (pointer: string) => readonly string[],
  isClosed: (pointer: string) => boolean,
  close: (members: readonly string[]) => void,
): void {
  const open = new Map<string, Visit>();
  const unclosed: string[] = [];
  const way: Visit[] = [];
  let count = 0;
  const enter = (pointer: string): void => {
    const visit = { pointer, refs: refsOf(pointer), next: 0, index: count, low: count };
    count += 1;
    open.set(pointer, visit);
    unclosed.push(pointer);
    way.push(visit);
  };
  const leave = (visit: Visit): void => {
    way.pop();
    const parent = way.at(-1);
    if (parent !== undefined) parent.low = Math.min(parent.low, visit.low);
    if (visit.low < visit.index) return;
    const members = unclosed.splice(unclosed.lastIndexOf(visit.pointer));
    for (const member of members) open.delete(member);
    close(members);
  };
  enter(start);
  for (let visit = way.at(-1); visit !== undefined; visit = way.at(-1)) {
    const ref = visit.refs[visit.next];
    visit.next += 1;
    if (ref === undefined) leave(visit);
    else if (open.has(ref)) visit.low = Math.min(visit.low, open.get(ref)?.index ?? visit.low);
    else if (!isClosed(ref)) enter(ref);
  }
}

/**
 * Makes the digest function of one document. Each place that a `$ref` points to is digested once, by its
 * content and the digests of what it points to; places that point to each other in a circle are digested
 * together, by their pointers, so that the way in does not matter. External and dangling `$ref`s count as text.
 */
export function buildDigest(document: Json, hash: Hash): Digest {
  const places = new Map<string, Place | undefined>();
  const values = new Map<string, Json>();
  const templates = new Map<string, Template>();
  const digests = new Map<string, string>();

  const pointerOf = (ref: string): string | undefined => {
    if (!places.has(ref)) {
      const place = locate(document, ref);
      places.set(ref, place);
      if (place !== undefined) values.set(place.pointer, place.value);
    }
    return places.get(ref)?.pointer;
  };
  const known = (pointer: string): string => digests.get(pointer) ?? "";
  const digestTemplate = (template: Template): string =>
    isAlias(template) ? known(template.refs[0] ?? "") : hash(fill(template, known));

  const refsOf = (pointer: string): readonly string[] => {
    const template = buildTemplate(values.get(pointer) ?? null, pointerOf);
    templates.set(pointer, template);
    return template.refs;
  };
  const close = (members: readonly string[]): void => {
    const inside = new Set(members);
    const named = members.flatMap((pointer) => {
      const template = templates.get(pointer);
      templates.delete(pointer);
      return template === undefined ? [] : [{ pointer, name: JSON.stringify(pointer), template }];
    });
    const [only] = named;
    if (only !== undefined && named.length === 1 && !only.template.refs.includes(only.pointer)) {
      digests.set(only.pointer, digestTemplate(only.template));
      return;
    }
    const nameOf = (pointer: string): string =>
      inside.has(pointer) ? JSON.stringify(pointer) : known(pointer);
    const texts = named.map(({ name, template }) => `${name}=${fill(template, nameOf)}`);
    const circle = hash(texts.toSorted().join("\n"));
    for (const { pointer, name } of named) digests.set(pointer, hash(`${circle} ${name}`));
  };

  return (value) => {
    const template = buildTemplate(value, pointerOf);
    for (const ref of template.refs) {
      if (!digests.has(ref)) closeCircles(ref, refsOf, (pointer) => digests.has(pointer), close);
    }
    return digestTemplate(template).slice(PREFIX_LENGTH, PREFIX_LENGTH + DIGEST_LENGTH);
  };
}
