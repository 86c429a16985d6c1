import { literalHint } from "../expression/expression-finding.js";
import { bare, say } from "../finding/said.js";
import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { isObject, member, type Json, type JsonObject } from "../../json/json.js";
import { layOver, mergePatch } from "../../json/merge-patch.js";
import { type Path, valueAt } from "../../json/path.js";
import { mentionsEach } from "../expression/parameter.js";
import { evaluate } from "../expression/resolution.js";
import { nothingSubstituted, type Substituted, type Use } from "../expression/substituted.js";
import type { Substitution } from "../expression/substitution.js";
import { placeIn, placeOf, type Layer } from "./layer.js";

// The fields that are not sent, and whose values a plan needs.
const planned = ["lifecycle", "operations"] as const;

/** A document merged from its layers: files and variables resolved, references and secrets symbolic. */
export interface MergedLayers {
  readonly value: JsonObject;
  readonly spec: Substituted;
  /** What could not be resolved, and the paths outside `spec` whose content came from files. */
  readonly unresolved: {
    readonly findings: readonly Finding[];
    readonly paths: readonly Path[];
    readonly included: readonly Path[];
  };
  readonly includedFiles: readonly string[];
}

/** Merges the layers of a document. */
export function mergeLayers(layers: readonly Layer[], substitution: Substitution): MergedLayers {
  const ofDocument = (finding: Finding) => explainShared(finding, placeIn(layers, ["metadata", "name"]));
  const substituteField = (field: "spec" | (typeof planned)[number]): Substituted | undefined => {
    let below: Substituted | undefined;
    for (const layer of layers) {
      const { value, file, index, at } = layer;
      const written = member(value, field);
      if (written === undefined) continue;
      const own = substitution.substitute(written, file, index, [field], at && [...at, field]);
      const part = at ? { ...own, findings: own.findings.map(ofDocument) } : own;
      below = below ? mergeSubstituted(below, part, [field], mergeOf(layer)) : part;
    }
    return below;
  };
  const merged = layers.reduce<Json | undefined>(
    (below, layer) => mergeOf(layer)(below, layer.value),
    undefined,
  ) as JsonObject;
  const spec = substituteField("spec") ?? nothingSubstituted();
  const value = { ...merged };
  if (merged.spec !== undefined) value.spec = spec.value;
  const findings = [...spec.findings];
  const paths = [...spec.unresolved];
  const included: Path[] = [];
  const includedFiles = [...spec.files];
  for (const field of planned) {
    const each = substituteField(field);
    if (!each) continue;
    if (merged[field] !== undefined) value[field] = evaluate(each.value, () => undefined);
    findings.push(...each.findings, ...each.uses.map((use) => tooLate(use, field)));
    paths.push(...each.unresolved, ...each.uses.map(({ path }) => path));
    included.push(...each.included);
    includedFiles.push(...each.files);
  }
  return { spec, value, unresolved: { findings, paths, included }, includedFiles };
}

// What a parameter gives, and whether there is one, depends on the document.
function explainShared(finding: Finding, { each, ...document }: Place): Finding {
  if (!mentionsEach(finding.place?.expression ?? "")) return finding;
  if (each) return { ...finding, document };
  const hint = say`give these documents \`for_each\`, or the default a \`selector\` that leaves them out; ${literalHint(finding.place?.expression ?? "")}`;
  return {
    ...finding,
    hint: hint.text,
    parts: { ...finding.parts, ...hint.parts },
    fixes: hint.fixes,
    document,
  };
}

// A null in a patch removes a field, whether or not it is there.
function mergeOf({ type }: Layer) {
  return type === "patch" ? mergePatch : layOver;
}

// A plan has no secrets and IDs.
function tooLate({ expression, place }: Use, field: string): Finding {
  const message = say`${{ source: expression.source }} is only resolved by apply, but a plan needs \`${bare({ field })}\``;
  return error("document-invalid", place, message, "write the value itself, or `${var:NAME}`");
}

/** Reports patches of the list of environments in which a resource exists. */
export function patchedEnvironments(layers: readonly Layer[]): Finding[] {
  return layers.flatMap((layer) => {
    const { type, value } = layer;
    if (type !== "patch" || !isObject(value) || !isObject(value.lifecycle)) return [];
    if (!Object.hasOwn(value.lifecycle, "environments")) return [];
    const place = { ...placeOf(layer)(["lifecycle", "environments"]), key: true };
    const hint = "write it in the document; a patch is for one environment alone";
    return [error("document-invalid", place, "a patch cannot change `lifecycle.environments`", hint)];
  });
}

/** Merges a substituted layer into a substituted value; references of replaced values are dropped. */
function mergeSubstituted(
  target: Substituted,
  patch: Substituted,
  root: Path,
  merge: (target: Json | undefined, patch: Json) => Json,
): Substituted {
  const survives = (path: Path) => !replaces(target.value, patch.value, path.slice(root.length));
  // A mapping is merged into the included value and keeps the rest of it.
  const isKept = (path: Path) => survives(path) || isObject(valueAt(patch.value, path.slice(root.length)));
  return {
    value: merge(target.value, patch.value),
    uses: [...target.uses.filter(({ path }) => survives(path)), ...patch.uses],
    findings: [...target.findings, ...patch.findings],
    included: [...target.included.filter(isKept), ...patch.included],
    origins: [...target.origins.filter(({ path }) => isKept(path)), ...patch.origins],
    files: [...target.files, ...patch.files],
    unresolved: [...target.unresolved.filter(survives), ...patch.unresolved],
  };
}

// A mapping is merged into a mapping, and replaces all else.
function replaces(target: Json, patch: Json, path: Path): boolean {
  let [below, value]: (Json | undefined)[] = [target, patch];
  for (const segment of path) {
    if (!isObject(value) || !isObject(below)) return true;
    if (!Object.hasOwn(value, segment)) return false;
    [below, value] = [valueAt(below, [segment]), value[String(segment)]];
  }
  return true;
}
