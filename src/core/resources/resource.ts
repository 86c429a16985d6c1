import type { FieldsByKind } from "../kind/extra-fields.js";
import { error, hasErrors, type Finding, type Place } from "../finding/diagnostic.js";
import { withoutKey } from "../finding/merged-findings.js";
import { bare, say } from "../finding/said.js";
import { type Path, valueAt, beginsWith } from "../../json/path.js";
import type { Document } from "../document/document.js";
import {
  parseEnvironmentLocator,
  isExpression,
  parseText,
  type Expression,
} from "../expression/expression.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import type { Kind } from "../kind/kind.js";
import { readEnvelope } from "./envelope.js";
import type { Literal } from "../schema/literal.js";
import type { Operation } from "../openapi/openapi.js";
import { checkOpenApi } from "./openapi-check.js";
import { isWholeSet, toReference, type Reference } from "../expression/reference.js";
import type { Use } from "../expression/substituted.js";
import { placeIn, type Layer } from "./layer.js";
import { checkMerged, type PlacedDocument } from "./merged-check.js";
import { mergeLayers } from "./merge-layers.js";
import type { Misplaced } from "../schema/typed-place.js";
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
  /** The addresses that these lead to, sorted, each once. */
  readonly targets: readonly string[];
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
  /** Whether nothing is wrong with them, which is known from before. */
  readonly isChecked?: boolean;
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
  const merged = mergeLayers(layers, context.substitution);
  const { references, secrets, findings: unspliced } = sortUses(merged.spec.uses, merged.value);
  const envelope = readEnvelope(document.value, place);
  if (!envelope.ok)
    return {
      references,
      findings: [...merged.unresolved.findings, ...unspliced, ...envelope.problems],
    };
  const { kind } = envelope;
  const placed = { merged, kind, fields: context.kindFields[kind.name], layers, place };
  const { findings, literals, misplaced, isQuotable } = context.isChecked
    ? { findings: [], literals: [], misplaced: [], isQuotable: () => true }
    : checkMerged(placed, unspliced, context.substitution);
  const { spec } = merged.value;
  if (hasErrors(findings) || !isObject(spec)) return { references, literals, misplaced, findings };
  const { body, documents, leftOut, findings: ofContent } = contentOf(spec, placed, isQuotable, context);
  for (const finding of ofContent) findings.push(finding);
  if (hasErrors(ofContent)) return { references, literals, misplaced, findings };
  const files = [...new Set([document.file, ...layers.map((layer) => layer.file), ...merged.includedFiles])];
  const { key, labels, lifecycle } = identify(merged.value);
  const content = { kind, key, labels, lifecycle, body, documents, leftOut, references, secrets, files };
  return { content, references, literals, misplaced, findings };
}

/** Gives what is sent of a checked document, and what is wrong with it; no documents if something is. */
function contentOf(
  spec: JsonObject,
  { kind, place, merged }: PlacedDocument,
  isQuotable: (path: Path) => boolean,
  { isChecked, substitution: { totals: all } }: ResourceContext,
): Pick<ResourceContent, "body" | "documents" | "leftOut"> & Pick<BuiltDocument, "findings"> {
  const unselected = { body: spec, leftOut: [], findings: [] };
  const selected = kind.select?.(merged.value, { place, isQuotable, all }) ?? unselected;
  const { body, documents, tooLarge = [] } = kind.outline(selected.body);
  if (isChecked) return { body, documents, leftOut: selected.leftOut, findings: [] };
  const findings = [
    ...selected.findings,
    ...tooLarge.map((field) => explainTooLarge(place(["spec", field]))),
  ];
  const hasTools = hasErrors(findings) || kind.operations?.(body).length !== 0;
  for (const [field, whole] of Object.entries(documents)) {
    const included = { value: whole, path: ["spec", field], origins: merged.spec.origins };
    const isPicked = merged.value.operations !== undefined;
    findings.push(...checkOpenApi(included, { hasTools, isPicked }, place));
  }
  return { body, documents, leftOut: selected.leftOut, findings };
}

function notMapping(place: Place): Finding {
  const hint = "a document has apiVersion, kind, metadata and spec";
  return error("document-shape", place, "a document must be a mapping", hint);
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
    const isItem = () =>
      typeof path.at(-1) === "number" && valueAt(document, path) === `\${${reference.text}}`;
    if (isWholeSet(reference) && !isItem()) {
      const message = say`${{ source: expression.source }} stands for all tools of the set and must be an item of a list`;
      const item = `"\${${reference.text}}"`;
      const meant = bare({ meant: typeof path.at(-1) === "number" ? item : `[${item}]` });
      const alone = typeof path.at(-1) === "number" ? " and nothing beside it" : "";
      const isDash = String(valueAt(document, path)).startsWith(`-\${`);
      const hint = isDash
        ? say`write a space after each dash: \`- \${${reference.text}}\``
        : say`write \`${meant}\`${alone}, or name one tool: \`\${${reference.text}/OPERATION}\``;
      findings.push(error("expression-splice", place, message, hint));
    }
    // Written out, for a spread of each takes longer.
    const { address, operation, text } = reference;
    references.push(operation === undefined ? { address, text, place } : { address, operation, text, place });
  }
  return { references, secrets, findings };
}

function explainTooLarge(place: Place): Finding {
  const message =
    "the OpenAPI document is too large: `$ref`s, addresses and security requirements expand to more than 128 MB";
  return error("openapi-too-large", place, message, "split it, or use fewer of these");
}

/** Gives the findings of secrets if one is a parameter's or variable's value: any other message could show it. */
function madeSecrets(findings: readonly Finding[], layers: readonly Layer[]): Finding[] {
  const secrets = findings.filter(({ code }) => code === "secret-literal");
  const expressions = secrets.flatMap(({ place }) => (place ? writtenAt(layers, place) : []));
  // Templates have parameters, too.
  const isOfKey = layers.some(({ each }) => each);
  const isMade = expressions.some(({ scheme }) => isOfKey || scheme === "var");
  if (!isMade) return [];
  // A secret that may be the key itself is told without the key.
  return expressions.some(mayBeKey) ? secrets.map(withoutKey) : secrets;
}

function mayBeKey({ scheme, locator }: Expression): boolean {
  return scheme === "template" || (scheme === "each" && locator === "key");
}

// An expression may stand for a mapping that the secret is in.
function writtenAt(layers: readonly Layer[], { file, document, path = [] }: Place): Expression[] {
  const layer = layers.find(
    (each) => each.file === file && each.index === document && beginsWith(path, each.at ?? []),
  );
  let value: Json | undefined = layer?.value;
  for (const segment of path.slice(layer?.at?.length ?? 0)) {
    if (Array.isArray(value)) value = value[Number(segment)];
    else if (isObject(value)) value = Object.hasOwn(value, segment) ? value[segment] : undefined;
  }
  return typeof value === "string" ? parseText(value).filter(isExpression) : [];
}
