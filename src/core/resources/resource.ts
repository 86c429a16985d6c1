import type { ExtraFields } from "../../generated/workspace.js";
import { error, hasErrors, warning, type Finding, type Place } from "../finding/diagnostic.js";
import { type Path, valueAt } from "../../json/path.js";
import type { Document } from "../document/document.js";
import { checkDocument } from "../schema/document-check.js";
import { parseEnvironmentLocator } from "../expression/expression.js";
import { isObject, type Hash, type Json, type JsonObject } from "../../json/json.js";
import type { Kind } from "../kind/kind.js";
import { readEnvelope } from "./envelope.js";
import { collectLiterals, explainUnresolved, type Literal } from "../schema/literal.js";
import { externalReferences } from "../openapi/openapi.js";
import { isWholeSet, toReference, type Reference } from "../expression/reference.js";
import { evaluate } from "../expression/resolution.js";
import { quote } from "../finding/quotation.js";
import { nothingSubstituted, type Use } from "../expression/substituted.js";
import { mergeSubstituted, placeIn } from "./patch.js";
import { mergePatch } from "../../json/merge-patch.js";
import { placeOf } from "./patches.js";
import { PathSet } from "../finding/path-set.js";
import type { Substitution } from "../expression/substitution.js";

/** A reference with where it stands. */
export interface PlacedReference extends Reference {
  readonly place: Place;
}

/** An environment variable that the body needs at apply, with where it stands. */
export interface SecretUse {
  readonly name: string;
  readonly place: Place;
}

/** A document that can be planned. What is not needed while nothing changes is read when it is asked for. */
export interface Resource {
  readonly address: string;
  readonly kind: Kind;
  readonly key: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The digest of what of the body the lock keeps. */
  readonly digest: string;
  /** The desired body: references and secrets symbolic, large documents as outlines. */
  readonly body: JsonObject;
  /** The whole documents of which the body holds outlines, by field. */
  readonly documents: JsonObject;
  readonly references: readonly Reference[];
  /** The same references with where they stand. */
  readonly placedReferences: readonly PlacedReference[];
  readonly secrets: readonly SecretUse[];
  readonly lifecycle: Lifecycle;
  readonly file: string;
  /** All files that it is made of, its own first. */
  readonly files: readonly string[];
  /** Where a part of the document stands. */
  place(path: Path): Place;
}

/** What a document says, as plain data. */
export interface ResourceContent {
  readonly kind: Kind;
  readonly key: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly lifecycle: Lifecycle;
  readonly body: JsonObject;
  readonly documents: JsonObject;
  readonly references: readonly PlacedReference[];
  readonly secrets: readonly SecretUse[];
  readonly files: readonly string[];
}

/** The `lifecycle` of a document: how its object is to be treated. */
export interface Lifecycle {
  readonly protect?: boolean;
  readonly adopt?: Json;
  readonly moved_from?: string | string[];
}

/** What the resources of one file are built with. */
export interface ResourceContext {
  readonly substitution: Substitution;
  readonly extraFields: ExtraFields;
  readonly hash: Hash;
}

/** What a document gave: its content only if nothing is wrong with it. */
export interface BuiltDocument {
  readonly content?: ResourceContent;
  /** What it refers to, whatever else is wrong with it. */
  readonly references: readonly PlacedReference[];
  /** Its texts that may have been meant as references, whatever else is wrong with it. */
  readonly literals?: readonly Literal[];
  readonly findings: readonly Finding[];
}

/**
 * Builds what a document says with the patches of its environment laid over it; one with errors gives
 * findings and no content.
 */
export function buildContent(
  document: Document,
  context: ResourceContext,
  patches: readonly Document[] = [],
): BuiltDocument {
  const layers = [document, ...patches].map((each) => ({ value: each.value, place: placeOf(each) }));
  const place = (path: Path): Place => placeIn(layers, path);
  if (!isObject(document.value)) {
    const hint = "a document has apiVersion, kind, metadata and spec";
    return {
      references: [],
      findings: [error("document-shape", place([]), "the document is no mapping", hint)],
    };
  }
  const { value, spec, unresolved } = substitute([document, ...patches], context.substitution);
  const { references, secrets, findings: misplaced } = sortUses(spec.uses, value);
  const findings = [...unresolved.findings, ...misplaced];
  const kind = readEnvelope(document.value, place);
  if (Array.isArray(kind)) return { references, findings: [...findings, ...kind] };
  const literals = layers.flatMap((layer) => collectLiterals(layer.value, kind, layer.place));

  const included = new PathSet([...spec.included, ...unresolved.included]);
  const isWritten = (path: Path, isSame: (written: Json) => boolean) =>
    layers.some((layer) => {
      const written = valueAt(layer.value, path);
      return written !== undefined && isSame(written);
    });
  const rules = {
    place,
    unknownInSpec: kind.unknownField,
    extra: context.extraFields[kind.name] ?? [],
    isOfService: true,
    isIncluded: (path: Path) =>
      included.covers(path) && !isWritten(path, (each) => each === valueAt(value, path)),
    isIncludedKey: (path: Path) => included.covers(path) && !isWritten(path, () => true),
  };
  const removals = patches.map((patch) => patch.value);
  const checked = checkDocument(value, kind.validate, kind.fields, rules, removals);
  const skipped = new PathSet(unresolved.paths);
  for (const each of checked) if (!isEcho(each, skipped)) findings.push(each);
  findings.push(...unresolvedLabels(value, place));
  if (hasErrors(findings) || !isObject(value.spec)) return { references, literals, findings };
  findings.push(...kind.check(value.spec, (field) => place(["spec", field])));
  const { body, documents, tooLarge = [] } = kind.outline(value.spec, context.hash);
  findings.push(...tooLarge.map((field) => explainTooLarge(place(["spec", field]))));
  for (const [field, whole] of Object.entries(documents)) {
    findings.push(...warnOfExternals(whole, place(["spec", field])));
  }
  if (hasErrors(findings)) return { references, literals, findings };
  const files = [...new Set([document.file, ...patches.map((patch) => patch.file), ...spec.files])];
  const { key, labels, lifecycle } = identify(value);
  const content = { kind, key, labels, lifecycle, body, documents, references, secrets, files };
  return { content, references, literals, findings };
}

// What the schema has found to be there.
function identify({
  metadata,
  lifecycle,
}: JsonObject): Pick<ResourceContent, "key" | "labels" | "lifecycle"> {
  const { name: key, labels = {} } = metadata as { name: string; labels?: Record<string, string> };
  return { key, labels, lifecycle: (lifecycle ?? {}) as Lifecycle };
}

function substitute(documents: readonly Document[], substitution: Substitution) {
  const substituteField = (field: "spec" | "lifecycle") => {
    const [base = nothingSubstituted(), ...patches] = documents.flatMap(({ value, file, index }) => {
      const member = isObject(value) && Object.hasOwn(value, field) ? value[field] : undefined;
      return member === undefined ? [] : [substitution.substitute(member, file, index, [field])];
    });
    // What a document itself says is null stays so; in a patch it takes a field away.
    return patches.reduce((merged, patch) => mergeSubstituted(merged, patch, [field]), base);
  };
  const merged = documents
    .map(({ value }) => value)
    .reduce((base, patch) => mergePatch(base, patch)) as JsonObject;
  const [spec, lifecycle] = [substituteField("spec"), substituteField("lifecycle")];
  const value = { ...merged };
  if (merged.spec !== undefined) value.spec = spec.value;
  // Nothing symbolic is left in it, and what the plan reads there is plain.
  if (merged.lifecycle !== undefined) value.lifecycle = evaluate(lifecycle.value, () => undefined);
  return {
    spec,
    value,
    unresolved: {
      findings: [...spec.findings, ...lifecycle.findings, ...lifecycle.uses.map(tooLate)],
      paths: [...spec.unresolved, ...lifecycle.unresolved, ...lifecycle.uses.map(({ path }) => path)],
      included: lifecycle.included,
    },
  };
}

// A plan is made without secrets and IDs, and what stands under `lifecycle` shapes the plan.
function tooLate({ expression, place }: Use): Finding {
  const message = `${quote(expression.source)} is resolved by apply, and \`lifecycle\` is needed for the plan`;
  return error("document-invalid", place, message, "write the value itself, or `${var:NAME}`");
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
      const message = `${quote(expression.source)} stands for all tools of the set and must be an item of a list`;
      const hint = `write \`["\${${reference.text}}"]\`, or name one tool: \`\${${reference.text}/OPERATION}\``;
      findings.push(error("expression-splice", place, message, hint));
    }
    references.push({ ...reference, place });
  }
  return { references, secrets, findings };
}

function explainTooLarge(place: Place): Finding {
  const message = "the OpenAPI document takes too much work: its `$ref`s lead to more than 128 MB";
  return error("openapi-too-large", place, message, "split it, or repeat less by `$ref`");
}

function unresolvedLabels({ metadata }: JsonObject, place: (path: Path) => Place): Finding[] {
  if (!isObject(metadata) || !isObject(metadata.labels)) return [];
  const at = (path: Path) => place(["metadata", "labels", ...path]);
  return explainUnresolved(metadata.labels, "`metadata.labels`", "write the value itself", at);
}

// What could not be resolved would only be reported again for its type; its key is another matter.
function isEcho({ place: { path = [], key = false } = { file: "" } }: Finding, unresolved: PathSet): boolean {
  return unresolved.covers(key ? path.slice(0, -1) : path);
}

function warnOfExternals(document: Json, place: Place): Finding[] {
  const count = externalReferences(document).length;
  if (count === 0) return [];
  const times = count === 1 ? "once" : count >= 100 ? "100 times or more" : `${count} times`;
  const message = `the OpenAPI document refers to other files or addresses (${times}), which is sent as it is`;
  return [warning("openapi-external-ref", place, message, "bundle it, if the service cannot reach them")];
}
