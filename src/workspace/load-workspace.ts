import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { refused, type Checked } from "../core/finding/checked.js";
import { error, hasErrors, type Diagnostic, type Finding, type Place } from "../core/finding/diagnostic.js";
import { bare, say } from "../core/finding/said.js";
import { quoteFew } from "../core/finding/quotation.js";
import { mergeFindings } from "../core/finding/merged-findings.js";
import { isObject, type Json } from "../json/json.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import {
  buildSettings,
  declaredEnvironments,
  parseManifest,
  type Manifest,
  type Settings,
} from "../core/resources/manifest.js";
import { ignoredCodes, withoutIgnored } from "../core/resources/ignored-warning.js";
import { lazy } from "../json/once.js";
import { environmentsOf } from "../core/resources/environment-name.js";
import { didYouMean } from "../core/finding/nearest.js";
import { emulatedDeployment } from "../core/kind/deployment.js";
import type { PlanOptions } from "../core/plan/plan-options.js";
import { linesOf, locate, type SourceText } from "../core/position/position.js";
import { readRuleTexts, type RuleTexts } from "../core/rules/rule-texts.js";
import { assembleFleet, type Fleet } from "../core/resources/fleet.js";
import { rulesOfCommit } from "../core/resources/fleet-rules.js";
import { repositoryFolder, repositoryRoot } from "../git/repository.js";
import { keepEnvironments, keepWorkspaceNames } from "./known-names.js";
import type { CacheOwner } from "./cache/cache.js";
import { findDocuments, findPatches, findStrayPatches } from "./find-documents.js";
import { openFolder, type SharedLook } from "./open-workspace.js";
import { unreadable } from "./regular-file.js";
import { misnamedManifest, workspacesBelow } from "./near-manifest.js";
import type { ParsedFile } from "../core/resources/parsed-file.js";
import { parseFiles } from "./parse-files.js";
import type { AppliesBefore } from "./others/state-elsewhere.js";
import type { UsedWorkspaces } from "../core/resources/used.js";
import { readUses } from "./others/used-workspaces.js";
import { warnOfUnread } from "./unread-documents.js";
import type { WorkspaceFolder } from "./workspace-folder.js";

/** Selects a workspace and an environment. */
export interface LoadOptions extends CacheOwner {
  /** Values of variables that override the manifest's. */
  readonly variables?: ReadonlyMap<string, Json>;
  /** The folders and files that the command makes once it writes: they may be missing where the manifest names them. */
  readonly makes?: readonly string[];
  /** What loads of the workspace share: the texts that an editor has open, and what is parsed already. */
  readonly open?: SharedLook;
  /** Called with the codes of warnings that the manifest ignores, in one environment. */
  readonly onIgnored?: (codes: readonly Finding["code"][], environment: string | null) => void;
  /** Rules from elsewhere, which hold beside the workspace's own. */
  readonly rules?: readonly RuleTexts[];
  /** What the command has found beside the workspace, and tells with what is found in it. */
  readonly beside?: readonly Finding[];
  /** The commit whose locks give the IDs of other workspaces; those of the checkout unless given. */
  readonly locksFrom?: string;
  /** What applies of other workspaces give them before this one's turn. */
  readonly before?: AppliesBefore;
  /** With the emulator, a deployment has the emulator's operations in the place of its own. */
  readonly options?: Pick<PlanOptions, "emulator">;
}

/** A loaded workspace, with its diagnostics. */
export interface LoadedWorkspace {
  /** Missing if the manifest cannot be used. */
  readonly fleet?: Fleet;
  /** The environments that there are, null for the default one; that alone if the manifest cannot be used. */
  readonly environments: readonly (string | null)[];
  /** All diagnostics, located and sorted. */
  readonly diagnostics: readonly Diagnostic[];
  readonly locate: (findings: readonly Finding[]) => Diagnostic[];
  /** The manifest and the files with documents and patches. */
  readonly files: () => ReadonlySet<string>;
  /** Gives the lines of places in its files, as far as they can be found. */
  readonly lines: (places: readonly Place[]) => (number | undefined)[];
}

/** Reads and checks a workspace; problems are diagnostics, all of them at once. */
export function loadWorkspace(options: LoadOptions): LoadedWorkspace {
  if (!existsSync(join(options.directory, manifestFile)))
    return unopened([withoutManifest(options.directory)]);
  const opened = options.open?.folder() ?? openFolder(options.directory);
  if (!opened.ok) return unopened(opened.problems);
  const { folder } = opened;
  let named: readonly string[] = [];
  // Most loads find nothing to quote.
  const sources = lazy(() => new Set([manifestFile, ...named]));
  const manifest = readManifest(folder);
  const ignore = ignoredCodes(manifest.ok ? (manifest.value.spec.ignore ?? []) : [], options.rules);
  const elsewhere = new Map((options.rules ?? []).flatMap(({ files }) => [...files]));
  const read = (file: string) => quote(folder, file, sources) ?? quoteText(elsewhere.get(file));
  const locateHere = (findings: readonly Finding[]) => {
    const { shown, ignored } = withoutIgnored(findings, ignore);
    if (ignored.length > 0) options.onIgnored?.(ignored, options.environment ?? null);
    return locate(mergeFindings(shown), read);
  };
  const lines = (places: readonly Place[]) => linesOf(places, read);
  const loaded = (findings: readonly Finding[], environments: readonly (string | null)[] = [null]) => {
    return { environments, diagnostics: locateHere(findings), locate: locateHere, files: sources, lines };
  };

  if (!manifest.ok) return loaded(manifest.problems);
  const declared = declaredEnvironments(manifest.value);
  const environments = environmentsOf(declared);
  keepEnvironments(declared, options);
  const { variables: given = new Map<string, Json>(), beside = [] } = options;
  const built = buildSettings(manifest, options.environment ?? null, given);
  if (!built.ok) return loaded(built.problems, environments);
  const { deployment } = built.settings;
  const emulated = options.options?.emulator === true && { deployment: emulatedDeployment(deployment) };
  const settings = { ...built.settings, ...emulated, ...givenBy(options) };

  const documents = findDocuments(folder, settings, options.makes);
  const patches = findPatches(folder, settings);
  const unfound = [...documents.findings, ...patches.findings];
  named = [...documents.files, ...patches.files];
  const parsed = parseFiles(folder, settings, documents.files, patches.files, options);
  const foreign = (options.rules ?? []).map((texts) => readForeignRules(texts, settings));
  const unreadFiles = {
    files: parsed.findings.flatMap(({ place }) => place?.file ?? []),
    folders: unfound.length > 0,
  };
  const uses = readUses(folder, settings, options);
  const foreignRules = foreign.flatMap(({ rules }) => rules);
  const fleet = assembleFleet(settings, parsed.files, parsed.patches, unreadFiles, foreignRules, uses.used);
  const findings = [
    ...manifest.findings,
    ...undeclared(given, settings),
    ...unfound,
    ...findStrayPatches(folder, settings, documents.files),
    // Where a folder is misspelt in the manifest, that is the mistake.
    ...(unfound.length > 0
      ? []
      : warnOfUnread(folder, settings, [documents, patches], includedIn(parsed.files))),
    ...parsed.findings,
    ...uses.findings,
    ...foreign.flatMap((each) => each.findings),
    ...fleet.findings,
  ];
  // With errors, it lacks what could not be read.
  if (!hasErrors(findings)) keepWorkspaceNames(fleet, options);
  return { ...loaded([...beside, ...findings], environments), fleet };
}

function readForeignRules(texts: RuleTexts, settings: Settings): ReturnType<typeof readRuleTexts> {
  const { rules, findings } = readRuleTexts(texts);
  const { environments: before } = texts;
  return { rules: before ? rulesOfCommit(rules, before, settings) : rules, findings };
}

/** Reads what a loaded workspace uses of others once more: they may have been applied since. */
export function readUsesAgain(settings: Settings, options: LoadOptions): UsedWorkspaces {
  const opened = openFolder(options.directory);
  return opened.ok ? readUses(opened.folder, settings, options).used : new Map();
}

function givenBy({ directory, rules = [] }: LoadOptions): Pick<Settings, "folder" | "effectsBefore"> {
  const effectsBefore = rules.flatMap(({ origin, effects }) =>
    origin === "base" && effects ? [effects] : [],
  );
  const held = effectsBefore.length > 0 && { effectsBefore };
  if (repositoryRoot(directory) === undefined) return { ...held };
  return { folder: repositoryFolder(directory).slice(0, -1) || ".", ...held };
}

function includedIn(files: readonly ParsedFile[]): string[] {
  return files.flatMap(({ summary }) => summary.included ?? []);
}

/** A workspace with its manifest and resources. */
export type SoundWorkspace = LoadedWorkspace & { readonly fleet: Fleet };

/** Whether a workspace was loaded without an error, so that it can be planned. */
export function isSound(loaded: LoadedWorkspace): loaded is SoundWorkspace {
  return loaded.fleet !== undefined && !hasErrors(loaded.diagnostics);
}

function withoutManifest(directory: string): Finding {
  try {
    statSync(join(directory, manifestFile));
  } catch (thrown) {
    // In a folder that may not be searched, nobody knows what is there.
    const { code, message, hint } = unreadable(manifestFile, thrown);
    if (code === "file-unreadable") return error(code, { file: manifestFile }, message, hint);
  }
  if (!existsSync(directory)) {
    const absent = "the folder of the workspace does not exist";
    return error("workspace-missing", { file: manifestFile }, absent, "choose a different one with `-C DIR`");
  }
  const missing = say`there is no \`${bare({ file: manifestFile })}\` in the workspace`;
  const misnamed = misnamedManifest(directory);
  if (misnamed !== undefined) {
    const message = say`${missing}, but ${{ found: misnamed }}, which is not read`;
    const hint = say`rename it to ${{ meant: manifestFile }}`;
    return error("workspace-missing", { file: manifestFile }, message, hint);
  }
  const below = workspacesBelow(directory);
  const hint =
    below.length > 0
      ? say`choose one below with \`-C DIR\`: ${bare({ expected: below }, quoteFew(below))}`
      : "run `agentform init` to make a workspace, or name the folder of one with `-C DIR`; `--all` of validate, plan and apply takes those below";
  return error("workspace-missing", { file: manifestFile }, missing, hint);
}

function unopened(findings: readonly Finding[]): LoadedWorkspace {
  const lines = (places: readonly Place[]) => places.map(() => undefined);
  return { environments: [null], diagnostics: locate(findings), locate, files: () => new Set(), lines };
}

function readManifest(folder: WorkspaceFolder): Checked<Manifest> {
  const read = folder.read(manifestFile);
  if (read.ok) return parseManifest(read.text);
  return refused([error(read.code, { file: manifestFile }, read.message, read.hint)]);
}

function undeclared(given: ReadonlyMap<string, Json>, { variables }: Settings): Finding[] {
  return [...given]
    .filter(([name]) => !variables.has(name))
    .map(([name, value]) => {
      const isNested = isObject(value) && Object.keys(value).some((member) => variables.has(member));
      const hint = isNested
        ? say`write the variables at the top of the file, not under ${{ name }}`
        : (didYouMean(name, variables.keys()) ?? "declare it under `spec.variables` of agentform.yaml");
      return error(
        "variable-unknown",
        undefined,
        say`variable \`${bare({ name })}\` is given but not declared`,
        hint,
      );
    });
}

function quoteText(text: string | undefined): SourceText | undefined {
  return text === undefined ? undefined : { text, quotable: true, isManifest: false };
}

function quote(
  folder: WorkspaceFolder,
  file: string,
  sources: () => ReadonlySet<string>,
): SourceText | undefined {
  const part = folder.read(file);
  const read = !part.ok && part.code === "file-withheld" ? folder.readOwn(file) : part;
  if (!read.ok) return undefined;
  return { text: read.text, quotable: sources().has(file), isManifest: file === manifestFile };
}
