import { bare, fewOf, say, type Said, type Sentence } from "../finding/said.js";
import { inEnvironment, listingHint, type AbsentDocument } from "./absence.js";
import { error, withHint, type Finding, type Place } from "../finding/diagnostic.js";
import type { ParsedFile } from "./parsed-file.js";
import type { LostDocuments } from "./lost-documents.js";
import { meaning, didYouMean, didYouMeanAmong } from "../finding/nearest.js";
import { nearAmong } from "../kind/near-address.js";
import { once, oncePer } from "../../json/once.js";
import { indexOperations } from "../openapi/openapi.js";
import type { Reference } from "../expression/reference.js";
import type { Resource } from "./resource.js";
import {
  leadsElsewhere,
  type UsedWorkspaces,
  isPending,
  usedAddress,
  usedEntry,
  type UsedWorkspace,
} from "./used.js";
import { quoteFew } from "../finding/quotation.js";
import type { Kind } from "../kind/kind.js";
import { kindOfAddress } from "../kind/kinds.js";
import type { LockEntry } from "../state/lock.js";
import { environmentName } from "./environment-name.js";

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

/** Says what is wrong with a reference to another workspace; what is only not applied there waits. */
function explainUsed(
  { address: text, operation }: Reference,
  place: () => Place | undefined,
  used: UsedWorkspaces,
): Finding[] {
  const { address, use } = usedAddress(text) ?? { address: text, use: "" };
  const workspace = used.get(use);
  if (!workspace) return [withoutUse(use, text, place(), used)];
  const entry = usedEntry(used, text);
  if (!entry) {
    const documents = workspace.documents();
    return documents && !documents.has(address) ? [notThere(text, address, place(), workspace)] : [];
  }
  const operations = usedOperations(kindOfAddress(address))(entry);
  if (!operations) return [];
  const { keys, find, known } = operations;
  if (operation === undefined && isPending(used, text)) return [];
  if (operation === undefined) return entry.ids || entry.candidates ? [] : [wholeSet(text, place(), known)];
  if (keys.length > 0 ? find(operation) !== undefined : known.includes(operation)) return [];
  const message = say`${{ address }} of ${{ name: use }} has no operation ${{ operation }}`;
  return [error("reference-operation", place(), message, operationHint({ address: text, operation }, known))];
}

const usedOperations = oncePer(({ operations }: Kind) =>
  oncePer(({ body, tools }: LockEntry) => {
    if (!operations) return undefined;
    const { keys, find } = indexOperations(operations(body));
    return { keys, find, known: keys.length > 0 ? keys : Object.keys(tools ?? {}) };
  }),
);

const mostCompared = 1000;

// One for all references to a tool set: each may be compared with each of its operations.
const meantAmong = oncePer((known: readonly string[]) =>
  oncePer((leftOut: readonly string[]) => didYouMeanAmong([...known, ...leftOut].slice(0, mostCompared))),
);
const nothing: readonly string[] = [];

/** Says which operation a tool set has in the place of one that it has not; one that it leaves out may be meant as well. */
function operationHint(
  { address, operation = "" }: Omit<Reference, "text">,
  known: readonly string[],
  leftOut = nothing,
): Sentence {
  const meant = meantAmong(known)(leftOut)(operation, `${address}/`);
  return meant ?? (known.length > 0 ? say`it has ${fewOf(known)}` : "it has none");
}

/** Gives the reference that was meant by one with the name of the workspace behind the operation. */
function misplacedUse({ address, operation = "" }: Reference, used: UsedWorkspaces) {
  const at = operation.lastIndexOf("@");
  const use = operation.slice(at + 1);
  if (at === -1 || !used.has(use)) return undefined;
  return meaning(`${address}/${operation}`, `${address}@${use}/${operation.slice(0, at)}`);
}

function withoutUse(use: string, text: string, place: Place | undefined, used: UsedWorkspaces): Finding {
  const names = [...used.keys()];
  const hint =
    didYouMean(use, names, text.slice(0, text.length - use.length)) ??
    (names.length > 0
      ? say`known: ${bare({ expected: names }, quoteFew(names))}`
      : "name the workspace there: `uses: {NAME: {workspace: ../FOLDER}}`");
  return error("uses-unknown", place, say`\`spec.uses\` of agentform.yaml has no ${{ name: use }}`, hint);
}

function notThere(
  text: string,
  address: string,
  place: Place | undefined,
  workspace: UsedWorkspace,
): Finding {
  const { name, source, environment } = workspace;
  const { near, ofKind } = thereIn(workspace);
  const where =
    environment === null ? "" : say` in environment ${{ environment: environmentName(environment) }}`;
  const message = say`there is no ${{ address }} in ${{ name }}${where} (${bare({ source })})`;
  const hint = near(text) ?? ofKind(text.slice(0, text.indexOf(":") + 1));
  return error("reference-unknown", place, message, hint);
}

// One for all references to the workspace.
const thereIn = oncePer(({ name, entries, documents }: UsedWorkspace) => {
  const there = [...new Set([...Object.keys(entries), ...(documents() ?? [])])];
  const all = there.map((each) => `${each}@${name}`);
  const ofKind = once((scheme: string) => {
    const known = all.filter((each) => each.startsWith(scheme));
    return known.length > 0 ? say`known: ${fewOf(known)}` : "it has nothing of this kind";
  });
  return { near: nearAmong(all), ofKind };
});

// A file with IDs may lack tools.
function wholeSet(text: string, place: Place | undefined, known: readonly string[]): Finding {
  const message = say`which tools ${{ address: text }} has is not known, for only IDs of single ones are there`;
  const hint = say`name the tools one by one: ${fewOf(known.map((key) => `\${${text}/${key}}`))}`;
  return error("reference-operation", place, message, hint);
}
