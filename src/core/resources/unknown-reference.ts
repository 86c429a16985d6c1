import { bare, fewOf, say, type Said } from "../finding/said.js";
import { inEnvironment, listingHint, type AbsentDocument } from "./absence.js";
import { error, withHint, type Finding, type Place } from "../finding/diagnostic.js";
import type { ParsedFile } from "./parsed-file.js";
import type { LostDocuments } from "./lost-documents.js";
import { meaning } from "../finding/nearest.js";
import { nearAmong } from "../kind/near-address.js";
import { once, oncePer } from "../../json/once.js";
import { indexOperations } from "../openapi/openapi.js";
import type { Reference } from "../expression/reference.js";
import type { Resource } from "./resource.js";
import { explainUsed, misplacedUse, operationHint } from "./unknown-used.js";
import { leadsElsewhere, type UsedWorkspaces } from "./used.js";

/** What there is to refer to in an environment, and what there is not. */
export interface Targets {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly absent: ReadonlyMap<string, AbsentDocument>;
  readonly lost: LostDocuments;
  readonly environment: string | null;
  readonly used: UsedWorkspaces;
}

/** Finds references to missing resources and operations. */
export function unknownReferences(
  files: readonly ParsedFile[],
  built: readonly Resource[],
  { resources, absent, lost, environment, used }: Targets,
): Finding[] {
  const findings: Finding[] = [];
  const explainUnknown = buildUnknownReference(resources, lost);
  const check = (reference: Reference, place: () => Place | undefined) => {
    const { address, operation } = reference;
    const target = resources.get(address);
    // Nearly all references have a target.
    if (target && operation === undefined) return;
    if (leadsElsewhere(reference)) return void findings.push(...explainUsed(reference, place, used));
    const there = absent.get(address);
    if (target) findings.push(...checkOperation(address, operation ?? "", place, target));
    else if (there) findings.push(explainAbsent(there, place(), environment));
    else if (!lost.mayHold(address)) {
      const meant = misplacedUse(reference, used);
      const found = explainUnknown(address, place());
      findings.push(meant ? withHint(found, meant) : found);
    }
  };
  for (const { summary } of files) {
    for (const reference of summary.dangling ?? []) check(reference, () => reference.place);
  }
  for (const resource of built) {
    resource.references.forEach((reference, index) =>
      check(reference, () => resource.placedReferences[index]?.place),
    );
  }
  return findings;
}

function explainAbsent(
  target: AbsentDocument,
  place: Place | undefined,
  environment: string | null,
): Finding {
  const message = say`${{ address: target.address }} does not exist ${inEnvironment(environment)}, where this document does`;
  return error("reference-absent", place, message, listingHint(target, environment));
}

function checkOperation(
  address: string,
  operation: string,
  place: () => Place | undefined,
  target: Resource,
): Finding[] {
  const { keys, find } = operationsOf(target);
  if (find(operation) !== undefined) return [];
  const leftOut = leftOutOf(target);
  if (leftOut.find(operation) !== undefined) return [explainLeftOut(address, operation, place(), target)];
  const message = say`${{ address }} has no operation ${{ operation }}`;
  const hint = operationHint({ address, operation }, keys, leftOut.keys);
  return [error("reference-operation", place(), message, hint)];
}

function explainLeftOut(
  address: string,
  operation: string,
  place: Place | undefined,
  target: Resource,
): Finding {
  const picks = target.place(["operations"]);
  const line = /^[\w./-]+$/.test(operation) ? operation : JSON.stringify(operation);
  const message = say`\`operations\` of ${{ address }} does not pick ${{ operation }}, which its OpenAPI document has`;
  const hint = `add \`- ${line}\` to \`operations\` in \`${picks.file}\``;
  const related = [{ message: "the operations that are picked", place: picks }];
  return { ...error("reference-operation", place, message, hint), related };
}

// A name may be as long as a file.
const mostSeparators = 8;
const operationsOf = oncePer(({ kind, body }: Resource) => indexOperations(kind.operations?.(body) ?? []));
const leftOutOf = oncePer(({ leftOut }: Resource) => indexOperations(leftOut));

/** Makes a function that explains a reference to a missing resource, with near misses; a document with errors is one. */
function buildUnknownReference(resources: ReadonlyMap<string, Resource>, lost: LostDocuments) {
  const near = nearAmong(
    [...resources.keys(), ...lost.addresses],
    (other) => say`there is \`${bare({ other })}\`: write \`\${${other}}\` if that is meant`,
  );
  const allOf = once((scheme: string) => {
    const known = [...resources.keys(), ...lost.addresses].filter((address) => address.startsWith(scheme));
    return known.length > 0
      ? say`known: ${fewOf(known)}`
      : "no document of this kind is there: write one, or remove the reference";
  });
  return (address: string, place: Place | undefined): Finding => {
    const hint =
      toolMeantBy(address, resources) ?? near(address) ?? allOf(address.slice(0, address.indexOf(":") + 1));
    return error(
      "reference-unknown",
      place,
      say`there is no document ${{ address }} in this workspace`,
      hint,
    );
  };
}

/** Gives a hint with the tool that was meant, if a set's name and an operation of it are there without the slash. */
function toolMeantBy(address: string, resources: ReadonlyMap<string, Resource>): Said | undefined {
  for (const { 0: separator, index } of [...address.matchAll(/[^\w/-]+|__/g)].slice(1, 1 + mostSeparators)) {
    const set = resources.get(address.slice(0, index));
    const operation = address.slice(index + separator.length);
    if (!set?.kind.operations || operationsOf(set).find(operation) === undefined) continue;
    return meaning(address, `${set.address}/${operation}`);
  }
  return undefined;
}
