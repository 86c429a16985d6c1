import { error, warning, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { equal } from "../../json/json.js";
import { kindOfAddress } from "../kind/kinds.js";
import { placeInRule, ruleSetting, type OwnRule } from "../rules/own-rule.js";
import { unknownEnvironments } from "./absence.js";
import { hasLabels, type Labelled } from "./defaults.js";
import type { LostDocuments } from "./lost-documents.js";
import { environmentName, environmentsOf } from "./environment-name.js";
import type { Settings, ExcusedDocuments } from "./manifest.js";
import { noteCodes } from "../../generated/codes.js";
import { KeyedFindings } from "../finding/merged-findings.js";
import { didYouMeanAmong } from "../finding/nearest.js";
import type { Resource } from "./resource.js";

/** Whether a rule judges what has a kind and labels. */
function judges(
  { scope }: Pick<OwnRule, "scope">,
  { kind, labels }: Pick<Labelled, "kind" | "labels">,
): boolean {
  return (scope.kind ?? kind) === kind && hasLabels(labels, scope.selector);
}

/** Whether a rule judges what is at an address, by any of the labels that it has, or had when it was last applied. */
export function judgesAt(
  rule: Pick<OwnRule, "scope">,
  address: string,
  ...all: readonly (Labelled["labels"] | undefined)[]
): boolean {
  const kind = kindOfAddress(address).name;
  return all.some((labels = {}) => judges(rule, { kind, labels }));
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
  const rules = all.filter((rule) => {
    if (rule.origin === "base") return !isSameRule(rule, own.get(rule.name));
    const first = byName.get(rule.name);
    if (first) findings.push(duplicate(rule, first));
    else byName.set(rule.name, rule);
    return !first;
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

/** Gives a commit's rules as they hold in an environment of now, which may be one of then under a new name. */
export function rulesOfCommit(
  rules: readonly OwnRule[],
  before: readonly (string | null)[],
  { environment, environments }: Pick<Settings, "environment" | "environments">,
): readonly OwnRule[] {
  if (before.includes(environment)) return rules;
  const known = environmentsOf(environments).map(environmentName);
  return rules.map((rule) => {
    const { scope } = rule;
    const named = scope.environments.map((name) =>
      known.includes(name) ? name : environmentName(environment),
    );
    return { ...rule, scope: { ...scope, environments: [...new Set(named)] } };
  });
}

// A rule that a change leaves as it is would say everything twice.
function isSameRule(one: OwnRule, other: OwnRule | undefined): boolean {
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

/** Gives what documents are excused from, and the names in that which are of no rule and no note. */
export function collectExceptions(
  resources: Iterable<Resource>,
  rules: readonly OwnRule[],
  lost: LostDocuments,
): { readonly exceptions: ExcusedDocuments; readonly findings: readonly Finding[] } {
  const findings = new KeyedFindings();
  const known = new Set([...rules.map(({ name }) => name), ...noteCodes]);
  const meant = didYouMeanAmong([...known]);
  const ofOrganisation = new Set(
    rules.flatMap(({ name, origin }) => (origin === "organisation" ? name : [])),
  );
  const exceptions = [...resources].flatMap((resource) => {
    const { except } = resource.lifecycle;
    if (!except) return [];
    for (const [index, { rule }] of except.entries()) {
      const place = () => resource.place(["lifecycle", "except", index, "rule"]);
      if (ofOrganisation.has(rule)) {
        const hint = "remove the exception, and ask whoever keeps these rules";
        const message = say`${{ name: rule }} is a rule of the organisation, from which no document is excused`;
        findings.add(error("rule-unknown", place(), message, hint));
      } else if (!known.has(rule) && lost.isAllRead && !lost.mayHold(`rule:${rule}`)) {
        const hint = meant(rule) ?? "write the name of a rule, or the code of a note of a plan";
        findings.add(error("rule-unknown", place(), say`there is no rule ${{ name: rule }}`, hint));
      }
    }
    const reasons = Object.fromEntries(except.map(({ rule, reason }) => [rule, reason]));
    return except.length > 0 ? [[resource.address, reasons] as const] : [];
  });
  return { exceptions: Object.fromEntries(exceptions), findings: findings.list() };
}

/** Whether a document is excused from a rule; an organisation's excuse nobody. */
export function isExcused(exceptions: ExcusedDocuments, address: string, { name, origin }: OwnRule): boolean {
  return origin !== "organisation" && isExcusedFrom(exceptions, address, name);
}

/** Whether a document is excused from the rule, or the note, of a name. */
export function isExcusedFrom(exceptions: ExcusedDocuments, address: string, name: string): boolean {
  return Object.hasOwn(exceptions, address) && Object.hasOwn(exceptions[address] ?? {}, name);
}
