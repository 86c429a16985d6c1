import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import type { Document } from "../document/document.js";
import { evaluate } from "../expression/resolution.js";
import type { Substitution } from "../expression/substitution.js";
import type { SubstitutionTotals } from "../expression/resolving.js";
import { isObject, type Json } from "../../json/json.js";
import { areTexts } from "../../json/texts.js";
import { labelledOf, type Labelled } from "./defaults.js";
import { environmentName } from "./environment-name.js";
import type { Layer } from "./layer.js";
import { meaning, nearest } from "../finding/nearest.js";

/** A document that does not exist in the environment, because its `lifecycle.environments` lists others alone. */
export interface AbsentDocument extends Labelled {
  readonly address: string;
  /** Which document of the file, from 0. */
  readonly index: number;
  readonly environments: readonly string[];
  /** It says itself that its object is not to be deleted, whatever was last applied. */
  readonly keeps?: true;
  /** The addresses that it had before, for what keeps its object. */
  readonly movedFrom?: readonly string[];
}

/** Gives a document that does not exist in an environment (null: the default); one with a mistake there does. */
export function absenceOf(
  document: Document,
  environment: string | null,
  substitution: Substitution,
): AbsentDocument | undefined {
  const { value, file, index } = document;
  if (!isObject(value) || !isObject(value.lifecycle) || !isObject(value.metadata)) return undefined;
  const { environments: written, on_removal = null, protect = null, moved_from = null } = value.lifecycle;
  const { name } = value.metadata;
  if (written === undefined || typeof name !== "string") return undefined;
  const read = (json: Json, key: string) =>
    evaluate(substitution.substitute(json, file, index, ["lifecycle", key]).value, () => undefined);
  const list = read(written, "environments");
  if (!areTexts(list) || existsIn(list, environment)) return undefined;
  const labelled = labelledOf(document);
  const isKept = read(on_removal, "on_removal") === "forget" || read(protect, "protect") === true;
  const movedFrom = [read(moved_from, "moved_from")].flat().filter((each) => typeof each === "string");
  const keeps = isKept && { keeps: true as const, ...(movedFrom.length > 0 && { movedFrom }) };
  return (
    labelled && { ...labelled, address: `${labelled.kind}:${name}`, index, environments: list, ...keeps }
  );
}

/** Whether a document exists, or a rule holds, in an environment, by its list; null is the default one. */
export function existsIn(listed: readonly string[] = [], environment: string | null): boolean {
  return listed.length === 0 || listed.includes(environmentName(environment));
}

/** Uses the variables and files of an absent document, which are not unused or unknown for that. */
export function useOf(
  layers: readonly Layer[],
  substitution: Substitution,
  totals: SubstitutionTotals,
): void {
  for (const { value, file, index } of layers) {
    if (!isObject(value)) continue;
    const { spec = null, lifecycle = null, operations = null } = value;
    substitution.substitute([spec, lifecycle, operations], file, index, []);
  }
  for (const name of substitution.totals.usedVariables) totals.usedVariables.add(name);
  for (const file of substitution.totals.files) totals.files.add(file);
}

/** Says in which environment something is. */
export function inEnvironment(environment: string | null): Sentence {
  return environment === null
    ? "in the default environment"
    : say`in environment \`${bare({ environment })}\``;
}

/** Reports that a resource is asked for in an environment in which it does not exist. */
export function explainAbsent(there: AbsentDocument, environment: string | null): Finding {
  const message = say`${bare({ address: there.address })} does not exist ${inEnvironment(environment)}`;
  return error("option-unknown-address", undefined, message, listingHint(there, environment));
}

/** Says how a document that lists environments would exist in one more. */
export function listingHint({ address, environments }: AbsentDocument, environment: string | null): Sentence {
  const listed = environments.map((name) => `\`${name}\``).join(", ");
  const lists = say`\`lifecycle.environments\` of ${{ address }} lists ${bare({ expected: [...environments] }, listed)}`;
  return say`${lists}: add \`${bare({ environment: environmentName(environment) })}\` if it is meant to exist there`;
}

/** Finds the environments of an adoption that the manifest does not have; an included file may name them. */
export function unknownAdoptions(
  adopt: Json | undefined,
  known: readonly string[],
  place: (name: string) => Place,
): Finding[] {
  if (!isObject(adopt)) return [];
  const unknown = Object.keys(adopt).filter((name) => !known.includes(name));
  return unknown.map((name) => {
    const message = "`lifecycle.adopt` names an environment that is not in the manifest";
    return error("environment-unknown", { ...place(name), key: true }, message, environmentHint(name, known));
  });
}

/** Finds the names in a list of environments that the manifest does not have. */
export function unknownEnvironments(
  listed: readonly string[],
  known: readonly string[],
  place: (index: number) => Place,
): Finding[] {
  return listed.flatMap((name, index) => {
    if (known.includes(name)) return [];
    const message = say`environment ${{ environment: name }} is not in the manifest`;
    return [error("environment-unknown", place(index), message, environmentHint(name, known))];
  });
}

/** Gives a hint for a name that is no environment: the one that was probably meant, or else all there are. */
export function environmentHint(name: string, known: readonly string[]): Sentence {
  const meant = nearest(name, known) ?? abbreviated(name, known);
  if (meant !== undefined) return meaning(name, meant);
  return known.length > 0
    ? `known: ${known.join(", ")}`
    : "the manifest has none; declare it under `spec.environments` there";
}

const shortest = 3;

// `prod` for `production`, or the other way round; not if it could be several.
function abbreviated(name: string, known: readonly string[]): string | undefined {
  const similar = known.filter(
    (each) =>
      Math.min(each.length, name.length) >= shortest && (each.startsWith(name) || name.startsWith(each)),
  );
  return similar.length === 1 ? similar[0] : undefined;
}
