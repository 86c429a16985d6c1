import { hasErrors, type Finding, type Place } from "../finding/diagnostic.js";
import { type Path, valueAt } from "../../json/path.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import type { Inclusion } from "../expression/inclusion.js";
import type { Substitution } from "../expression/substitution.js";
import type { KindFields } from "../kind/extra-fields.js";
import type { Kind } from "../kind/kind.js";
import { kinds } from "../kind/kinds.js";
import { checkDocument } from "../schema/document-check.js";
import { collectLiterals, explainUnresolved } from "../schema/literal.js";
import type { FieldRules } from "../schema/field-check.js";
import { explainNotations } from "../schema/notation.js";
import { findMisplaced, placeAt, type Misplaced } from "../schema/typed-place.js";
import { layerAt, placeOf, type Layer } from "./layer.js";
import { patchedEnvironments, type MergedLayers } from "./merge-layers.js";

/** A document of a kind that is known, its layers merged. */
export interface PlacedDocument {
  readonly merged: MergedLayers;
  readonly kind: Kind;
  readonly fields: KindFields;
  readonly layers: readonly Layer[];
  /** Gives the place of a part of it, in the layer that it comes from. */
  readonly place: (path: Path) => Place;
}

/** Checks a merged document: what is wrong, what else its texts may be, and whether a value may be shown. */
export function checkMerged(
  document: PlacedDocument,
  unspliced: readonly Finding[],
  { inclusion }: Substitution,
) {
  const { kind, fields, layers, place } = document;
  const { value, spec, unresolved } = document.merged;
  const { literals, notations } = wordsOf(document);
  const rules = rulesOf(document, inclusion);
  const removals = layers.slice(1).map((layer) => layer.value);
  const checked = checkDocument(value, kind.validate, kind.fields, rules, removals);
  const skipped = new PathSet(unresolved.paths);
  const findings = [
    ...unresolved.findings,
    ...notations,
    ...checked.filter((each) => !isEcho(each, skipped)),
  ];
  const places = findMisplaced(value.spec ?? null, spec.uses, kind, fields, rules);
  findings.push(...notToldOf(unspliced, places));
  const misplaced = untold(places, [...unresolved.paths, ...pathsOf(findings)]);
  findings.push(...unresolvedLabels(value, place), ...patchedEnvironments(layers));
  if (!hasErrors(findings) && isObject(value.spec))
    findings.push(...kind.check(value.spec, (...path) => place(["spec", ...path]), fields.extra));
  return { findings, literals, misplaced, isQuotable: (path: Path) => !rules.isIncluded(path) };
}

function wordsOf({ kind, fields, layers }: PlacedDocument) {
  const isTyped = (path: Path) => typeof placeAt(path, fields) === "string";
  return {
    literals: layers.flatMap((layer) => collectLiterals(layer.value, kind, placeOf(layer), isTyped)),
    notations: layers.flatMap((layer) => explainNotations(layer.value, kind, placeOf(layer), isTyped)),
  };
}

function notToldOf(unspliced: readonly Finding[], places: readonly Misplaced[]): readonly Finding[] {
  if (unspliced.length === 0) return unspliced;
  const wrong = new PathSet(places.filter(isOtherThanTools).map(({ finding }) => finding.place?.path ?? []));
  return unspliced.filter((each) => !wrong.has(each.place?.path ?? []));
}

function untold(places: readonly Misplaced[], told: readonly Path[]): readonly Misplaced[] {
  if (places.length === 0) return places;
  const paths = new PathSet(told);
  return places.filter(({ finding }) => !paths.has(finding.place?.path ?? []));
}

function pathsOf(findings: readonly Finding[]): Path[] {
  return findings.map((each) => each.place?.path ?? ["spec", ""]);
}

// Where tools belong, it is said of a whole set how it is written.
function isOtherThanTools({ takes }: Misplaced): boolean {
  return takes === undefined || !kinds[takes].operations;
}

function rulesOf({ layers, merged, kind, fields, place }: PlacedDocument, inclusion: Inclusion): FieldRules {
  const { value, spec, unresolved, includedFiles } = merged;
  const included = new PathSet([...spec.included, ...unresolved.included]);
  // Those whose file is data.
  const data = new PathSet(spec.origins.map(({ path }) => path));
  const isWritten = (path: Path, isSame: (written: Json) => boolean) =>
    layers.some((layer) => {
      const written = valueAt(layer.value, path);
      return written !== undefined && isSame(written);
    });
  return {
    place,
    unknownInSpec: kind.unknownField,
    extra: fields.extra,
    places: fields.places,
    findIncluded: (text) => inclusion.find(text, new Set(includedFiles)),
    isIncluded: (path: Path) =>
      included.covers(path) && !isWritten(path, (each) => each === valueAt(value, path)),
    isIncludedText: (path: Path) => included.covers(path) && !data.covers(path),
    isResolved: (path: Path) => isResolved(value, layers, path),
    isIncludedKey: (path: Path) => included.covers(path) && !isWritten(path, () => true),
  };
}

function isResolved(value: Json, layers: readonly Layer[], path: Path): boolean {
  const written = valueAt(layerAt(layers, path)?.value ?? null, path);
  return typeof written === "string" && written !== valueAt(value, path);
}

function unresolvedLabels({ metadata }: JsonObject, place: (path: Path) => Place): Finding[] {
  if (!isObject(metadata) || !isObject(metadata.labels)) return [];
  const at = (path: Path) => place(["metadata", "labels", ...path]);
  return explainUnresolved(metadata.labels, "`metadata.labels`", "write the value itself", at);
}

// An unresolved value would be reported a second time for its type; its key is still checked.
function isEcho({ place: { path = [], key = false } = { file: "" } }: Finding, unresolved: PathSet): boolean {
  return unresolved.covers(key ? path.slice(0, -1) : path);
}

// Most sets are empty, and each document has several.
const none: ReadonlySet<string> = new Set();

/** A set of paths that can tell whether one of them is the beginning of a given path. */
class PathSet {
  readonly #texts: ReadonlySet<string>;

  constructor(paths: readonly Path[]) {
    this.#texts = paths.length > 0 ? new Set(paths.map((path) => JSON.stringify(path))) : none;
  }

  has(path: Path): boolean {
    return this.#texts.size > 0 && this.#texts.has(JSON.stringify(path));
  }

  /** Whether a path, or a part of the document around it, is in the set. */
  covers(path: Path): boolean {
    if (this.#texts.size === 0) return false;
    for (let length = 0; length <= path.length; length++) {
      if (this.#texts.has(JSON.stringify(path.slice(0, length)))) return true;
    }
    return false;
  }
}
