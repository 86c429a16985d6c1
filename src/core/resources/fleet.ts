import { compareText } from "../../json/compare-text.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { KeyedFindings } from "../finding/merged-findings.js";
import { labelledIn, type ParsedFile } from "./parsed-file.js";
import type { OwnRule } from "../rules/own-rule.js";
import { collectRules, collectExceptions } from "./fleet-rules.js";
import { buildGraph, type Graph } from "./graph.js";
import { misnamedFormer } from "./former-address.js";
import { unknownAdoptions, unknownEnvironments, type AbsentDocument } from "./absence.js";
import { Defaults, type Labelled } from "./defaults.js";
import { explainLiterals } from "../schema/literal.js";
import { explainMisplaced } from "../schema/typed-place.js";
import { addressOfLost, LostDocuments, type Unread } from "./lost-documents.js";
import { manifestFile } from "./manifest-file.js";
import type { Settings } from "./manifest.js";
import type { Patches } from "./patches.js";
import { resourcesOf } from "./file-resource.js";
import type { Resource } from "./resource.js";
import { undeclaredDeletes, sharedWireNames } from "./service-operations.js";
import { unknownReferences } from "./unknown-reference.js";
import { missingVariables, unusedVariables } from "./variable-use.js";
import { usedAddresses, type UsedWorkspaces } from "./used.js";
import { workspaceExpansion } from "../expression/expansion-limit.js";

/** The text of one file with documents. */
export interface SourceFile {
  /** Relative to the workspace, with `/`. */
  readonly file: string;
  readonly text: string;
}

/** The resources of a workspace in one environment, with its settings and the graph of their references. */
export interface Fleet {
  readonly settings: Settings;
  readonly resources: ReadonlyMap<string, Resource>;
  /** The documents that do not exist in this environment, and have no resource at their address, by address. */
  readonly absent: ReadonlyMap<string, AbsentDocument>;
  readonly graph: Graph;
  /** The workspaces whose IDs it refers to. */
  readonly used: UsedWorkspaces;
  /** The names of the variables that a file of documents uses, with its patches and what it includes, if there are any. */
  readonly variables: ReadonlyMap<string, readonly string[]>;
  readonly findings: readonly Finding[];
}

/** Assembles a fleet from its parsed files; its settings have their rules, and those from elsewhere. */
export function assembleFleet(
  settings: Settings,
  files: readonly ParsedFile[],
  patches: Patches,
  unread: Unread,
  rulesFromElsewhere: readonly OwnRule[],
  used: UsedWorkspaces,
): Fleet {
  const lost = whatIsLost(files, patches, unread);
  const built = files.flatMap((file) => resourcesOf(file, settings.deployment));
  const { resources, duplicates } = collect(built);
  const absent = absentFrom(files, resources);
  const graph = buildGraph(resources.keys(), (address) => resources.get(address)?.targets ?? []);
  const { rules, findings: ofRules } = collectRules(
    [...rulesFromElsewhere, ...files.flatMap(({ summary }) => summary.rules ?? [])],
    settings,
    () => labelledDocuments(files),
    lost,
  );
  const { exceptions, findings: ofExceptions } = collectExceptions(resources.values(), rules, lost);
  const ofTexts = explainTexts(files, settings, () => [...resources.keys(), ...usedAddresses(used)]);
  const wrongPlaces = new Set(ofTexts.filter(({ code }) => code === "reference-place").map(placeKey));
  const findings = [
    ...patches.findings,
    ...files.flatMap(({ summary }) => summary.findings ?? []),
    ...explainExpansion(files),
    ...patches.explainRest(addressesIn(files), lost, absent, settings.environment),
    ...duplicates,
    ...missingVariables(files, settings),
    ...unusedVariables(files, settings, lost),
    ...new Defaults(settings.defaults).explainUnused(
      () => labelledDocuments(files),
      (kind) => lost.mayBeOf(kind),
    ),
    ...ofTexts,
    ...misnamedEnvironments(files, settings),
    ...misnamedInLifecycle(resources.values(), settings),
    ...undeclaredDeletes(resources.values(), settings.deployment),
    ...sharedWireNames(resources.values(), settings.service),
    ...unknownReferences(files, built, {
      resources,
      absent,
      lost,
      environment: settings.environment,
      used,
    }).filter((finding) => !wrongPlaces.has(placeKey(finding))),
    ...graph.cycles.map((cycle) => explainCycle(cycle, resources)),
    ...ofRules,
    ...ofExceptions,
  ];
  return {
    settings: { ...settings, rules, exceptions },
    resources,
    absent,
    graph,
    used,
    variables: variablesOf(files),
    findings: eachOnce(findings),
  };
}

function variablesOf(files: readonly ParsedFile[]): Fleet["variables"] {
  return new Map(files.flatMap(({ summary: { file, variables } }) => (variables ? [[file, variables]] : [])));
}

function explainExpansion(files: readonly ParsedFile[]): Finding[] {
  const expanded = files.reduce((sum, { summary }) => sum + (summary.expanded ?? 0), 0);
  if (expanded <= workspaceExpansion) return [];
  const message = "the documents include too much: more than 128 MB, or 200,000 expressions";
  const hint = "include less, use fewer patterns with `*` under `operations`, or split the workspace";
  return [error("expansion-too-large", { file: manifestFile }, message, hint)];
}

function explainTexts(
  files: readonly ParsedFile[],
  { variables }: Settings,
  addressesOf: () => readonly string[],
): Finding[] {
  const literals = files.flatMap(({ summary }) => summary.literals ?? []);
  const misplaced = files.flatMap(({ summary }) => summary.misplaced ?? []);
  if (literals.length + misplaced.length === 0) return [];
  const addresses = new Set(addressesOf());
  return [
    ...explainLiterals(literals, addresses, variables.keys()),
    ...explainMisplaced(misplaced, addresses),
  ];
}

// A reference of the wrong kind is one mistake, also where nothing has its address.
function placeKey({ place }: Finding): string {
  return JSON.stringify([place?.file, place?.document, place?.path]);
}

function whatIsLost(files: readonly ParsedFile[], patches: Patches, unread: Unread): LostDocuments {
  const lost = new LostDocuments(unread);
  for (const text of patches.broken) lost.addText(text);
  for (const { summary } of files) {
    for (const text of summary.broken ?? []) lost.addText(text);
    for (const document of summary.lost ?? []) lost.addDocument(document);
  }
  return lost;
}

function* addressesIn(files: readonly ParsedFile[]) {
  for (const { summary } of files) {
    for (const { address } of summary.resources) yield address;
    for (const document of summary.lost ?? []) {
      const address = addressOfLost(document);
      if (address !== undefined) yield address;
    }
  }
}

function* labelledDocuments(files: readonly ParsedFile[]): Generator<Labelled> {
  for (const { summary } of files) yield* labelledIn(summary);
}

function absentFrom(files: readonly ParsedFile[], resources: ReadonlyMap<string, Resource>) {
  const absent = new Map<string, AbsentDocument>();
  for (const { summary } of files) {
    for (const document of summary.absent ?? []) {
      if (!resources.has(document.address)) absent.set(document.address, document);
    }
  }
  return absent;
}

function misnamedEnvironments(files: readonly ParsedFile[], { environments: known }: Settings): Finding[] {
  const findings: Finding[] = [];
  const check = (file: string, document: number, environments: readonly string[]) => {
    const place = (item: number) => ({ file, document, path: ["lifecycle", "environments", item] });
    findings.push(...unknownEnvironments(environments, known, place));
  };
  for (const { summary } of files) {
    for (const { index, lifecycle } of summary.resources)
      if (lifecycle?.environments) check(summary.file, index, lifecycle.environments);
    for (const { index, environments } of summary.absent ?? []) check(summary.file, index, environments);
  }
  return findings;
}

function misnamedInLifecycle(resources: Iterable<Resource>, { environments: known }: Settings): Finding[] {
  const findings = new KeyedFindings();
  for (const resource of resources) {
    for (const finding of misnamedFormer(resource)) findings.add(finding);
    const { adopt } = resource.lifecycle;
    if (adopt === undefined) continue;
    const place = (name: string) => resource.place(["lifecycle", "adopt", name]);
    for (const finding of unknownAdoptions(adopt, known, place)) findings.add(finding);
  }
  return findings.list();
}

// A mistake in a default is found in every document that uses it, and one in a list of environments by every key.
function eachOnce(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

function collect(built: readonly Resource[]) {
  const resources = new Map<string, Resource>();
  const duplicates: Finding[] = [];
  const sorted = built.toSorted((a, b) => compareText(a.address, b.address));
  for (const resource of sorted) {
    const first = resources.get(resource.address);
    if (!first) {
      resources.set(resource.address, resource);
      continue;
    }
    const message = say`${{ address: resource.address }} is already in \`${bare({ file: first.file })}\``;
    const hint = "rename or remove one of the two";
    duplicates.push({
      ...error("document-duplicate", resource.place(["metadata", "name"]), message, hint),
      address: resource.address,
      related: [explainFirst(first)],
    });
  }
  return { resources, duplicates };
}

function explainFirst(first: Resource) {
  const place = first.place(["metadata", "name"]);
  const message = place.each ? `the first, for the key \`${place.each.key}\`` : "the first";
  return { message, place };
}

const shownSteps = 20;

function explainCycle(cycle: readonly string[], resources: ReadonlyMap<string, Resource>): Finding {
  const steps = cycle
    .slice(0, -1)
    .slice(0, shownSteps)
    .map((from, index) => {
      const to = cycle[index + 1] ?? from;
      const place = resources.get(from)?.placedReferences.find(({ address }) => address === to)?.place;
      return { message: `${from} refers to ${to}`, ...(place && { place }) };
    });
  const hint = "an object has no ID before it is created: break the cycle at one of these places";
  const way = cycle.length - 1 > shownSteps ? [...cycle.slice(0, shownSteps), "…", cycle.at(-1)] : cycle;
  return {
    ...error(
      "reference-cycle",
      steps[0]?.place,
      say`circular references: ${bare({ addresses: [...cycle] }, way.join(" → "))}`,
      hint,
    ),
    related: steps,
  };
}
