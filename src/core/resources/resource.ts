import type { FieldsByKind } from "../kind/extra-fields.js";
import { error, hasErrors, type Finding, type Place } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { type Path, valueAt } from "../../json/path.js";
import type { Document } from "../document/document.js";
import { checkDocument } from "../schema/document-check.js";
import { parseEnvironmentLocator } from "../expression/expression.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { kinds } from "../kind/kinds.js";
import type { Kind } from "../kind/kind.js";
import { readEnvelope } from "./envelope.js";
import { collectLiterals, explainUnresolved, type Literal } from "../schema/literal.js";
import type { Operation } from "../openapi/openapi.js";
import { warnOfExternals } from "./external-reference.js";
import { explainUnknownKeys } from "./unknown-openapi-key.js";
import { explainWithoutOperations } from "./without-operations.js";
import { explainNotations } from "../schema/notation.js";
import { isWholeSet, toReference, type Reference } from "../expression/reference.js";
import type { Use } from "../expression/substituted.js";
import { layerAt, placeIn, placeOf, type Layer } from "./layer.js";
import { madeSecrets } from "./made-secret.js";
import { mergeLayers, patchedEnvironments } from "./merge-layers.js";
import { findMisplaced, placeAt, type Misplaced } from "../schema/typed-place.js";
import { PathSet } from "../finding/path-set.js";
import type { Substitution } from "../expression/substitution.js";

/** A reference and its place. */
export interface PlacedReference extends Reference {
  readonly place: Place;
}

/** An environment variable that apply needs for the body, and its place. */
export interface SecretUse {
  readonly name: string;
  readonly place: Place;
}

/** A document that can be planned. Members that only changed resources need are read on demand. */
export interface Resource {
  readonly address: string;
  readonly kind: Kind;
  readonly key: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The digest of the part of the body that the lock keeps. */
  readonly digest: string;
  /** The desired body: references and secrets symbolic, large documents as outlines. */
  readonly body: JsonObject;
  /** The complete documents behind the outlines of the body, by field. */
  readonly documents: JsonObject;
  /** The operations of these documents that are not picked. */
  readonly leftOut: readonly Operation[];
  readonly references: readonly Reference[];
  /** The same references with their places. */
  readonly placedReferences: readonly PlacedReference[];
  readonly secrets: readonly SecretUse[];
  readonly lifecycle: ResourceLifecycle;
  readonly file: string;
  /** All of its files, the document's own first. */
  readonly files: readonly string[];
  /** Where the last patch of the environment for it is, if there is one. */
  readonly patch: Place | undefined;
  /** Gives the place of a part of the document, in the layer that it comes from. */
  place(path: Path): Place;
  /** Gives the type of the layer that a part of the document comes from; undefined if none has it. */
  layerType(path: Path): Layer["type"] | undefined;
  /** Whether a part of the document lies over one of a lower layer, or of one of these. */
  isOver(path: Path, of?: readonly Pick<Layer, "file" | "at">[]): boolean;
}

/** The content of a document, as plain data. */
export interface ResourceContent extends Pick<
  Resource,
  "kind" | "key" | "labels" | "lifecycle" | "body" | "documents" | "leftOut" | "secrets" | "files"
> {
  readonly references: readonly PlacedReference[];
}

/** The `lifecycle` of a document. */
export interface ResourceLifecycle {
  readonly protect?: boolean;
  readonly adopt?: Json;
  readonly moved_from?: string | string[];
  readonly environments?: string[];
  readonly on_removal?: "forget" | "delete";
  readonly on_replaced?: "keep" | "delete";
  readonly except?: readonly { readonly rule: string; readonly reason: string }[];
}

/** The inputs for building the resources of one file. */
export interface ResourceContext {
  readonly substitution: Substitution;
  readonly kindFields: FieldsByKind;
}

/** The result of a document; the content is missing if there are errors. */
export interface BuiltDocument {
  readonly content?: ResourceContent;
  /** Its references, also if it has errors. */
  readonly references: readonly PlacedReference[];
  /** Its texts that may have been meant as references, also if it has errors. */
  readonly literals?: readonly Literal[];
  /** What is no reference where one belongs, also if it has errors. */
  readonly misplaced?: readonly Misplaced[];
  readonly findings: readonly Finding[];
  /** Whether any other message about the document could show a secret. */
  readonly isSecret?: true;
}

/** Builds the content of a document from its layers; a document with errors gives findings and no content. */
export function buildContent(
  document: Document,
  context: ResourceContext,
  layers: readonly Layer[],
): BuiltDocument {
  const built = build(document, context, layers);
  const secrets = madeSecrets(built.findings, layers);
  return secrets.length > 0 ? { references: [], findings: secrets, isSecret: true } : built;
}

function build(document: Document, context: ResourceContext, layers: readonly Layer[]): BuiltDocument {
  const place = (path: Path): Place => placeIn(layers, path);
  if (!isObject(document.value)) return { references: [], findings: [notMapping(place([]))] };
  const { value, spec, unresolved, includedFiles } = mergeLayers(layers, context.substitution);
  const { references, secrets, findings: unspliced } = sortUses(spec.uses, value);
  const findings = [...unresolved.findings];
  const envelope = readEnvelope(document.value, place);
  if (!envelope.ok) return { references, findings: [...findings, ...unspliced, ...envelope.problems] };
  const { kind } = envelope;
  const fields = context.kindFields[kind.name];
  const isTyped = (path: Path) => typeof placeAt(path, fields) === "string";
  const literals = layers.flatMap((layer) => collectLiterals(layer.value, kind, placeOf(layer), isTyped));
  for (const layer of layers) findings.push(...explainNotations(layer.value, kind, placeOf(layer), isTyped));

  const sources = sourcesOf(value, layers, {
    included: new PathSet([...spec.included, ...unresolved.included]),
    data: new PathSet(spec.origins.map(({ path }) => path)),
  });
  const findIncluded = (text: string) => context.substitution.inclusion.find(text, new Set(includedFiles));
  const rules = { place, unknownInSpec: kind.unknownField, ...fields, ...sources, findIncluded };
  const removals = layers.slice(1).map((layer) => layer.value);
  const checked = checkDocument(value, kind.validate, kind.fields, rules, removals);
  const skipped = new PathSet(unresolved.paths);
  for (const each of checked) if (!isEcho(each, skipped)) findings.push(each);
  const places = findMisplaced(value.spec ?? null, spec.uses, kind, fields, rules);
  const wrong = new PathSet(places.filter(isOtherThanTools).map(({ finding }) => finding.place?.path ?? []));
  for (const each of unspliced) if (!wrong.has(each.place?.path ?? [])) findings.push(each);
  const told = new PathSet([
    ...unresolved.paths,
    ...findings.map((each) => each.place?.path ?? ["spec", ""]),
  ]);
  const misplaced = places.filter(({ finding }) => !told.has(finding.place?.path ?? []));
  findings.push(...unresolvedLabels(value, place), ...patchedEnvironments(layers));
  if (hasErrors(findings) || !isObject(value.spec)) return { references, literals, misplaced, findings };
  findings.push(...kind.check(value.spec, (...path) => place(["spec", ...path]), fields.extra));
  if (hasErrors(findings)) return { references, literals, misplaced, findings };
  const isQuotable = (path: Path) => !rules.isIncluded(path);
  const all = { body: value.spec, leftOut: [], findings: [] };
  const selected = kind.select?.(value, { place, isQuotable }) ?? all;
  for (const each of selected.findings) findings.push(each);
  const { body, documents, tooLarge = [] } = kind.outline(selected.body);
  findings.push(...tooLarge.map((field) => explainTooLarge(place(["spec", field]))));
  const hasTools = hasErrors(findings) || kind.operations?.(body).length !== 0;
  for (const [field, whole] of Object.entries(documents)) {
    const included = { value: whole, path: ["spec", field], origins: spec.origins };
    const unknown = explainUnknownKeys(included, place);
    findings.push(...warnOfExternals(included, place), ...unknown);
    if (!hasTools && unknown.length === 0)
      findings.push(...explainWithoutOperations(included, value.operations !== undefined, place));
  }
  if (hasErrors(findings)) return { references, literals, misplaced, findings };
  const { leftOut } = selected;
  const files = [...new Set([document.file, ...layers.map((layer) => layer.file), ...includedFiles])];
  const { key, labels, lifecycle } = identify(value);
  const content = { kind, key, labels, lifecycle, body, documents, leftOut, references, secrets, files };
  return { content, references, literals, misplaced, findings };
}

// Where tools belong, it is said of a whole set how it is written.
function isOtherThanTools({ takes }: Misplaced): boolean {
  return takes === undefined || !kinds[takes].operations;
}

interface IncludedPaths {
  readonly included: PathSet;
  /** Those whose file is data. */
  readonly data: PathSet;
}

function sourcesOf(value: Json, layers: readonly Layer[], { included, data }: IncludedPaths) {
  const isWritten = (path: Path, isSame: (written: Json) => boolean) =>
    layers.some((layer) => {
      const written = valueAt(layer.value, path);
      return written !== undefined && isSame(written);
    });
  return {
    isIncluded: (path: Path) =>
      included.covers(path) && !isWritten(path, (each) => each === valueAt(value, path)),
    isIncludedText: (path: Path) => included.covers(path) && !data.covers(path),
    isResolved: (path: Path) => isResolved(value, layers, path),
    isIncludedKey: (path: Path) => included.covers(path) && !isWritten(path, () => true),
  };
}

function notMapping(place: Place): Finding {
  const hint = "a document has apiVersion, kind, metadata and spec";
  return error("document-shape", place, "a document must be a mapping", hint);
}

function isResolved(value: Json, layers: readonly Layer[], path: Path): boolean {
  const written = valueAt(layerAt(layers, path)?.value ?? null, path);
  return typeof written === "string" && written !== valueAt(value, path);
}

// The schema has checked that these exist.
function identify({
  metadata,
  lifecycle,
}: JsonObject): Pick<ResourceContent, "key" | "labels" | "lifecycle"> {
  const { name: key, labels = {} } = metadata as { name: string; labels?: Record<string, string> };
  return { key, labels, lifecycle: (lifecycle ?? {}) as ResourceLifecycle };
}

function sortUses(uses: readonly Use[], document: JsonObject) {
  const references: PlacedReference[] = [];
  const secrets: SecretUse[] = [];
  const findings: Finding[] = [];
  for (const { expression, path, place } of uses) {
    const reference = toReference(expression);
    const environment = reference ? undefined : parseEnvironmentLocator(expression.locator);
    if (environment) secrets.push({ name: environment.name, place });
    if (!reference) continue;
    const isItem = typeof path.at(-1) === "number" && valueAt(document, path) === `\${${reference.text}}`;
    if (isWholeSet(reference) && !isItem) {
      const message = say`${{ source: expression.source }} stands for all tools of the set and must be an item of a list`;
      const hint = say`write \`${bare({ meant: `["\${${reference.text}}"]` })}\`, or name one tool: \`\${${reference.text}/OPERATION}\``;
      findings.push(error("expression-splice", place, message, hint));
    }
    references.push({ ...reference, place });
  }
  return { references, secrets, findings };
}

function explainTooLarge(place: Place): Finding {
  const message =
    "the OpenAPI document is too large: its `$ref`s, and the variables of its servers, expand to more than 128 MB";
  return error("openapi-too-large", place, message, "split it, or use fewer `$ref`s and variables");
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
