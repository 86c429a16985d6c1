import { error, warning, type Finding, type Place } from "./diagnostic.js";
import { parseDocuments, type Document } from "./document.js";
import { addressOf, Patches } from "./patches.js";
import { buildGraph, type Graph } from "./graph.js";
import type { Hash } from "./json.js";
import { LostDocuments, type Unread } from "./lost-documents.js";
import { manifestFile, type Settings } from "./manifest.js";
import { didYouMean } from "./nearest.js";
import { findOperation, operationKeys } from "./openapi.js";
import { quote } from "./quotation.js";
import type { PlacedReference, Resource } from "./resource.js";
import { buildResource } from "./resource.js";
import { Substitution, type Includes } from "./substitution.js";

/** The text of one file that holds documents. */
export interface SourceFile {
  /** Relative to the workspace, with `/`. */
  readonly file: string;
  readonly text: string;
  /** Whether its documents patch others, for one environment. */
  readonly isPatch?: boolean;
}

/** A workspace in one environment: its settings, its resources by address and how they refer to each other. */
export interface Workspace {
  readonly settings: Settings;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly graph: Graph;
  /** Everything that is wrong with it, or worth a word. */
  readonly findings: readonly Finding[];
}

/** Builds a workspace of the texts of its files; documents with errors are left out, their findings are not. */
export function buildWorkspace(
  settings: Settings,
  sources: Iterable<SourceFile>,
  includes: Includes,
  hash: Hash,
  unread: Unread = { files: [], folders: false },
): Workspace {
  const substitution = new Substitution(settings.variables, includes);
  const context = { substitution, extraFields: settings.extraFields, hash };
  const findings: Finding[] = [];
  const built: Resource[] = [];
  const references: PlacedReference[] = [];
  const lost = new LostDocuments(unread);
  const documents: Document[] = [];
  const patches = new Patches();
  for (const { file, text, isPatch } of sources) {
    const parsed = parseDocuments(file, text);
    findings.push(...parsed.findings);
    parsed.broken.forEach((each) => lost.addText(each));
    if (isPatch) findings.push(...parsed.value.flatMap((document) => patches.add(document)));
    else documents.push(...parsed.value);
  }
  for (const document of documents) {
    const {
      resource,
      references: found,
      findings: problems,
    } = buildResource(document, context, patches.take(document));
    findings.push(...problems);
    references.push(...found);
    if (resource) built.push(resource);
    else lost.addDocument(document);
  }
  findings.push(
    ...patches.explainRest(
      documents.flatMap((document) => addressOf(document) ?? []),
      lost,
    ),
  );
  const { resources, duplicates } = collect(built);
  findings.push(...duplicates, ...substitution.missingVariables(settings.environment));
  if (lost.isAllRead && substitution.isAllRead) findings.push(...unusedVariables(settings, substitution));
  findings.push(...references.flatMap((reference) => checkReference(reference, resources, lost)));
  const graph = buildGraph(resources.keys(), edgesOf(resources.values()));
  findings.push(...graph.cycles.map((cycle) => explainCycle(cycle, resources)));
  return { settings, resources, graph, findings };
}

function* edgesOf(resources: Iterable<Resource>) {
  for (const { address: from, references } of resources) {
    for (const { address: to } of references) yield { from, to };
  }
}

function collect(built: readonly Resource[]) {
  const resources = new Map<string, Resource>();
  const duplicates: Finding[] = [];
  const sorted = built.toSorted((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : 0));
  for (const resource of sorted) {
    const first = resources.get(resource.address);
    if (!first) {
      resources.set(resource.address, resource);
      continue;
    }
    const message = `\`${resource.address}\` is in \`${first.file}\` already`;
    const hint = "rename one of the two, or remove it";
    duplicates.push({
      ...error("document-duplicate", resource.place(["metadata", "name"]), message, hint),
      address: resource.address,
      related: [{ message: "the first", place: first.place(["metadata", "name"]) }],
    });
  }
  return { resources, duplicates };
}

function checkReference(
  { address, operation, place }: PlacedReference,
  resources: ReadonlyMap<string, Resource>,
  lost: LostDocuments,
): Finding[] {
  const target = resources.get(address);
  if (!target) return lost.mayHold(address) ? [] : [unknownReference(address, place, resources)];
  if (operation === undefined) return [];
  const operations = target.kind.operations?.(target.body) ?? [];
  if (findOperation(operations, operation) !== undefined) return [];
  const keys = operationKeys(operations);
  const message = `\`${address}\` has no operation ${quote(operation)}`;
  const hint = didYouMean(operation, keys) ?? (keys.length > 0 ? `it has ${few(keys)}` : "it has none");
  return [error("reference-operation", place, message, hint)];
}

function unknownReference(address: string, place: Place, resources: ReadonlyMap<string, Resource>): Finding {
  const colon = address.indexOf(":") + 1;
  const known = [...resources.keys()].filter((each) => each.startsWith(address.slice(0, colon)));
  const elsewhere = [...resources.values()].find(({ key }) => key === address.slice(colon));
  const hint =
    didYouMean(address, known) ??
    (elsewhere && `there is \`${elsewhere.address}\`: write \`\${${elsewhere.address}}\` if that is meant`) ??
    (known.length > 0 ? `known: ${few(known)}` : "no document of this kind is there");
  return error("reference-unknown", place, `${quote(address)} is no document of this workspace`, hint);
}

function few(names: readonly string[]): string {
  const shown = names.slice(0, 8).map(quote);
  const more = names.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function explainCycle(cycle: readonly string[], resources: ReadonlyMap<string, Resource>): Finding {
  const steps = cycle.slice(0, -1).map((from, index) => {
    const to = cycle[index + 1] ?? from;
    const place = resources.get(from)?.references.find(({ address }) => address === to)?.place;
    return { message: `${from} refers to ${to}`, ...(place && { place }) };
  });
  const hint =
    "the service needs an ID before it can be referred to: break the circle at one of these places";
  return {
    ...error("reference-cycle", steps[0]?.place, `references lead round: ${cycle.join(" → ")}`, hint),
    related: steps,
  };
}

function unusedVariables({ variables }: Settings, { usedVariables }: Substitution): Finding[] {
  return [...variables.keys()]
    .filter((name) => !usedVariables.has(name))
    .map((name) => {
      const place = { file: manifestFile, path: ["spec", "variables", name], key: true };
      return warning(
        "variable-unused",
        place,
        `variable \`${name}\` is used nowhere`,
        "remove it, or use it",
      );
    });
}
