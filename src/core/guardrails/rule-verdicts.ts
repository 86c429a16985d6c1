import type { Action, GuardrailNote } from "../../generated/plan.js";
import { filterMembers, isObject, type Json } from "../../json/json.js";
import { once, oncePer } from "../../json/once.js";
import { pathSegment } from "../../json/path.js";
import { ruleFinding, type Finding, type Place } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { judgesAt, isExcused } from "../resources/fleet-rules.js";
import { existsIn } from "../resources/absence.js";
import type { Fleet } from "../resources/fleet.js";
import type { Resource } from "../resources/resource.js";
import { writtenDocument } from "../resources/written-document.js";
import type { CompiledRules } from "../rules/judge.js";
import { tooMuch, type OwnRule, type RuleOrigin } from "../rules/own-rule.js";
import type { Violation } from "../rules/violation.js";
import type { LockEntry } from "../state/lock.js";
import { leadToChanges, mappingPath } from "./change-path.js";
import { isDone } from "./guardrail.js";
import { readChanges, type PlannedBodies, type PlanOfChange } from "./judged-change.js";

/** What a rule finds in the document of a resource, or in an action of a plan. */
export interface RuleVerdict<Each> {
  readonly rule: OwnRule;
  readonly judged: Each;
  readonly violation: Violation;
}

/** A plan as far as rules judge it. */
export interface PlanToJudge extends PlanOfChange {
  readonly actions: readonly Action[];
  /** Gives its notes so far, as rules of an origin judge them. */
  readonly notes: (origin: RuleOrigin) => readonly GuardrailNote[];
}

/** What rules say of a plan. */
export interface JudgedPlan {
  readonly notes: readonly GuardrailNote[];
  readonly findings: readonly Finding[];
}

/** What rules judge with. */
export interface RuleJudging {
  readonly compiled: CompiledRules;
  readonly fleet: Pick<Fleet, "resources" | "settings">;
  /** Gives what was applied at an address, as far as it is known which labels it had; what moves is at its new address. */
  readonly applied: (address: string) => readonly Pick<LockEntry, "labels">[];
}

/** Gives what rules find, by labels of now and of before, else a change could edit a label to escape a rule. */
function* verdictsOn<Each extends { readonly address: string; readonly labels?: LockEntry["labels"] }>(
  subject: OwnRule["subject"],
  all: readonly Each[],
  valueOf: (judged: Each, origin: RuleOrigin) => Json,
  { compiled, fleet: { settings }, applied }: RuleJudging,
  findings: Finding[],
): Generator<RuleVerdict<Each>> {
  for (const { rule, judge } of compiled.rules) {
    if (rule.subject !== subject || !existsIn(rule.scope.environments, settings.environment)) continue;
    for (const judged of all) {
      const { address, labels } = judged;
      if (!judgesAt(rule, address, labels, ...applied(address).map((entry) => entry.labels))) continue;
      if (isExcused(settings.exceptions, address, rule)) continue;
      const violations = judge(valueOf(judged, rule.origin));
      if (violations === undefined) {
        findings.push(tooMuch(rule));
        break;
      }
      for (const violation of violations) yield { rule, judged, violation };
    }
  }
}

/** Gives what rules find in the documents of a workspace, and which rules could not judge all of them. */
export function judgeDocuments(judging: RuleJudging) {
  const resources = [...judging.fleet.resources.values()];
  const findings: Finding[] = [];
  const verdicts = [...verdictsOn("document", resources, judgedDocument, judging, findings)];
  return { verdicts, findings };
}

// Rules do not see what excuses from them.
const judgedDocument = oncePer((resource: Resource): Json => {
  const { lifecycle, ...document } = writtenDocument(resource);
  const rest = isObject(lifecycle) ? filterMembers(lifecycle, (key) => key !== "except") : {};
  return Object.keys(rest).length > 0 ? { ...document, lifecycle: rest } : document;
});

/** Makes the finding of a verdict on a document, at the place that the value comes from. */
export function verdictFinding({ rule, judged: resource, violation }: RuleVerdict<Resource>): Finding {
  const { path, key } = violation;
  const place = { ...resource.place(path), ...(key && { key }) };
  return {
    ...findingOf(rule.effect === "error" ? "error" : "note", rule, violation, place, resource),
    ...(place.file !== resource.file && { document: resource.place(["metadata", "name"]) }),
  };
}

/** Gives what rules say of a plan, as notes and findings; of a document only if an action brings it. */
export function judgePlan(
  plan: PlanToJudge,
  ofDocuments: readonly RuleVerdict<Resource>[],
  bodies: PlannedBodies,
  judging: RuleJudging,
): JudgedPlan {
  const findings: Finding[] = [];
  const actions = plan.actions.filter(({ action }) => isDone(action));
  const byAddress = new Map(actions.map((action) => [action.address, action]));
  const notes = ofDocuments.flatMap(({ rule, judged, violation }) => {
    const action = byAddress.get(judged.address);
    const { path } = violation;
    const keys = path[0] === "spec" ? path.slice(1) : path;
    const at = keys.map((key) => pathSegment(String(key))).join(".");
    return action && rule.effect !== "error" ? [noteFrom(rule, action, violation, at)] : [];
  });
  const valuesOf = once((origin: RuleOrigin) => {
    const asChange = readChanges(bodies, plan.notes(origin), plan);
    return once((address) => asChange(byAddress.get(address) as Action));
  });
  // Those from before a change judge the same as those of now.
  const valueOf = ({ address }: Action, origin: RuleOrigin) =>
    valuesOf(origin === "base" ? "workspace" : origin)(address);
  for (const each of verdictsOn("change", actions, valueOf, judging, findings)) {
    if (each.rule.effect === "error") findings.push(refusal(each, judging.fleet));
    else notes.push(noteFrom(each.rule, each.judged, each.violation, changedPath(each)));
  }
  return { notes, findings };
}

function noteFrom(
  rule: OwnRule,
  { address, changes }: Action,
  { found }: Violation,
  at: string | undefined,
): GuardrailNote {
  const says = ruleSentence(rule);
  const effect = rule.effect === "error" ? "weakens" : rule.effect;
  const path = at === undefined ? undefined : leadToChanges(changes)({ path: at, parts: {} });
  return {
    code: rule.name,
    effect,
    address,
    parts: { says, found },
    message: `${says}: ${found}`,
    ...(path !== undefined && { path }),
  };
}

function changedPath({ judged: { changes }, violation }: RuleVerdict<Action>): string | undefined {
  const [list, index] = violation.path;
  return list === "changes" && typeof index === "number" ? changes[index]?.path : undefined;
}

function refusal(verdict: RuleVerdict<Action>, { resources }: RuleJudging["fleet"]): Finding {
  const { address, file } = verdict.judged;
  const resource = resources.get(address);
  const at = mappingPath(changedPath(verdict) ?? "");
  const place = resource?.place(["spec", ...at]) ?? (file === undefined ? undefined : { file });
  return { ...findingOf("error", verdict.rule, verdict.violation, place, resource), address };
}

function findingOf(
  severity: "error" | "note",
  rule: OwnRule,
  { found }: Violation,
  place: Place | undefined,
  resource: Resource | undefined,
): Finding {
  const message = say`${ruleSentence(rule)}: ${bare({ found })}`;
  return ruleFinding(severity, rule.name, place, message, ruleHint(rule, resource));
}

/** What a rule says, without its end mark. */
function ruleSentence({ message }: OwnRule): string {
  return message.trim().replace(/\.$/, "");
}

/** Says whose rule it is, how to read it, and why it judges what does not have its labels. */
function ruleHint(rule: OwnRule, resource: Resource | undefined): string {
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
