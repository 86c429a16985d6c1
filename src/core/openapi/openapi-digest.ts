import { closeCircles } from "../../json/circles.js";
import { hash } from "../../digest.js";
import { lazy } from "../../json/once.js";
import type { Budget } from "../../json/budget.js";
import { isObject, sortedKeys, type Json, type JsonObject } from "../../json/json.js";
import { buildNames, type PointedValue, type Pointers } from "./openapi-pointer.js";

/** Gives the digest of a value of a document with its local `$ref`s resolved: 64 hexadecimal digits. */
export type Digest = (value: Json) => string;

/** A canonical text with a gap for each local `$ref`: `pieces[0] refs[0] pieces[1] … pieces[n]`. */
interface Template {
  pieces: string[];
  refs: PointedValue[];
}

// The cost of each value and key: a comma, a colon, quotes, and the work to visit it.
const SEPARATOR_COST = 16;
const PREFIX_LENGTH = "sha256:".length;

function buildTemplate(root: Json, pointers: Pointers, budget: Budget): Template {
  const pieces: string[] = [];
  const refs: PointedValue[] = [];
  // Joined at the end, because building a large text with += takes twice the time.
  let parts: string[] = [];
  const write = (value: Json): void => {
    if (budget.isSpent) return;
    if (value === null || typeof value !== "object") {
      const text = JSON.stringify(value);
      budget.spend(text.length + SEPARATOR_COST);
      parts.push(text);
    } else if (Array.isArray(value)) {
      parts.push("[");
      for (let index = 0; index < value.length; index++) {
        if (index > 0) parts.push(",");
        write(value[index] as Json);
      }
      parts.push("]");
    } else {
      const keys = Object.keys(value);
      const place = typeof value.$ref === "string" ? pointers.locate(value.$ref) : undefined;
      budget.spend(keys.reduce((sum, key) => sum + key.length + SEPARATOR_COST, SEPARATOR_COST));
      // No other JSON text begins like that.
      const names = value.discriminator === undefined ? [] : alternatives(value);
      if (names.length > 0) {
        parts.push("#");
        write(names);
      }
      if (place !== undefined) {
        pieces.push(parts.join(""));
        refs.push(place);
        parts = [];
        if (keys.length === 1) return;
      }
      let mark = "{";
      for (const key of sortedKeys(value)) {
        if (place !== undefined && key === "$ref") continue;
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

// Where a discriminator has no mapping, its values are the names of the schemas that it is to choose among.
function alternatives({ oneOf = [], anyOf = [] }: JsonObject): Json[] {
  return [oneOf, anyOf].flat().flatMap((each) => (isObject(each) ? (each.$ref ?? []) : []));
}

function fill({ pieces, refs }: Template, nameOf: (place: PointedValue) => string): string {
  if (refs.length === 0) return pieces.join("");
  return pieces
    .map((piece, index) => {
      const ref = refs[index];
      // A JSON text never contains a bare @, so no content of a document can look like a resolved reference.
      return ref === undefined ? piece : `${piece}@${nameOf(ref)}`;
    })
    .join("");
}

function isAlias({ pieces, refs }: Template): boolean {
  return refs.length === 1 && pieces.every((piece) => piece === "");
}

/** Makes a document's digest function; a circle of `$ref`s is digested as one, so that its entry does not matter. */
export function buildDigest(pointers: Pointers, budget: Budget): Digest {
  const templates = new Map<PointedValue, Template>();
  const digests = new Map<PointedValue, string>();
  const pointerOf = lazy(buildNames);

  const known = (place: PointedValue): string => digests.get(place) ?? "";
  const hashOf = (texts: readonly string[]): string => {
    budget.spend(texts.reduce((sum, text) => sum + text.length, 0));
    return budget.isSpent ? "" : hash(texts.join("\n"));
  };
  const digestTemplate = (template: Template): string => {
    const [only] = template.refs;
    return only !== undefined && isAlias(template) ? known(only) : hashOf([fill(template, known)]);
  };

  const refsOf = (place: PointedValue): readonly PointedValue[] => {
    const template = buildTemplate(place.value, pointers, budget);
    templates.set(place, template);
    return template.refs;
  };
  const close = (members: readonly PointedValue[]): void => {
    const inside = new Set(members);
    const named = members.flatMap((place) => {
      const template = templates.get(place);
      templates.delete(place);
      return template === undefined ? [] : [{ place, template }];
    });
    const [only] = named;
    if (only !== undefined && named.length === 1 && !only.template.refs.includes(only.place)) {
      digests.set(only.place, digestTemplate(only.template));
      return;
    }
    const nameOf = (place: PointedValue): string => JSON.stringify(pointerOf()(place));
    const nameOrDigest = (place: PointedValue): string => (inside.has(place) ? nameOf(place) : known(place));
    const texts = named.map(({ place, template }) => `${nameOf(place)}=${fill(template, nameOrDigest)}`);
    const circle = hashOf(texts.toSorted());
    for (const { place } of named) digests.set(place, hashOf([`${circle} ${nameOf(place)}`]));
  };

  return (value) => {
    const template = buildTemplate(value, pointers, budget);
    for (const ref of template.refs) {
      if (!digests.has(ref)) closeCircles(ref, refsOf, (place) => digests.has(place), close);
    }
    return digestTemplate(template).slice(PREFIX_LENGTH);
  };
}
