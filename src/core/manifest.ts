import { fields } from "../generated/fields.js";
import type { Variable, WorkspaceManifest, ServiceSettings } from "../generated/workspace.js";
import { validate } from "../generated/validate-workspace.js";
import { error, hasErrors, type Finding, type Path, type Place } from "./diagnostic.js";
import { parseDocuments } from "./document.js";
import { isObject, type Json } from "./json.js";
import type { KindName } from "./kind.js";
import { checkFields } from "./known-field.js";
import { didYouMean } from "./nearest.js";
import { checkSchema } from "./schema.js";
import type { Variables } from "./substitution.js";

/** The name of the manifest's file. */
export const manifestFile = "agentform.yaml";
const defaultInclude = ["policies", "toolsets", "credentials", "agents"];

/** What the manifest says for one environment. */
export interface Settings {
  readonly name: string;
  /** The environment, or null for the default one. */
  readonly environment: string | null;
  readonly environments: readonly string[];
  readonly service: ServiceSettings;
  /** Where an address of the service stands in the manifest. */
  readonly servicePlace: Place;
  readonly include: readonly string[];
  /** Whether `include` was written, so that a folder that is missing is an error. */
  readonly includeIsWritten: boolean;
  readonly variables: Variables;
  readonly extraFields: Readonly<Partial<Record<KindName, readonly string[]>>>;
  /** How many objects a plan may leave behind. */
  readonly orphanLimit: number | undefined;
  readonly lock: NonNullable<WorkspaceManifest["spec"]["lock"]>;
}

/** A manifest that parsed, before an environment is chosen. */
export interface Manifest {
  readonly value: WorkspaceManifest;
  readonly findings: Finding[];
}

/** Parses the manifest's text; without a manifest that can be used, findings alone. */
export function parseManifest(text: string): Manifest | Finding[] {
  const parsed = parseDocuments(manifestFile, text);
  if (hasErrors(parsed.findings)) return parsed.findings;
  const [document, second] = parsed.value;
  const place = (path: Path): Place => ({ file: manifestFile, document: document?.index ?? 0, path });
  if (!document || !isObject(document.value)) {
    return [error("document-shape", place([]), "the manifest is no mapping", "`agentform init` shows one")];
  }
  if (second) {
    const elsewhere = { file: manifestFile, document: second.index };
    const hint = "move documents into the folders that `spec.include` names";
    return [error("document-shape", elsewhere, "the manifest is one document, and this file holds more", hint)];
  }
  const findings = [
    ...checkSchema(document.value, validate, place),
    ...checkFields(document.value, fields.workspace, {
      place,
      unknownInSpec: "error",
      extra: [],
      isIncluded: () => false,
    }),
  ];
  if (hasErrors(findings)) return findings;
  return { value: document.value as unknown as WorkspaceManifest, findings };
}

/** Gives the settings of one environment, or what is wrong with it. */
export function buildSettings(
  { value: manifest }: Manifest,
  environment: string | null,
  given: ReadonlyMap<string, Json>,
): Settings | Finding[] {
  const { spec, metadata } = manifest;
  const environments = Object.keys(spec.environments ?? {});
  const chosen = environment === null ? {} : spec.environments?.[environment];
  if (!chosen) {
    const place = { file: manifestFile, path: ["spec", "environments"], key: true };
    const known = environments.length > 0 ? `known: ${environments.join(", ")}` : "the manifest has none";
    const hint = didYouMean(environment ?? "", environments) ?? known;
    return [error("environment-unknown", place, `environment \`${environment}\` is not in the manifest`, hint)];
  }
  const inEnvironment = environment !== null && chosen.service !== undefined;
  return {
    name: metadata.name,
    environment,
    environments,
    service: { ...spec.service, ...chosen.service },
    servicePlace: {
      file: manifestFile,
      path: inEnvironment ? ["spec", "environments", environment, "service"] : ["spec", "service"],
    },
    include: spec.include ?? defaultInclude,
    includeIsWritten: spec.include !== undefined,
    variables: mergeVariables(spec.variables ?? {}, chosen.variables ?? {}, given),
    extraFields: spec.extra_fields ?? {},
    orphanLimit: spec.limits?.orphans,
    lock: spec.lock ?? { store: "file" },
  };
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
  for (const [name, value] of Object.entries(ofEnvironment)) values.set(name, value);
  for (const [name, value] of given) if (values.has(name)) values.set(name, value);
  return values;
}
