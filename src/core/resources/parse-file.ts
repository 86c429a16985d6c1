import type { FieldsByKind } from "../kind/extra-fields.js";
import { lasting } from "../kind/body.js";
import { Budget } from "../../json/budget.js";
import { warning, type Finding } from "../finding/diagnostic.js";
import { KeyedFindings, withoutKey } from "../finding/merged-findings.js";
import { parseDocuments, type Document } from "../document/document.js";
import type { KindName } from "../../generated/kinds.js";
import { equal, isObject, type Json, type JsonObject } from "../../json/json.js";
import { kindOfDocument } from "../kind/kinds.js";
import { bodyDigest } from "../state/lock.js";
import type { Literal } from "../schema/literal.js";
import type { Misplaced } from "../schema/typed-place.js";
import type { OwnRule } from "../rules/own-rule.js";
import { isRule, parseRule } from "../rules/parse-rule.js";
import { absenceOf, useOf, type AbsentDocument } from "./absence.js";
import { hasNull, labelledOf, type Defaults } from "./defaults.js";
import { expandDocument, type PlainDocument } from "./for-each.js";
import { outlineLayer, type Layer } from "./layer.js";
import { mergeLayers } from "./merge-layers.js";
import type { LostDocument } from "./lost-documents.js";
import type { FileSummary, ParsedFile, ResourceDetails, ResourceSummary } from "./parsed-file.js";
import type { Patches } from "./patches.js";
import { buildContent, type PlacedReference, type ResourceContent } from "./resource.js";
import { workspaceExpansion } from "../expression/expansion-limit.js";
import type { IncludedData, Includes } from "../expression/included-data.js";
import { Inclusion } from "../expression/inclusion.js";
import type { Parameters } from "../expression/parameter.js";
import { Substitution, type Variables } from "../expression/substitution.js";
import { SubstitutionTotals } from "../expression/resolving.js";

/** The inputs that all files of a workspace share in one environment. */
export interface ParseContext {
  readonly variables: Variables;
  readonly environment: string | null;
  readonly kindFields: FieldsByKind;
  readonly defaults: Defaults;
  readonly patches: Patches;
  readonly includes: Includes;
  readonly data: IncludedData;
  /** The limit for the expanded size of all files. */
  readonly budget: Budget;
  /** Whether nothing is wrong with what is parsed, and its summary is known: only the details are made. */
  readonly isChecked?: boolean;
}

/** Parses the text of a file: a pure function of the text, the settings, the patches and the included files. */
export function parseFile(file: string, text: string, context: ParseContext): ParsedFile {
  const parsed = parseDocuments(file, text);
  const parsing = new FileParsing(context);
  for (const finding of parsed.findings) parsing.findings.push(finding);
  if (parsed.value.length + parsed.findings.length === 0) parsing.findings.push(emptyFile(file));
  for (const document of parsed.value) parsing.add(document);
  const { resources, rules, findings, lost, absent, dangling, literals, misplaced, details, totals } =
    parsing;
  // All have the same members in the same order, which makes a cold plan of 10,000 files faster.
  const summary: FileSummary = {
    file,
    resources,
    rules: rules.length > 0 ? rules : undefined,
    findings: findings.length > 0 ? findings : undefined,
    lost: lost.length > 0 ? lost : undefined,
    absent: absent.length > 0 ? absent : undefined,
    dangling: dangling.length > 0 ? dangling : undefined,
    literals: literals.length > 0 ? literals : undefined,
    misplaced: misplaced.size > 0 ? [...misplaced.values()] : undefined,
    broken: parsed.broken.length > 0 ? parsed.broken : undefined,
    variables: totals.usedVariables.size > 0 ? [...totals.usedVariables] : undefined,
    missing: totals.missing.size > 0 ? [...totals.missing] : undefined,
    included: totals.files.size > 0 ? [...totals.files] : undefined,
    expanded: totals.expanded > 0 ? totals.expanded : undefined,
    isPartial: totals.isAllRead ? undefined : true,
  };
  return { summary, details: () => details };
}

// What was applied of its documents is forgotten or deleted, as if the file were gone.
function emptyFile(file: string): Finding {
  const hint = "write one, or remove the file: a resource that it described is now taken as removed";
  return warning("document-ineffective", { file, offset: 0 }, "the file has no document", hint);
}

/** What the documents of a file give, gathered one by one. */
class FileParsing {
  readonly resources: ResourceSummary[] = [];
  readonly rules: OwnRule[] = [];
  readonly findings: Finding[] = [];
  readonly lost: LostDocument[] = [];
  readonly absent: AbsentDocument[] = [];
  readonly dangling: PlacedReference[] = [];
  readonly literals: Literal[] = [];
  readonly misplaced = new Map<string, Misplaced>();
  readonly details: ResourceDetails[] = [];
  readonly totals: SubstitutionTotals;
  readonly #substitution: Substitution;
  #scratch: SubstitutionTotals | undefined;

  constructor(private readonly context: ParseContext) {
    this.totals = new SubstitutionTotals(context.budget);
    this.#substitution = substitutionWith(context, this.totals);
  }

  /** Adds a document as it is written: with `for_each` it makes one resource for each key. */
  add(written: Document): void {
    if (isRule(written)) return this.#addRule(written);
    const { count } = this.context.defaults;
    const expanded = expandDocument(written, this.#substitution, (plain) => this.#secretsOf(plain), count);
    for (const finding of expanded.findings) this.findings.push(finding);
    if (expanded.isPartial) this.lost.push(whatIsLost(written));
    const keyed = new KeyedFindings();
    for (const [position, plain] of expanded.documents.entries()) {
      if (keyed.isFull) this.lost.push(whatIsLost(plain.document));
      else this.#addPlain(plain, position === 0, keyed);
    }
    if (expanded.isPartial || keyed.isFull) this.totals.isAllRead = false;
    for (const finding of keyed.list()) this.findings.push(finding);
  }

  // A rule is read as it is written: what looks like an expression in it is what documents have.
  #addRule(written: Document): void {
    const { rule, findings, files } = parseRule(written, this.context.includes, "workspace");
    for (const finding of findings) this.findings.push(finding);
    for (const file of files) this.totals.files.add(file);
    if (rule) this.rules.push(rule);
    else this.lost.push(whatIsLost(written));
  }

  #addPlain({ document, entry }: PlainDocument, isFirst: boolean, keyed: KeyedFindings): void {
    const substitution = entry ? this.#substitution.within(entry.parameters) : this.#substitution;
    const layers = layersOf(document, this.context);
    const absence = absenceOf(document, this.context.environment, substitution);
    if (absence) {
      this.absent.push(absence);
      this.#useAbsent(layers, entry?.parameters);
      return;
    }
    const { kindFields, isChecked = false } = this.context;
    const built = buildContent(document, { substitution, kindFields, isChecked }, layers);
    for (const finding of built.findings) keyed.add(finding);
    for (const literal of built.literals ?? []) {
      // The document's own are the same for every key.
      if (isFirst || !literal.place.each) this.literals.push(withoutKey(literal));
    }
    for (const each of built.misplaced ?? []) {
      // A value that all keys share is told once.
      const { each: _key, ...place } = each.finding.place ?? { file: document.file };
      const known = JSON.stringify([place, each.text]);
      if (!this.misplaced.has(known)) this.misplaced.set(known, each);
    }
    if (built.content) {
      if (!isChecked) this.resources.push(summaryOf(built.content, document, layers, entry?.files));
      this.details.push({
        body: built.content.body,
        documents: built.content.documents,
        leftOut: built.content.leftOut,
        references: built.content.references,
        secrets: built.content.secrets,
        ...(layers.length > 1 && { layers: layers.map(outlineLayer) }),
        ...(document.each && { each: document.each }),
      });
    } else {
      this.lost.push(whatIsLost(document));
      for (const reference of built.references) this.dangling.push(reference);
    }
  }

  #secretsOf({ document, entry }: PlainDocument): readonly Finding[] {
    // What is built to know its secrets is not kept.
    this.#scratch ??= new SubstitutionTotals(new Budget(workspaceExpansion));
    const substitution = substitutionWith(this.context, this.#scratch, entry?.parameters);
    const built = buildContent(document, { ...this.context, substitution }, layersOf(document, this.context));
    return built.isSecret ? built.findings : [];
  }

  // A limit of its own, because nothing of it stays.
  #useAbsent(layers: readonly Layer[], parameters: Parameters | undefined): void {
    const scratch = new SubstitutionTotals(new Budget(workspaceExpansion));
    const substitution = substitutionWith(this.context, scratch, parameters);
    const own = layers.filter(({ type }) => type !== "patch");
    useOf(own, substitution, this.totals);
  }
}

/** Gives what the defaults lay under the `spec` of a document of a kind that has no labels, with files filled in. */
export function defaultSpec(kind: KindName, context: ParseContext): Json | undefined {
  const layers = context.defaults.of({ kind, labels: {} });
  if (layers.length === 0) return undefined;
  const substitution = substitutionWith(context, new SubstitutionTotals(context.budget));
  return mergeLayers(layers, substitution).value.spec;
}

function substitutionWith(
  { variables, includes, data }: ParseContext,
  totals: SubstitutionTotals,
  parameters?: Parameters,
): Substitution {
  return new Substitution(variables, new Inclusion(includes, data, totals), totals, parameters);
}

function layersOf(document: Document, { defaults, patches }: ParseContext): Layer[] {
  return [...defaults.under({ type: "document", ...document }), ...patches.of(document)];
}

function summaryOf(
  content: ResourceContent,
  document: Document,
  layers: readonly Layer[],
  included?: readonly string[],
): ResourceSummary {
  const { file, index } = document;
  const { kind, key, labels, lifecycle, body, references } = content;
  const files = included ? [...new Set([...content.files, ...included])] : content.files;
  // All have the same members in the same order: there are many of these.
  return {
    address: `${kind.name}:${key}`,
    digest: bodyDigest(lasting(body, kind)),
    index,
    references: references.length > 0 ? references.map(({ text }) => text) : undefined,
    labels: Object.keys(labels).length > 0 ? labels : undefined,
    ownLabels: ownLabelsOf(document, layers, labels),
    hasNull: hasNull(document.value) || undefined,
    lifecycle: Object.keys(lifecycle).length > 0 ? lifecycle : undefined,
    files: files.length > 1 ? files.filter((each) => each !== file) : undefined,
  };
}

function ownLabelsOf(
  document: Document,
  layers: readonly Layer[],
  labels: ResourceContent["labels"],
): JsonObject | undefined {
  if (layers.at(-1)?.type !== "patch") return undefined;
  const { labels: own = {} } = labelledOf(document) ?? {};
  return equal(own, labels) ? undefined : own;
}

function whatIsLost(document: Document): LostDocument {
  const { value } = document;
  if (!isObject(value) || !isObject(value.metadata)) return {};
  const { name } = value.metadata;
  const kind = typeof value.kind === "string" ? kindOfDocument(value.kind)?.name : undefined;
  return { ...(kind && { kind }), ...(name !== undefined && { name: String(name) }) };
}
