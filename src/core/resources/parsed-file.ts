import type { ExtraFields } from "../../generated/workspace.js";
import { lasting } from "../kind/body.js";
import { Budget } from "../../json/budget.js";
import { hasErrors, type Finding, type Place } from "../finding/diagnostic.js";
import { parseDocuments, type Document } from "../document/document.js";
import type { KindName } from "../../generated/kinds.js";
import { equal, isObject, type Hash, type JsonObject } from "../../json/json.js";
import { kindOfDocument } from "../kind/kinds.js";
import { bodyDigest } from "../state/lock.js";
import type { Literal } from "../schema/literal.js";
import { outlineLayer, type Layer } from "./layer.js";
import { labelledOf, type Defaults, type Labelled } from "./defaults.js";
import { absenceOf, useOf, type AbsentDocument } from "./absence.js";
import type { LostDocument } from "./lost-documents.js";
import type { Patches } from "./patches.js";
import { buildContent, type Lifecycle, type PlacedReference, type ResourceContent } from "./resource.js";
import {
  Substitution,
  workspaceExpansion,
  type IncludedData,
  type Includes,
  type Variables,
} from "../expression/substitution.js";

/**
 * The parsed content of one file, as plain data that can be cached and sent to a thread: a summary that is always
 * needed, and texts that are read only for changed resources.
 */
export interface ParsedFile {
  readonly summary: FileSummary;
  /** For each resource its body, its details and its whole documents, as JSON. */
  readonly texts: { at(index: number): string | undefined };
}

/** The digests of everything that a parsed file depends on. */
export interface Inputs {
  /** Of the file's bytes. */
  readonly content: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** By file. */
  readonly included?: Readonly<Record<string, string>>;
  /** By address. */
  readonly patches?: Readonly<Record<string, string>>;
  /** For each resource, and then each absent document. */
  readonly defaults?: (string | null)[];
}

/** The part of a file that is always needed; empty members are left out. */
export interface FileSummary {
  readonly file: string;
  /** Set where the file is kept for later runs. */
  readonly inputs?: Inputs;
  readonly resources: readonly ResourceSummary[];
  readonly findings?: readonly Finding[];
  /** The kinds, names and references of documents with errors. */
  readonly lost?: readonly LostDocument[];
  /** The documents that do not exist in this environment. */
  readonly absent?: readonly AbsentDocument[];
  readonly dangling?: readonly PlacedReference[];
  /** Texts that may have been meant as references. */
  readonly literals?: readonly Literal[];
  /** The texts of documents that could not be parsed. */
  readonly broken?: readonly string[];
  /** The names of the variables that it uses. */
  readonly variables?: readonly string[];
  /** Variables without a value, with the places that need one. */
  readonly missing?: readonly (readonly [name: string, places: readonly Place[]])[];
  /** The files included by its documents. */
  readonly included?: readonly string[];
  /** The size of its expanded documents, which counts towards the workspace's limit. */
  readonly expanded?: number;
  /** Whether an included file could not be read. */
  readonly isPartial?: true;
}

/** The part of a resource that is always needed. */
export interface ResourceSummary {
  readonly address: string;
  readonly digest: string;
  /** Which document of the file, from 0. */
  readonly index: number;
  readonly references?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  /** The labels without those of patches, if these differ. */
  readonly ownLabels?: JsonObject;
  readonly lifecycle?: Lifecycle;
  /** Its other files: patches and included files. */
  readonly files?: readonly string[];
}

/** The part of a resource that is needed for messages and requests. */
export type ResourceDetails = Pick<ResourceContent, "references" | "secrets"> & {
  /** The outlines of its layers, if it has defaults or patches. */
  readonly layers?: readonly Layer[];
};

/** The number of texts of a resource. */
export const textsOfResource = 3;

/** The inputs that all files of a workspace share in one environment. */
export interface ParseContext {
  readonly variables: Variables;
  readonly environment: string | null;
  readonly extraFields: ExtraFields;
  readonly defaults: Defaults;
  readonly patches: Patches;
  readonly includes: Includes;
  readonly data: IncludedData;
  /** The limit for the expanded size of all files. */
  readonly budget: Budget;
  readonly hash: Hash;
}

/** Parses the text of a file: a pure function of the text, the settings, the patches and the included files. */
export function parseFile(file: string, text: string, context: ParseContext): ParsedFile {
  const parsed = parseDocuments(file, text);
  const { variables, includes, data, budget, environment } = context;
  const substitution = new Substitution(variables, includes, data, budget);
  const findings = [...parsed.findings];
  const resources: ResourceSummary[] = [];
  const lost: LostDocument[] = [];
  const absent: AbsentDocument[] = [];
  const dangling: PlacedReference[] = [];
  const literals: Literal[] = [];
  const texts: string[] = [];
  for (const document of parsed.value) {
    const layers = layersOf(document, context);
    const absence = absenceOf(document, environment, substitution);
    if (absence) {
      const scratch = new Substitution(variables, includes, data, new Budget(workspaceExpansion));
      useOf(
        layers.filter(({ type }) => type !== "patch"),
        scratch,
        substitution,
      );
      absent.push(absence);
      continue;
    }
    const built = buildContent(document, { ...context, substitution }, layers);
    for (const finding of built.findings) findings.push(finding);
    for (const literal of built.literals ?? []) literals.push(literal);
    if (built.content) {
      resources.push(summaryOf(built.content, document, layers, context.hash));
      texts.push(...textsOf(built.content, layers));
    } else {
      lost.push(whatIsLost(document));
      for (const reference of built.references) dangling.push(reference);
    }
  }
  const summary: Writable<FileSummary> = { file, resources };
  if (findings.length > 0) summary.findings = findings;
  if (lost.length > 0) summary.lost = lost;
  if (absent.length > 0) summary.absent = absent;
  if (dangling.length > 0) summary.dangling = dangling;
  if (literals.length > 0) summary.literals = literals;
  if (parsed.broken.length > 0) summary.broken = parsed.broken;
  if (substitution.usedVariables.size > 0) summary.variables = [...substitution.usedVariables];
  if (substitution.missing.size > 0) summary.missing = [...substitution.missing];
  if (substitution.files.size > 0) summary.included = [...substitution.files];
  if (substitution.expanded > 0) summary.expanded = substitution.expanded;
  if (!substitution.isAllRead) summary.isPartial = true;
  return { summary, texts };
}

/** Gives the kind and the labels of all documents of a file by which defaults select them. */
export function labelledIn({ resources, absent = [] }: FileSummary): Labelled[] {
  return [...resources.map(labelledResource), ...absent];
}

function labelledResource({ address, labels = noLabels, ownLabels = labels }: ResourceSummary): Labelled {
  return { kind: address.slice(0, address.indexOf(":")) as KindName, labels: ownLabels };
}

const noLabels = {};

function layersOf(document: Document, { defaults, patches }: ParseContext): Layer[] {
  const labelled = defaults.isEmpty ? undefined : labelledOf(document);
  const below = labelled ? defaults.of(labelled) : [];
  return [...below, { ...document, type: "document" }, ...patches.of(document)];
}

/** Whether a file has no errors, so that its summary is complete. */
export function isSound({ findings, lost, broken, missing, isPartial }: FileSummary): boolean {
  return !isPartial && !lost && !broken && !missing && !hasErrors(findings ?? []);
}

function summaryOf(
  content: ResourceContent,
  document: Document,
  layers: readonly Layer[],
  hash: Hash,
): ResourceSummary {
  const { file, index } = document;
  const { kind, key, labels, lifecycle, body, references } = content;
  const summary: Writable<ResourceSummary> = {
    address: `${kind.name}:${key}`,
    digest: bodyDigest(lasting(body, kind), hash),
    index,
  };
  // Field by field: a spread is slow, and there are many of these.
  if (references.length > 0) summary.references = references.map(({ text }) => text);
  if (Object.keys(labels).length > 0) summary.labels = labels;
  if (layers.at(-1)?.type === "patch") {
    const { labels: own = {} } = labelledOf(document) ?? {};
    if (!equal(own, labels)) summary.ownLabels = own;
  }
  if (Object.keys(lifecycle).length > 0) summary.lifecycle = lifecycle;
  if (content.files.length > 1) summary.files = content.files.filter((each) => each !== file);
  return summary;
}

function textsOf(
  { body, documents, references, secrets }: ResourceContent,
  layers: readonly Layer[],
): string[] {
  const details: ResourceDetails =
    layers.length > 1 ? { references, secrets, layers: layers.map(outlineLayer) } : { references, secrets };
  return [
    JSON.stringify(body),
    JSON.stringify(details),
    Object.keys(documents).length > 0 ? JSON.stringify(documents) : "",
  ];
}

function whatIsLost(document: Document): LostDocument {
  const { value } = document;
  if (!isObject(value) || !isObject(value.metadata)) return {};
  const { name } = value.metadata;
  const kind = typeof value.kind === "string" ? kindOfDocument(value.kind)?.name : undefined;
  return { ...(kind && { kind }), ...(name !== undefined && { name: String(name) }) };
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
