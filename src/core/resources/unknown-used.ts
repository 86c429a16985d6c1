import type { Reference } from "../expression/reference.js";
import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { didYouMean, meaning } from "../finding/nearest.js";
import { quoteFew } from "../finding/quotation.js";
import { bare, fewOf, say, type Sentence } from "../finding/said.js";
import { kindOfAddress } from "../kind/kinds.js";
import { nearAmong } from "../kind/near-address.js";
import { indexOperations } from "../openapi/openapi.js";
import { environmentName } from "./environment-name.js";
import { isPending, usedAddress, usedEntry, type UsedWorkspace, type UsedWorkspaces } from "./used.js";

/** Says what is wrong with a reference to another workspace; what is only not applied there waits. */
export function explainUsed(
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
  if (!kindOfAddress(address)?.operations) return [];
  const { keys, find } = indexOperations(kindOfAddress(address)?.operations?.(entry.body) ?? []);
  const known = keys.length > 0 ? keys : Object.keys(entry.tools ?? {});
  if (operation === undefined && isPending(used, text)) return [];
  if (operation === undefined) return entry.ids || entry.candidates ? [] : [wholeSet(text, place(), known)];
  if (keys.length > 0 ? find(operation) !== undefined : known.includes(operation)) return [];
  const message = say`${{ address }} of ${{ name: use }} has no operation ${{ operation }}`;
  return [error("reference-operation", place(), message, operationHint({ address: text, operation }, known))];
}

const mostCompared = 1000;

/** Says which operation a tool set has in the place of one that it has not; one that it leaves out may be meant as well. */
export function operationHint(
  { address, operation = "" }: Omit<Reference, "text">,
  known: readonly string[],
  leftOut: readonly string[] = [],
): Sentence {
  const meant = didYouMean(operation, [...known, ...leftOut].slice(0, mostCompared), `${address}/`);
  return meant ?? (known.length > 0 ? say`it has ${fewOf(known)}` : "it has none");
}

/** Gives the reference that was meant by one with the name of the workspace behind the operation. */
export function misplacedUse({ address, operation = "" }: Reference, used: UsedWorkspaces) {
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
  { name, source, entries, environment, documents }: UsedWorkspace,
): Finding {
  const there = [...new Set([...Object.keys(entries), ...(documents() ?? [])])];
  const all = there.map((each) => `${each}@${name}`);
  const sort = all.filter((each) => each.startsWith(text.slice(0, text.indexOf(":") + 1)));
  const where =
    environment === null ? "" : say` in environment ${{ environment: environmentName(environment) }}`;
  const message = say`there is no ${{ address }} in ${{ name }}${where} (${bare({ source })})`;
  const hint =
    nearAmong(all)(text) ?? (sort.length > 0 ? say`known: ${fewOf(sort)}` : "it has nothing of this kind");
  return error("reference-unknown", place, message, hint);
}

// A file with IDs may lack tools.
function wholeSet(text: string, place: Place | undefined, known: readonly string[]): Finding {
  const message = say`which tools ${{ address: text }} has is not known, for only IDs of single ones are there`;
  const hint = say`name the tools one by one: ${fewOf(known.map((key) => `\${${text}/${key}}`))}`;
  return error("reference-operation", place, message, hint);
}
