import { manifestFile } from "./manifest-file.js";
import { type FieldsByKind, readExtraFields } from "../kind/extra-fields.js";
import { noteCodes } from "../../generated/codes.js";
import { fields } from "../../generated/fields.js";
import type { Variable, WorkspaceManifest, ServiceSettings } from "../../generated/workspace.js";
import { validate } from "../../generated/validate-workspace.js";
import { refused, type Checked } from "../finding/checked.js";
import { error, hasErrors, type Finding, type Place, note } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import type { Path } from "../../json/path.js";
import { parseDocuments } from "../document/document.js";
import { checkDocument } from "../schema/document-check.js";
import { allWritten } from "../schema/known-field.js";
import { isExpression, parseEnvironmentLocator, parseText } from "../expression/expression.js";
import { explainNoVariable, explainProblem } from "../expression/expression-finding.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { explainUnresolved } from "../schema/literal.js";
import { kinds } from "../kind/kinds.js";
import { didYouMean } from "../finding/nearest.js";
import { checkLockLocation } from "./lock-location.js";
import { checkIgnored } from "./ignored-warning.js";
import { checkRejectedStatuses, checkOperations, servicesIn } from "./service-operations.js";
import { deploymentOf } from "../kind/written-operations.js";
import type { Deployment } from "../kind/deployment.js";
import { environmentHint } from "./absence.js";
import { environmentName, environmentOf, environmentsOf } from "./environment-name.js";
import type { OwnRule } from "../rules/own-rule.js";
import type { Default } from "./defaults.js";
import { explainOutsideSpec, readDefaults } from "./manifest-defaults.js";
import type { Variables } from "../expression/substitution.js";
import { sharesService } from "../state/service-identity.js";

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
  /** The environment, or null for the default one. */
  readonly environment: string | null;
  /** The names that the manifest declares. */
  readonly environments: readonly string[];
  readonly service: ServiceSettings;
  /** What the deployment can do beyond the documented operations. */
  readonly deployment: Deployment;
  /** The place of a service address in the manifest. */
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
  /** The effects of built-in notes that are not as usual, by code. */
  readonly effects: Readonly<Record<string, NoteEffect>>;
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
  const { defaults, findings: ofDefaults } = readDefaults(value, place);
  const ofLocation = checkLockLocation(value, place);
  const all = [
    ...findings,
    ...undeclaredVariables(value, place),
    ...referencesInVariables(value, place),
    ...malformedKeys(value, place),
    ...checkRejectedStatuses(value, place),
    ...checkOperations(value, place),
    ...ofLocation,
    ...checkSameService(value, place),
    ...ofDefaults,
    ...checkIgnored(value.spec.ignore ?? [], place),
    ...unknownNotes(value, place),
  ];
  // Commands that need the manifest alone go on with other errors, but must not ask at such a place.
  return hasErrors(ofLocation) ? refused(all) : { ok: true, value, defaults, findings: all };
}

// `validate` checks all documents in each of them.
const mostEnvironments = 200;

function tooManyEnvironments(count: number, place: Place): Finding {
  const shown = count.toLocaleString("en-US");
  const message = say`the manifest has ${bare({ count }, shown)} environments, but at most ${bare({ limit: mostEnvironments }, String(mostEnvironments))} are possible`;
  return error("document-too-large", place, message, "split the workspace");
}

function undeclaredVariables({ spec }: WorkspaceManifest, place: (path: Path) => Place): Finding[] {
  const declared = Object.keys(spec.variables ?? {});
  return Object.entries(spec.environments ?? {}).flatMap(([environment, { variables = {} }]) =>
    Object.keys(variables)
      .filter((name) => !declared.includes(name))
      .map((name) => {
        const at = { ...place(["spec", "environments", environment, "variables", name]), key: true };
        const hint = didYouMean(name, declared) ?? `declare it: \`${name}: {}\` under \`spec.variables\``;
        const message = say`variable ${{ name }} has a value in environment ${{ environment }} but is not declared`;
        return error("variable-unknown", at, message, hint);
      }),
  );
}

function unknownNotes({ spec }: WorkspaceManifest, place: (path: Path) => Place): Finding[] {
  // What they say is of settings and states themselves, and such a setting would hide itself.
  const fixed = ["first-apply", "setting-changed", "state-edited"];
  const known = noteCodes.filter((code) => !fixed.includes(code));
  return Object.keys(spec.notes ?? {}).flatMap((code) => {
    if (known.some((each) => each === code)) return [];
    const at = { ...place(["spec", "notes", code]), key: true };
    const hint = didYouMean(code, known) ?? "`agentform explain` lists the codes of notes";
    return [
      error(
        "rule-unknown",
        at,
        say`there is no built-in note ${{ code }} with an effect that can be set`,
        hint,
      ),
    ];
  });
}

// The value of a variable is not part of a document, so references in it are not resolved.
function referencesInVariables({ spec }: WorkspaceManifest, place: (path: Path) => Place): Finding[] {
  const hint = "write the reference in the document, where the variable is used";
  const explain = (value: Json | undefined, at: Path) =>
    explainUnresolved(value ?? null, "the value of a variable", hint, (path) => place([...at, ...path]));
  const declared = Object.entries(spec.variables ?? {}).flatMap(([name, variable]) => {
    const at = ["spec", "variables", name];
    return isObject(variable) ? explain(variable.default, [...at, "default"]) : explain(variable, at);
  });
  const given = Object.entries(spec.environments ?? {}).flatMap(([environment, { variables }]) =>
    explain(variables, ["spec", "environments", environment, "variables"]),
  );
  return [...declared, ...given];
}

// The manifest has no other expressions, and only what connects reads these.
function malformedKeys({ spec }: WorkspaceManifest, place: (path: Path) => Place): Finding[] {
  const keys: [Path, string | undefined][] = [
    ...servicesIn(spec).map(({ service, at }): [Path, string | undefined] => [
      [...at, "api_key"],
      service?.api_key,
    ]),
    [["spec", "lock", "username"], spec.lock?.username],
    [["spec", "lock", "password"], spec.lock?.password],
    [["spec", "lock", "url"], spec.lock?.url],
    [["spec", "lock", "access_key_id"], spec.lock?.access_key_id],
    [["spec", "lock", "secret_access_key"], spec.lock?.secret_access_key],
    [["spec", "lock", "session_token"], spec.lock?.session_token],
  ];
  return keys.flatMap(([path, text = ""]) =>
    parseText(text).flatMap((part) => {
      if (typeof part === "string") return [];
      const at = { ...place(path), expression: part.source };
      if (!isExpression(part)) return [explainProblem(part, at)];
      return part.scheme === "env" && parseEnvironmentLocator(part.locator)
        ? []
        : [explainNoVariable(part, at)];
    }),
  );
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

// Notes each environment whose agents are in the service of one before it; a copied address may be a mistake.
function checkSameService({ spec }: WorkspaceManifest, place: (path: Path) => Place): Finding[] {
  const addresses = Object.entries(spec.environments ?? {}).flatMap(([environment, { service }]) => {
    const base_url = service?.base_url ?? spec.service?.base_url;
    return base_url === undefined ? [] : [{ environment, base_url }];
  });
  return addresses.flatMap(({ environment, base_url }, index) => {
    const first = addresses.slice(0, index).find((other) => sharesService({ base_url }, other));
    if (!first) return [];
    const at = { ...place(["spec", "environments", environment]), key: true };
    const message = say`environment ${{ environment }} has the same \`base_url\` as ${{ other: first.environment }}`;
    const hint =
      "give it a different address, or `ignore: [environment-same-service]` if both are meant to be there";
    return [note("environment-same-service", at, message, hint)];
  });
}
