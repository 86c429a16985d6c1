import { error, warning, type Finding, type Place } from "./diagnostic.js";
import { explainMissing } from "./expression-finding.js";
import { recordFile, type FileRecord } from "./file-record.js";
import { buildGraph, type Graph } from "./graph.js";
import type { Hash } from "./json.js";
import { addressOfLost, LostDocuments, type Unread } from "./lost-documents.js";
import { manifestFile, type Settings } from "./manifest.js";
import { didYouMean } from "./nearest.js";
import { findOperation, operationKeys } from "./openapi.js";
import { parsePatches, type Patches } from "./patches.js";
import { quote } from "./quotation.js";
import { resourcesOf } from "./recorded-resource.js";
import type { Reference } from "./reference.js";
import type { Resource } from "./resource.js";
import type { Includes } from "./substitution.js";

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
): Workspace {
  const [patchTexts, texts] = [[], []] as [SourceFile[], SourceFile[]];
  for (const source of sources) (source.isPatch ? patchTexts : texts).push(source);
  const patches = parsePatches(patchTexts);
  const context = { ...settings, patches, includes, data: new Map(), hash };
  const records = texts.map(({ file, text }) => recordFile(file, text, context));
  return assembleWorkspace(settings, records, patches, { files: [], folders: false });
}

/** Assembles a workspace of what its files gave. */
export function assembleWorkspace(
  settings: Settings,
  records: readonly FileRecord[],
  patches: Patches,
  unread: Unread,
): Workspace {
  const lost = whatIsLost(records, patches, unread);
  const built = records.flatMap(resourcesOf);
  const { resources, duplicates } = collect(built);
  const graph = buildGraph(resources.keys(), edgesOf(resources.values()));
  const findings = [
    ...patches.findings,
    ...records.flatMap(({ head }) => head.findings ?? []),
    ...patches.explainRest(addressesIn(records), lost),
    ...duplicates,
    ...missingVariables(records, settings),
    ...unusedVariables(records, settings, lost),
    ...unknownReferences(records, built, resources, lost),
    ...graph.cycles.map((cycle) => explainCycle(cycle, resources)),
  ];
  return { settings, resources, graph, findings };
}

function whatIsLost(records: readonly FileRecord[], patches: Patches, unread: Unread): LostDocuments {
  const lost = new LostDocuments(unread);
  for (const text of patches.broken) lost.addText(text);
  for (const { head } of records) {
    for (const text of head.broken ?? []) lost.addText(text);
    for (const document of head.lost ?? []) lost.addDocument(document);
  }
  return lost;
}

function* addressesIn(records: readonly FileRecord[]) {
  for (const { head } of records) {
    for (const { address } of head.resources) yield address;
    for (const document of head.lost ?? []) {
      const address = addressOfLost(document);
      if (address !== undefined) yield address;
    }
  }
}

function missingVariables(records: readonly FileRecord[], { environment }: Settings): Finding[] {
  const missing = new Map<string, Place[]>();
  for (const { head } of records) {
    for (const [name, places] of head.missing ?? []) {
      const all = missing.get(name);
      if (all) all.push(...places);
      else missing.set(name, [...places]);
    }
  }
  return [...missing].map(([name, places]) => explainMissing(name, places, environment));
}

function unknownReferences(
  records: readonly FileRecord[],
  built: readonly Resource[],
  resources: ReadonlyMap<string, Resource>,
  lost: LostDocuments,
): Finding[] {
  const findings: Finding[] = [];
  const check = (reference: Reference, place: () => Place | undefined) => {
    // Nearly all lead to something that is there.
    if (reference.operation !== undefined || !resources.has(reference.address)) {
      findings.push(...checkReference(reference, place, resources, lost));
    }
  };
  for (const { head } of records) {
    for (const reference of head.dangling ?? []) check(reference, () => reference.place);
  }
  for (const resource of built) {
    for (const [index, reference] of resource.references.entries()) {
      check(reference, () => resource.placedReferences[index]?.place);
    }
  }
  return findings;
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
  { address, operation }: Reference,
  place: () => Place | undefined,
  resources: ReadonlyMap<string, Resource>,
  lost: LostDocuments,
): Finding[] {
  const target = resources.get(address);
  if (!target) return lost.mayHold(address) ? [] : [unknownReference(address, place(), resources)];
  if (operation === undefined) return [];
  const operations = target.kind.operations?.(target.body) ?? [];
  if (findOperation(operations, operation) !== undefined) return [];
  const keys = operationKeys(operations);
  const message = `\`${address}\` has no operation ${quote(operation)}`;
  const hint = didYouMean(operation, keys) ?? (keys.length > 0 ? `it has ${few(keys)}` : "it has none");
  return [error("reference-operation", place(), message, hint)];
}

function unknownReference(
  address: string,
  place: Place | undefined,
  resources: ReadonlyMap<string, Resource>,
): Finding {
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
    const place = resources.get(from)?.placedReferences.find(({ address }) => address === to)?.place;
    return { message: `${from} refers to ${to}`, ...(place && { place }) };
  });
  const hint =
    "the service needs an ID before it can be referred to: break the circle at one of these places";
  return {
    ...error("reference-cycle", steps[0]?.place, `references lead round: ${cycle.join(" → ")}`, hint),
    related: steps,
  };
}

function unusedVariables(
  records: readonly FileRecord[],
  { variables }: Settings,
  { isAllRead }: LostDocuments,
): Finding[] {
  if (!isAllRead || records.some(({ head }) => head.isPartial)) return [];
  const used = new Set(records.flatMap(({ head }) => head.variables ?? []));
  return [...variables.keys()]
    .filter((name) => !used.has(name))
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
