import { ruleFinding, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { filterMembers, isObject, type Json } from "../../json/json.js";
import { oncePer } from "../../json/once.js";
import { isExcused } from "../resources/exceptions.js";
import { holdsIn, judgesAt } from "../resources/fleet-rules.js";
import type { Fleet } from "../resources/fleet.js";
import type { Resource } from "../resources/resource.js";
import { writtenDocument } from "../resources/written-document.js";
import type { CompiledRules } from "../rules/judge.js";
import type { OwnRule } from "../rules/own-rule.js";
import { tooMuch } from "../rules/too-costly.js";
import type { Violation } from "../rules/violation.js";
import type { LockEntry } from "../state/lock.js";

/** What a rule finds in the document of a resource. */
export interface RuleVerdict {
  readonly rule: OwnRule;
  readonly resource: Resource;
  readonly violation: Violation;
}

/** What rules find in the documents of a workspace, and which rules could not judge all of them. */
export interface JudgedDocuments {
  readonly verdicts: readonly RuleVerdict[];
  readonly findings: readonly Finding[];
}

/** Gives what was applied at an address, as far as it is known which labels it had; what moves is at its new address. */
export type AppliedLabels = (address: string) => readonly Pick<LockEntry, "labels">[];

/**
 * Judges all documents of a workspace by its rules: by their labels, and by those that they had when they were last
 * applied, or a change would only have to edit a label.
 */
export function judgeDocuments(
  { resources, settings }: Fleet,
  { rules }: CompiledRules,
  applied: AppliedLabels,
): JudgedDocuments {
  const findings: Finding[] = [];
  const verdicts = rules.flatMap(({ rule, judge }) => {
    if (rule.subject !== "document" || !holdsIn(rule, settings.environment)) return [];
    const found: RuleVerdict[] = [];
    for (const resource of resources.values()) {
      const { address, labels } = resource;
      if (!judgesAt(rule, address, labels, ...labelsOf(applied(address)))) continue;
      if (isExcused(settings.exceptions, address, rule)) continue;
      const violations = judge(judgedDocument(resource));
      if (violations === undefined) {
        findings.push(tooMuch(rule));
        break;
      }
      found.push(...violations.map((violation) => ({ rule, resource, violation })));
    }
    return found;
  });
  return { verdicts, findings };
}

// Rules do not see what excuses from them.
const judgedDocument = oncePer((resource: Resource): Json => {
  const { lifecycle, ...document } = writtenDocument(resource);
  const rest = isObject(lifecycle) ? filterMembers(lifecycle, (key) => key !== "except") : {};
  return Object.keys(rest).length > 0 ? { ...document, lifecycle: rest } : document;
});

/** Makes the finding of a verdict, at the place that the value comes from. */
export function verdictFinding({ rule, resource, violation }: RuleVerdict): Finding {
  const { path, key, found } = violation;
  const place = { ...resource.place(path), ...(key && { key }) };
  const message = say`${ruleSentence(rule)}: ${bare({ found })}`;
  const severity = rule.effect === "error" ? "error" : "note";
  return {
    ...ruleFinding(severity, rule.name, place, message, ruleHint(rule, resource)),
    ...(place.file !== resource.file && { document: resource.place(["metadata", "name"]) }),
  };
}

/** Gives the labels of entries. */
export function labelsOf(entries: ReturnType<AppliedLabels>): readonly LockEntry["labels"][] {
  return entries.map(({ labels }) => labels);
}

/** What a rule says, without its end mark. */
export function ruleSentence({ message }: Pick<OwnRule, "message">): string {
  return message.trim().replace(/\.$/, "");
}

/** Says whose rule it is, how to read it, and why it judges what does not have its labels. */
export function ruleHint(rule: OwnRule, resource: Pick<Resource, "address" | "labels"> | undefined): string {
  const { name, file, origin } = rule;
  const isLeaving = resource !== undefined && !judgesAt(rule, resource.address, resource.labels);
  const why = isLeaving
    ? "; it goes by the labels of the last apply: apply the new ones alone first, as a change of their own"
    : "";
  const whose = {
    workspace: "",
    organisation: "of the organisation, ",
    base: "as it was before the change, ",
  };
  return `it is a rule, ${whose[origin]}in ${file}: \`agentform explain ${name}\` shows it${why}`;
}
