import type { Action, GuardrailNote } from "../../generated/plan.js";
import { noteOf } from "../guardrails/note-words.js";
import { manifestFile } from "../resources/manifest-file.js";
import { addressesIn } from "../state/known-ids.js";
import { dependentsIn, type Lock } from "../state/lock.js";
import { isExchange } from "./action.js";
import { isNarrowed, type ChangedSince, type PlanOptions } from "./plan-options.js";
import { usedAddress } from "../resources/used.js";
import type { Resource } from "../resources/resource.js";
import { labelsAt, matcherOf } from "../resources/selector.js";
import { isWithinAny } from "../resources/within-any.js";
import type { Fleet } from "../resources/fleet.js";
import { lazy } from "../../json/once.js";
import { hasPieces } from "../../json/texts.js";

/** Which addresses a plan takes in; everything where it is not narrowed. */
export type PlanScope = ReadonlySet<string> | "all";

/** Gives the addresses of a narrowed plan: those named, their needs, and users of what gets a new ID or is deleted. */
export function scopeOf(
  fleet: Fleet,
  lock: Lock,
  options: PlanOptions,
  whole: ReadonlyMap<string, Action>,
): PlanScope {
  if (!isNarrowed(options)) return "all";
  const { graph } = fleet;
  const scope = new Set<string>();
  const seen = new Set<string>();
  const pending = [...selected(fleet, lock, options)];
  const users = lazy(() => dependentsIn(lock));
  for (let address = pending.pop(); address !== undefined; address = pending.pop()) {
    if (seen.has(address)) continue;
    seen.add(address);
    for (const dependency of graph.dependencies.get(address) ?? []) pending.push(dependency);
    if (options.exclude.has(address)) continue;
    scope.add(address);
    const action = whole.get(address);
    const isOther = action !== undefined && isExchange(action);
    const dependents = isOther ? graph.dependents : action?.action === "delete" ? users() : undefined;
    for (const dependent of dependents?.get(address) ?? []) {
      if (!options.exclude.has(dependent)) pending.push(dependent);
    }
  }
  return scope;
}

function selected(fleet: Fleet, lock: Lock, options: PlanOptions): Set<string> {
  const { resources } = fleet;
  const { target, replace, resend, selector, changedSince, exclude } = options;
  const asksForSome = target.size + selector.size > 0 || changedSince !== null;
  const isSelected = matcherOf(selector);
  const all = new Set([...resources.keys(), ...addressesIn(lock)]);
  const isChanged = changedSince ? changeTest(changedSince, fleet) : () => false;
  return new Set(
    [...all].filter((address) => {
      if (exclude.has(address)) return false;
      if (!asksForSome || [target, replace, resend].some((named) => named.has(address))) return true;
      if (selector.size > 0 && isSelected(labelsAt(address, resources, lock))) return true;
      return isChanged(address, resources.get(address), lock.resources[address]?.file);
    }),
  );
}

function changeTest(
  { files, named, made, variables, uses }: ChangedSince,
  { resources, variables: usedBy }: Fleet,
): (address: string, resource: Resource | undefined, lastFile: string | undefined) => boolean {
  // The manifest's variables and settings may reach every document.
  if (files.has(manifestFile)) return () => true;
  const isGiven = (file: string) => usedBy.get(file)?.some((name) => variables.has(name)) === true;
  const isEdited = (resource: Resource) =>
    isGiven(resource.file) || resource.files.some((file) => isWithinAny(files, file));
  // A key that is gone from an included `for_each` leaves the document that includes it as it was.
  const edited = [...resources.values()].filter(isEdited);
  const documents = new Set([...files, ...edited.map(({ file }) => file)]);
  return (address, resource, lastFile) => {
    if (named.has(address)) return true;
    // A lock keeps the file that had a resource when it was last applied.
    const wasThere = () => made.some((each) => hasPieces(address, each.split(/\$\{[^}]*\}/)));
    if (!resource) return (lastFile !== undefined && isWithinAny(documents, lastFile)) || wasThere();
    // What they stand for may be another ID now.
    const usesChanged = () =>
      resource.references.some((each) => uses.has(usedAddress(each.address)?.use ?? ""));
    return isEdited(resource) || usesChanged();
  };
}

/** Notes the dependents of replacements that a narrowed plan leaves with the old object. */
export function excludedNotes(
  actions: readonly Action[],
  isIn: (address: string) => boolean,
  { graph }: Fleet,
): GuardrailNote[] {
  return actions.filter(isExchange).flatMap(({ address }) => {
    const resources = (graph.dependents.get(address) ?? []).filter((dependent) => !isIn(dependent));
    if (resources.length === 0) return [];
    return [noteOf("replacement-not-in-effect", { resources }, { effect: "weakens", address })];
  });
}
