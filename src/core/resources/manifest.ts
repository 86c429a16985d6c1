import { manifestFile } from "./manifest-file.js";
import { type FieldsByKind, readExtraFields } from "../kind/extra-fields.js";
import { fields } from "../../generated/fields.js";
import type { Variable, WorkspaceManifest, ServiceSettings } from "../../generated/workspace.js";
import { validate } from "../../generated/validate-workspace.js";
import { refused, type Checked } from "../finding/checked.js";
import { error, hasErrors, type Finding, type Place } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import type { Path } from "../../json/path.js";
import { parseDocuments } from "../document/document.js";
import { checkDocument } from "../schema/document-check.js";
import { allWritten } from "../schema/field-check.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { kinds } from "../kind/kinds.js";
import { checkLockLocation } from "./lock-location.js";
import { checkManifest, explainOutsideSpec, readDefaults } from "./manifest-check.js";
import { deploymentOf } from "../kind/written-operations.js";
import type { Deployment } from "../kind/deployment.js";
import { environmentHint } from "./absence.js";
import { environmentName, environmentOf, environmentsOf } from "./environment-name.js";
import type { OwnRule } from "../rules/own-rule.js";
import type { Default } from "./defaults.js";
import type { Variables } from "../expression/substitution.js";

/** The folders that are read unless the manifest names others. */
export const defaultInclude: readonly string[] = [
  ...Object.values(kinds).map(({ folder }) => folder),
  "rules",
];

/** By address: the reasons by the names of rules, and the codes of notes. */
export type ExcusedDocuments = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What a note of a plan leads to. */
export type NoteEffect = NonNullable<WorkspaceManifest["spec"]["notes"]>[string];

/** The settings of one environment. */
export interface Settings {
  readonly name: string;
  readonly environment: string | null;
  /** The names that the manifest declares. */
  readonly environments: readonly string[];
  readonly service: ServiceSettings;
  /** What the deployment can do beyond the documented operations. */
  readonly deployment: Deployment;
  readonly servicePlace: Place;
  readonly include: readonly string[];
  /** Whether `include` was written, so that a folder that is missing is an error. */
  readonly includeIsWritten: boolean;
  readonly variables: Variables;
  readonly kindFields: FieldsByKind;
  readonly defaults: readonly Default[];
  /** The number of objects that a plan may leave behind. */
  readonly orphanLimit: number | undefined;
  readonly lock: NonNullable<WorkspaceManifest["spec"]["lock"]>;
  /** The folder in its repository, if it is in one. */
  readonly folder?: string;
  /** The effects of built-in notes that are not as usual, by code. */
  readonly effects: Readonly<Record<string, NoteEffect>>;
  /** The same of the commit whose rules hold as well, for each folder that it had the workspace in. */
  readonly effectsBefore?: readonly Settings["effects"][];
  /** The workspaces whose IDs references stand for, by the names that they have here. */
  readonly uses: NonNullable<WorkspaceManifest["spec"]["uses"]>;
  /** The rules of a team's own; none before documents are read. */
  readonly rules: readonly OwnRule[];
  /** What documents are excused from, by address: the reasons by name; nothing before documents are read. */
  readonly exceptions: ExcusedDocuments;
}

/** A parsed manifest, before an environment is chosen. */
export interface Manifest {
  readonly value: WorkspaceManifest;
  readonly defaults: readonly Default[];
  readonly findings: Finding[];
}

/** Parses the manifest; gives only findings if it cannot be used. */
export function parseManifest(text: string): Checked<Manifest> {
  const parsed = parseDocuments(manifestFile, text);
  if (hasErrors(parsed.findings)) return refused(parsed.findings);
  const [document, second] = parsed.value;
  const place = (path: Path): Place => ({ file: manifestFile, document: document?.index ?? 0, path });
  if (!document || !isObject(document.value)) {
    const at = document ? place([]) : { file: manifestFile, offset: 0 };
    const hint = "`agentform init` shows one";
    return refused([error("document-shape", at, "the manifest must be a mapping", hint)]);
  }
  if (second) {
    const elsewhere = { file: manifestFile, document: second.index };
    const hint = "move documents into the folders that `spec.include` names";
    const message = "the manifest must be the only document of its file";
    return refused([error("document-shape", elsewhere, message, hint)]);
  }
  const findings = checkDocument(document.value, validate, fields.workspace, {
    place,
    unknownInSpec: "error",
    extra: [],
    ...allWritten,
  }).map(explainOutsideSpec);
  // A secret in the wrong place does not prevent reading the rest; a wrong name or type does.
  if (hasErrors(findings.filter(({ code }) => code !== "secret-literal"))) return refused(findings);
  const value = document.value as JsonObject & WorkspaceManifest;
  const count = declaredEnvironments(value).length;
  if (count > mostEnvironments) return refused([tooManyEnvironments(count, place(["spec", "environments"]))]);
  if (count * text.length > mostRead)
    return refused([tooLongForAll(count, text.length, place(["spec", "environments"]))]);
  const { defaults, findings: ofDefaults } = readDefaults(value, place);
  const ofLocation = checkLockLocation(value, place);
  const all = [...findings, ...checkManifest(value, text, place), ...ofLocation, ...ofDefaults];
  // Commands that need the manifest alone go on with other errors, but must not ask at such a place.
  if (hasErrors(ofLocation)) return refused(all);
  return { ok: true, value, defaults, findings: all };
}

// `validate` checks all documents in each of them.
const mostEnvironments = 200;

// It is read anew for each of them.
const mostRead = 64_000_000;

function tooLongForAll(count: number, length: number, place: Place): Finding {
  const message = say`the manifest has ${bare({ count }, String(count))} environments and ${bare({ size: length }, length.toLocaleString("en-US"))} characters, which are read for each; at most ${bare({ limit: mostRead }, mostRead.toLocaleString("en-US"))} are read in all`;
  return error("document-too-large", place, message, "split the workspace");
}

function tooManyEnvironments(count: number, place: Place): Finding {
  const shown = count.toLocaleString("en-US");
  const message = say`the manifest has ${bare({ count }, shown)} environments, but at most ${bare({ limit: mostEnvironments }, String(mostEnvironments))} are possible`;
  return error("document-too-large", place, message, "split the workspace");
}

/** Gives the names of the environments that a manifest declares. */
export function declaredEnvironments({ spec }: WorkspaceManifest): string[] {
  return Object.keys(spec.environments ?? {});
}

/** Gives the settings of the environment of a name, or of the default one, or its problems. */
export function buildSettings(
  { value: manifest, defaults }: Manifest,
  name: string | null,
  given: ReadonlyMap<string, Json>,
): Checked<{ readonly settings: Settings }> {
  const { spec, metadata } = manifest;
  const environments = declaredEnvironments(manifest);
  const environment = name === null ? null : environmentOf(name);
  if (!environmentsOf(environments).includes(environment)) {
    return refused([withoutEnvironment(name, environments)]);
  }
  const path = ["spec", "environments", environmentName(environment)];
  const chosen = spec.environments?.[environmentName(environment)] ?? {};
  const service = { ...spec.service, ...chosen.service };
  const settings: Settings = {
    name: metadata.name,
    environment,
    environments,
    service,
    deployment: deploymentOf(service),
    servicePlace: {
      file: manifestFile,
      path: chosen.service ? [...path, "service"] : ["spec", "service"],
    },
    include: spec.include ?? defaultInclude,
    includeIsWritten: spec.include !== undefined,
    variables: mergeVariables(spec.variables ?? {}, chosen.variables ?? {}, given),
    kindFields: readExtraFields(spec.extra_fields),
    defaults,
    orphanLimit: spec.limits?.orphans,
    lock: spec.lock ?? { store: "file" },
    effects: spec.notes ?? {},
    uses: spec.uses ?? {},
    rules: [],
    exceptions: {},
  };
  return { ok: true, settings };
}

/** Gives settings with a different place of lock and journal, or what is wrong with that place. */
export function withLock(settings: Settings, lock: JsonObject): Checked<{ readonly settings: Settings }> {
  const { name, environments } = settings;
  const spec = { lock, environments: Object.fromEntries(environments.map((each) => [each, {}])) };
  const text = JSON.stringify({ apiVersion: "agentform/v1", kind: "Workspace", metadata: { name }, spec });
  const manifest = parseManifest(text);
  if (!manifest.ok) return manifest;
  if (hasErrors(manifest.findings)) return refused(manifest.findings);
  return { ok: true, settings: { ...settings, lock: manifest.value.spec.lock ?? settings.lock } };
}

// Settings that no environment has are not those of one more, which somebody forgot to name.
function withoutEnvironment(name: string | null, declared: readonly string[]): Finding {
  const place = { file: manifestFile, path: ["spec", "environments"], key: true };
  if (name !== null) {
    const message = say`environment \`${bare({ environment: name })}\` is not in the manifest`;
    return error("environment-unknown", place, message, environmentHint(name, declared));
  }
  const message = "the manifest has environments, and the command names none";
  const hint = say`choose one with \`-e\`: ${bare({ expected: [...declared] })}; or declare \`default: {}\` beside them`;
  return error("environment-required", place, message, hint);
}

function mergeVariables(
  declared: Record<string, Variable>,
  ofEnvironment: Record<string, Json>,
  given: ReadonlyMap<string, Json>,
): Variables {
  const values = new Map<string, Json | undefined>();
  for (const [name, variable] of Object.entries(declared)) {
    values.set(name, isObject(variable) ? variable.default : variable);
  }
  for (const [name, value] of [...Object.entries(ofEnvironment), ...given]) {
    if (values.has(name)) values.set(name, value);
  }
  return values;
}
