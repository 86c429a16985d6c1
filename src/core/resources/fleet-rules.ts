import { error, warning, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { equal } from "../../json/json.js";
import { kindOfAddress } from "../kind/kinds.js";
import { judgedAny, judgedForCertain } from "../rules/judged-before.js";
import { placeInRule, type OwnRule } from "../rules/own-rule.js";
import { ruleSetting } from "../rules/rule-setting.js";
import { unknownEnvironments } from "./absence.js";
import type { Labelled } from "./defaults.js";
import { environmentName } from "./environment-name.js";
import type { LostDocuments } from "./lost-documents.js";
import type { Settings } from "./manifest.js";
import type { Resource } from "./resource.js";

/** Whether a rule holds in an environment. */
export function holdsIn({ scope }: OwnRule, environment: string | null): boolean {
  const { environments } = scope;
  return environments.length === 0 || environments.includes(environmentName(environment));
}

/** Whether a rule judges what has a kind and labels. */
function judges({ scope }: OwnRule, { kind, labels }: Pick<Labelled, "kind" | "labels">): boolean {
  if (scope.kind !== undefined && scope.kind !== kind) return false;
  return Object.entries(scope.selector).every(
    ([name, value]) => Object.hasOwn(labels, name) && labels[name] === value,
  );
}

/** Whether a rule judges a resource, by the labels that it has or had before the change. */
export function judgesResource(
  rule: OwnRule,
  { address, kind, labels, lifecycle }: Pick<Resource, "address" | "kind" | "labels" | "lifecycle">,
): boolean {
  const { moved_from: from = [] } = lifecycle;
  return judges(rule, { kind: kind.name, labels }) || judgedAny(rule, [address, ...[from].flat()]);
}

/** Whether a change of labels takes a resource out of a rule: from the next change on, it is not judged by it. */
export function leavesRule(
  rule: OwnRule,
  resource: Pick<Resource, "address" | "kind" | "labels" | "lifecycle" | "patch">,
): boolean {
  const { address, kind, labels, lifecycle, patch } = resource;
  const { moved_from: from = [] } = lifecycle;
  // What patches said before the change is not known.
  if (patch !== undefined || judges(rule, { kind: kind.name, labels })) return false;
  return judgedForCertain(rule, [address, ...[from].flat()]);
}

/** Whether a rule judges what happens at an address; what has no document has no labels but those before the change. */
export function judgesAction(rule: OwnRule, address: string, resource: Resource | undefined): boolean {
  if (resource) return judgesResource(rule, resource);
  const kind = kindOfAddress(address)?.name;
  return kind !== undefined && (judges(rule, { kind, labels: {} }) || judgedAny(rule, [address]));
}

/** Gives the rules of a workspace, each name once, and what is wrong with them beside each other and with the documents. */
export function collectRules(
  all: readonly OwnRule[],
  { environments }: Settings,
  labelled: () => Iterable<Labelled>,
  lost: LostDocuments,
): { readonly rules: readonly OwnRule[]; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const byName = new Map<string, OwnRule>();
  const own = new Map(
    all.flatMap((rule) => (rule.origin === "workspace" ? [[rule.name, rule] as const] : [])),
  );
  const before = new Map<OwnRule, OwnRule>();
  const kept = all.filter((rule) => {
    const now = own.get(rule.name);
    if (rule.origin === "base" && isSameRule(rule, now)) {
      before.set(now, rule);
      return false;
    }
    if (rule.origin === "base") return true;
    const first = byName.get(rule.name);
    if (first) findings.push(duplicate(rule, first));
    else byName.set(rule.name, rule);
    return !first;
  });
  const rules = kept.map((rule) => {
    const { judgedBefore, unjudgedBefore } = before.get(rule) ?? {};
    return judgedBefore ? { ...rule, judgedBefore, unjudgedBefore: unjudgedBefore ?? [] } : rule;
  });
  for (const rule of rules) {
    if (rule.origin !== "workspace") continue;
    const at = (index: number) => placeInRule(rule, ["spec", "for", "environments", index]);
    findings.push(
      ...unknownEnvironments(rule.scope.environments, environments, at),
      ...unused(rule, labelled, lost),
    );
  }
  return { rules, findings };
}

// A rule that a change leaves as it is would say everything twice.
function isSameRule(one: OwnRule, other: OwnRule | undefined): other is OwnRule {
  return other !== undefined && equal(ruleSetting(one), ruleSetting(other));
}

function duplicate(rule: OwnRule, first: OwnRule): Finding {
  const message = say`the rule ${{ name: rule.name }} is already in \`${bare({ file: first.file })}\``;
  const place = placeInRule(rule, ["metadata", "name"]);
  return {
    ...error("document-duplicate", place, message, "rename or remove one of the two"),
    related: [{ message: "the first", place: placeInRule(first, ["metadata", "name"]) }],
  };
}

// An empty workspace may have its rules before its documents.
function unused(rule: OwnRule, labelled: () => Iterable<Labelled>, lost: LostDocuments): Finding[] {
  if (Object.keys(rule.scope.selector).length === 0 || !lost.isAllRead) return [];
  for (const each of labelled()) if (judges(rule, each)) return [];
  const message = say`the rule ${{ name: rule.name }} judges no document`;
  const hint = "no document has this kind and these labels: correct `for`, or remove the rule";
  return [warning("rule-unused", placeInRule(rule, ["spec", "for", "selector"]), message, hint)];
}
