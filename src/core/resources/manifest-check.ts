import { noteCodes } from "../../generated/codes.js";
import type { WorkspaceManifest } from "../../generated/workspace.js";
import { isObject, type Json } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { otherSpellings, type OtherSpelling } from "../document/spelling.js";
import { explainNoVariable, explainProblem, explainSpelling } from "../expression/expression-finding.js";
import { isExpression, parseEnvironmentLocator, parseText } from "../expression/expression.js";
import { error, note, type Finding, type Place } from "../finding/diagnostic.js";
import { didYouMean, didYouMeanAmong } from "../finding/nearest.js";
import { say } from "../finding/said.js";
import { explainUnresolved } from "../schema/literal.js";
import { comparable } from "../state/service-identity.js";
import { checkIgnored } from "./ignored-warning.js";
import {
  checkOperations,
  checkRejectedStatuses,
  servicesIn,
  unknownWireNames,
} from "./service-operations.js";
import { readExtraFields } from "../kind/extra-fields.js";
import { kindOfDocument } from "../kind/kinds.js";
import { allWritten, checkFields } from "../schema/field-check.js";
import type { Default } from "./defaults.js";

/** Gives what is wrong with the values of a manifest whose form is right. */
export function checkManifest(
  manifest: WorkspaceManifest,
  text: string,
  place: (path: Path) => Place,
): Finding[] {
  return [
    ...undeclaredVariables(manifest, place),
    ...otherSpelt(manifest, otherSpellings(text), place),
    ...referencesInVariables(manifest, place),
    ...malformedKeys(manifest, place),
    ...checkRejectedStatuses(manifest, place),
    ...checkOperations(manifest, place),
    ...unknownWireNames(manifest, place),
    ...checkSameService(manifest, place),
    ...checkIgnored(manifest.spec.ignore ?? [], place),
    ...unknownNotes(manifest, place),
  ];
}

// Any of them may become a part of a text, which gets a number by its value: of `4.10`, `4.1`.
function otherSpelt(
  { spec: { variables = {}, environments = {} } }: WorkspaceManifest,
  spelling: OtherSpelling,
  place: (path: Path) => Place,
): Finding[] {
  const visit = (value: Json, path: Path): Finding[] => {
    if (typeof value === "object" && value !== null)
      return Object.entries(value).flatMap(([key, member]) => visit(member, [...path, key]));
    const source = spelling(0, path);
    return source === undefined ? [] : [explainSpelling(place(path), value, source)];
  };
  return [
    ...visit(variables, ["spec", "variables"]),
    ...Object.entries(environments).flatMap(([name, { variables: own = {} }]) =>
      visit(own, ["spec", "environments", name, "variables"]),
    ),
  ];
}

function undeclaredVariables({ spec }: WorkspaceManifest, place: (path: Path) => Place): Finding[] {
  const declared = new Set(Object.keys(spec.variables ?? {}));
  const meant = didYouMeanAmong([...declared]);
  return Object.entries(spec.environments ?? {}).flatMap(([environment, { variables = {} }]) =>
    Object.keys(variables)
      .filter((name) => !declared.has(name))
      .map((name) => {
        const at = { ...place(["spec", "environments", environment, "variables", name]), key: true };
        const hint = meant(name) ?? `declare it: \`${name}: {}\` under \`spec.variables\``;
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
  const keys: [Path, unknown][] = [
    ...servicesIn(spec).map(({ service, at }): [Path, unknown] => [[...at, "api_key"], service?.api_key]),
    ...Object.entries(spec.lock ?? {}).map(([key, value]): [Path, unknown] => [["spec", "lock", key], value]),
  ];
  return keys.flatMap(([path, text]) =>
    (typeof text === "string" ? parseText(text) : []).flatMap((part) => {
      if (typeof part === "string") return [];
      const at = { ...place(path), expression: part.source };
      if (!isExpression(part)) return [explainProblem(part, at)];
      return part.scheme === "env" && parseEnvironmentLocator(part.locator)
        ? []
        : [explainNoVariable(part, at)];
    }),
  );
}

// Notes each environment whose agents are in the service of one before it; a copied address may be a mistake.
function checkSameService({ spec }: WorkspaceManifest, place: (path: Path) => Place): Finding[] {
  const firsts = new Map<string, string>();
  return Object.entries(spec.environments ?? {}).flatMap(([environment, { service }]) => {
    const base_url = service?.base_url ?? spec.service?.base_url;
    if (!base_url) return [];
    const address = comparable(base_url);
    const first = firsts.get(address);
    if (first === undefined) {
      firsts.set(address, environment);
      return [];
    }
    const at = { ...place(["spec", "environments", environment]), key: true };
    const message = say`environment ${{ environment }} has the same \`base_url\` as ${{ other: first }}`;
    const hint =
      "give it a different address, or `ignore: [environment-same-service]` if both are meant to be there";
    return [note("environment-same-service", at, message, hint)];
  });
}

/** Reads the `defaults` of a manifest, and checks the names of their fields; documents check the values. */
export function readDefaults(
  { spec }: WorkspaceManifest,
  place: (path: Path) => Place,
): { readonly defaults: readonly Default[]; readonly findings: readonly Finding[] } {
  const defaults: Default[] = [];
  const findings: Finding[] = [];
  const kindFields = readExtraFields(spec.extra_fields);
  for (const [position, each] of (spec.defaults ?? []).entries()) {
    const kind = kindOfDocument(each.kind);
    if (!kind) continue;
    const at = ["spec", "defaults", position];
    const value = { spec: each.spec };
    const { file, document: index = 0 } = place(at);
    const { name, unknownField: unknownInSpec } = kind;
    defaults.push({
      kind: name,
      selector: each.selector ?? {},
      layer: { type: "default", file, index, at, value },
    });
    const rules = {
      place: (path: Path) => place([...at, ...path]),
      unknownInSpec,
      ...kindFields[name],
      ...allWritten,
    };
    // Whether a null of a default is sent depends on the document.
    const checked = checkFields(value, kind.fields, rules, () => false);
    for (const finding of checked.findings) findings.push(finding);
    const inSelector = (path: Path) => place([...at, "selector", ...path]);
    findings.push(
      ...explainUnresolved(each.selector ?? {}, "`selector`", "write the value itself", inSelector),
    );
  }
  return { defaults, findings };
}

/** Explains a field beside the `spec` of a default that belongs into a document. */
export function explainOutsideSpec(finding: Finding): Finding {
  const { place: { path = [] } = {} } = finding;
  const [, section, , field, ...deeper] = path;
  if (section !== "defaults" || deeper.length > 0) return finding;
  if (!partsOfDocuments.includes(String(field))) return finding;
  return { ...finding, hint: `a default has fields of \`spec\` alone: write \`${field}\` in the documents` };
}

const partsOfDocuments: readonly string[] = ["apiVersion", "metadata", "lifecycle", "operations", "for_each"];
