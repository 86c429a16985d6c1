import { groupBy } from "../../json/groups.js";
import { hash } from "../../digest.js";
import { warning, type Finding } from "../finding/diagnostic.js";
import { didYouMean } from "../finding/nearest.js";
import type { Document } from "../document/document.js";
import type { KindName } from "../../generated/kinds.js";
import { isObject, member, type Json, type JsonObject } from "../../json/json.js";
import { once } from "../../json/once.js";
import { kindOfDocument } from "../kind/kinds.js";
import { keysOf, type Layer } from "./layer.js";
import { layOver } from "../../json/merge-patch.js";

/** One of the manifest's `defaults`: a part of a `spec` that is laid under documents. */
export interface Default {
  readonly kind: KindName;
  /** The labels that a document must have, all of them. */
  readonly selector: Readonly<Record<string, string>>;
  readonly layer: Layer;
}

/** The kind and the labels of a document, as written in it. */
export interface Labelled {
  readonly kind: KindName;
  readonly labels: JsonObject;
  /** Whether it has a null, which takes away what any default may give. */
  readonly hasNull?: boolean;
}

/** The defaults of a manifest, in its order. */
export class Defaults {
  readonly #byKind: ReadonlyMap<KindName, readonly Default[]>;
  readonly #digests = new Map<string, string>();

  constructor(private readonly all: readonly Default[]) {
    this.#byKind = groupBy(all, ({ kind }) => kind);
  }

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  get count(): number {
    return this.all.length;
  }

  /** Gives the defaults of a document, the lowest first. */
  of(labelled: Labelled): Layer[] {
    const chosen = this.#byKind.get(labelled.kind)?.filter((each) => selects(each, labelled)) ?? [];
    return chosen.map(({ layer }) => layer);
  }

  /** Gives the layers of a document with its defaults, the lowest first. */
  under(document: Layer): Layer[] {
    const labelled = this.isEmpty ? undefined : labelledOf(document);
    if (!labelled) return [document];
    return withoutUnusedNulls([...this.of(labelled), document], this.#allOf(labelled.kind));
  }

  // What they give to any document of a kind, where it matters only what has a value.
  readonly #allOf = once((kind: KindName): Json => {
    const layers = this.all.filter((each) => each.kind === kind).map(({ layer }) => layer.value);
    return layers.reduce<Json>(union, {});
  });

  /** Gives the digest of what the defaults mean for a document; undefined if its kind has none. */
  digestOf(labelled: Labelled): string | undefined {
    const { kind } = labelled;
    const layers = this.of(labelled);
    const takesAway = labelled.hasNull === true || layers.some(({ value }) => hasNull(value));
    if (layers.length === 0 && !(takesAway && this.#byKind.has(kind))) return undefined;
    const key = [kind, takesAway, ...layers.map(({ at }) => at?.join("."))].join();
    const all = takesAway ? keysOf(this.#allOf(kind)) : null;
    const digest = this.#digests.get(key) ?? hash(JSON.stringify([layers, all]));
    this.#digests.set(key, digest);
    return digest;
  }

  /** Finds the defaults that no document uses, unless a document that is not known may use them. */
  explainUnused(documents: () => Iterable<Labelled>, mayUse: (kind: KindName) => boolean): Finding[] {
    if (this.isEmpty) return [];
    const unused = new Set(this.all.filter(({ kind }) => !mayUse(kind)));
    for (const document of documents()) {
      if (unused.size === 0) break;
      for (const each of unused) if (selects(each, document)) unused.delete(each);
    }
    return [...unused].map((each) => explainUnused(each, documents()));
  }
}

/** Whether a value has a null as a member of a mapping. */
export function hasNull(value: Json): boolean {
  if (!isObject(value)) return false;
  for (const key in value) {
    const member = value[key] as Json;
    if (member === null || hasNull(member)) return true;
  }
  return false;
}

// A null gives nothing.
function union(one: Json, other: Json): Json {
  if (!isObject(one) || !isObject(other)) return isObject(one) ? one : other;
  const all: JsonObject = { ...one };
  for (const [key, member] of Object.entries(other)) {
    if (member !== null) all[key] = union(Object.hasOwn(all, key) ? (all[key] ?? {}) : {}, member);
  }
  return all;
}

function explainUnused({ kind, selector, layer }: Default, documents: Iterable<Labelled>): Finding {
  const { file, index, at = [] } = layer;
  const ofKind = [...documents].filter((document) => document.kind === kind);
  const place = (...path: string[]) => ({ file, document: index, path: [...at, ...path] });
  const message = "no document uses this default";
  if (ofKind.length === 0) {
    return warning("default-unused", place("kind"), message, "there is no document of this kind");
  }
  const [name = "", value = ""] =
    Object.entries(selector).find(([label, text]) => !ofKind.some(({ labels }) => labels[label] === text)) ??
    [];
  const names = new Set(ofKind.flatMap(({ labels }) => Object.keys(labels)));
  const values = new Set(
    ofKind.flatMap(({ labels }) => (Object.hasOwn(labels, name) ? [String(labels[name])] : [])),
  );
  const meant = names.has(name) ? didYouMean(value, values) : didYouMean(name, names);
  const hint = meant ?? "no document of this kind has these labels: correct them, or remove the default";
  return warning("default-unused", place("selector"), message, hint);
}

/** Gives the kind and the labels of a document; undefined if it has no known kind. */
export function labelledOf({ value }: Document): Labelled | undefined {
  if (!isObject(value) || typeof value.kind !== "string") return undefined;
  const kind = kindOfDocument(value.kind)?.name;
  const labels = isObject(value.metadata) ? value.metadata.labels : undefined;
  return kind && { kind, labels: isObject(labels) ? labels : {} };
}

function selects({ kind, selector }: Default, { kind: own, labels }: Labelled): boolean {
  return kind === own && hasLabels(labels, selector);
}

/** Whether a document has all labels of a selector. */
export function hasLabels(labels: Labelled["labels"], selector: Default["selector"]): boolean {
  return Object.entries(selector).every(
    ([name, value]) => Object.hasOwn(labels, name) && labels[name] === value,
  );
}

/** Leaves out nulls whose default is not for this document; a null for which there is no default is a value. */
function withoutUnusedNulls(layers: readonly Layer[], all: Json): Layer[] {
  if (!layers.some(({ value }) => takesAway(value, all))) return [...layers];
  let below: Json | undefined;
  return layers.map((layer) => {
    const value = dropUnused(layer.value, below, all);
    below = layOver(below, value);
    return { ...layer, value };
  });
}

function takesAway(value: Json, all: Json): boolean {
  if (!isObject(value) || !isObject(all)) return false;
  return Object.keys(all).some(
    (key) =>
      Object.hasOwn(value, key) && (value[key] === null || takesAway(value[key] ?? null, all[key] ?? null)),
  );
}

function dropUnused(value: Json, below: Json | undefined, all: Json): Json {
  if (!isObject(value) || !isObject(all)) return value;
  const kept: JsonObject = {};
  for (const [key, own] of Object.entries(value)) {
    const [lower, given] = [member(below, key), member(all, key)];
    if (given === undefined) kept[key] = own;
    else if (own !== null || lower !== undefined) kept[key] = dropUnused(own, lower, given);
  }
  return kept;
}
