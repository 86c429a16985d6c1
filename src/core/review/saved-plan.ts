import { hash } from "../../digest.js";
import { validate } from "../../generated/validate-plan.js";
import { validate as validatePlans } from "../../generated/validate-plans.js";
import type { Plan } from "../../generated/plan.js";
import { refused, type Checked } from "../finding/checked.js";
import { error, type Place } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { canonical, isObject, isShallow } from "../../json/json.js";
import { parseJson } from "../../json/parse-json.js";
import { isOutlined, stateDepth } from "../state/lock-shape.js";
import { topField } from "../plan/difference.js";
import { kindOfAddress } from "../kind/kinds.js";
import { brokenFormat } from "../kind/unknown-kind.js";
import { messageOf } from "../guardrails/note-words.js";
import { type Cause, because } from "../plan/cause.js";
import { planDigest, planFormat } from "../plan/plan-digest.js";
import { buildPlans, plansFormat, type MemberPlan, type Plans } from "./plans.js";
import { summarizeActions } from "../plan/plan-summary.js";
import { withoutReview, withReview } from "./reviewed-plan.js";
import { checkHidden } from "./saved-plan-check.js";
import { sending } from "../guardrails/calls.js";

/** A saved plan, or those of several workspaces. */
export type AnySaved = Plan | Plans;

/** Renders a plan to be saved: whole, with a checksum over all of it. */
export function renderSavedPlan(plan: Plan): string {
  return `${JSON.stringify(savedPlan(plan), null, 2)}\n`;
}

/** Renders the plans of several workspaces to be saved, each as it would be on its own. */
export function renderSavedPlans(plans: Plans): string {
  const whole = {
    ...plans,
    plans: plans.plans.map(({ folder, plan }) => ({ folder, plan: savedPlan(plan) })),
  };
  return `${JSON.stringify({ ...whole, checksum: checksum(whole) }, null, 2)}\n`;
}

function savedPlan(plan: Plan) {
  const whole = withReview(plan);
  return { ...whole, checksum: checksum(whole) };
}

/** Parses a saved plan of one workspace; one that is not as it was saved is refused. */
export function parseSavedPlan(text: string, file: string): Checked<{ readonly plan: Plan }> {
  const parsed = parseAnySaved(text, file);
  if (!parsed.ok) return parsed;
  const { saved } = parsed;
  if (saved.format === planFormat) return { ok: true, plan: saved };
  const message = "the file has the plans of several workspaces, but the plan of one is needed";
  const hint = say`\`agentform apply --all --expect ${saved.digest}\` applies all of them; \`show\` and \`comment\` take such a file`;
  return refused([error("plan-invalid", { file }, message, hint)]);
}

/** Parses what `plan --out` has saved, of one workspace or of several; what is not as it was saved is refused. */
export function parseAnySaved(text: string, file: string): Checked<{ readonly saved: AnySaved }> {
  const parsed = parseJson(text);
  if (parsed.value === undefined) {
    return invalid(file, "the plan is not valid JSON", { offset: parsed.offset });
  }
  const value: unknown = parsed.value;
  if (!isShallow(value, stateDepth)) return invalid(file, "the plan is nested too deep");
  if (isObject(value) && value.format === plansFormat) return checkPlans(value, file);
  const checked = checkPlan(value, file);
  return checked.ok ? { ok: true, saved: checked.plan } : checked;
}

function invalid(file: string, message: Sentence, at: Omit<Place, "file"> = {}) {
  const hint = "make it again with `agentform plan --out FILE`";
  return refused([error("plan-invalid", { file, ...at }, message, hint)]);
}

function checkPlans(value: unknown, file: string): Checked<{ readonly saved: Plans }> {
  if (!validatePlans(value)) return invalid(file, brokenFormat(value, validatePlans, "plan"));
  const { checksum: expected, ...saved } = value;
  if (expected !== checksum(saved))
    return invalid(file, "the plans are not as they were saved: their checksum does not match");
  const folders = [...saved.plans, ...saved.leftOut].map(({ folder }) => folder);
  if (new Set(folders).size < folders.length) return invalid(file, "the plans have a folder twice");
  const plans: MemberPlan[] = [];
  for (const { folder, plan: own } of saved.plans) {
    const checked = checkPlan(own, file);
    if (!checked.ok) return checked;
    if (checked.plan.environment !== saved.environment)
      return invalid(file, "the plans are of different environments");
    plans.push({ folder, plan: checked.plan });
  }
  const whole = buildPlans(saved.environment, plans, saved.leftOut);
  const isTrue =
    whole.digest === saved.digest && canonical({ ...whole.summary }) === canonical(saved.summary);
  return isTrue
    ? { ok: true, saved: whole }
    : invalid(file, "the digest or the counts are not those of the plans");
}

function checkPlan(value: unknown, file: string): Checked<{ readonly plan: Plan }> {
  if (isObject(value) && typeof value.format === "string" && value.format !== planFormat) {
    const message = say`the plan has the format \`${bare({ found: value.format })}\`, and this version reads ${{ format: planFormat }}`;
    return invalid(file, message, { path: ["format"] });
  }
  if (!validate(value)) return invalid(file, brokenFormat(value, validate, "plan"));
  if (!hasTrueMarks(value)) return invalid(file, "the plan shortens a field that it must show whole");
  const { checksum: expected, ...saved } = value;
  const plan = withoutReview(saved);
  const misshapen = misshapenAction(plan);
  if (misshapen !== undefined) return invalid(file, misshapen);
  if (expected !== checksum(saved)) {
    return invalid(file, "the plan is not as it was saved: its checksum does not match");
  }
  if (plan.digest !== planDigest(plan) || !isCounted(plan)) {
    return invalid(file, "the digest or the counts of the plan are not those of its actions and settings");
  }
  const words = inOwnWords(plan);
  if (words === undefined)
    return invalid(file, "a note or a reason of the plan does not have the parts of its code");
  const [hiding] = checkHidden(plan, undefined, file);
  return hiding === undefined ? { ok: true, plan: { ...plan, ...words } } : refused([hiding]);
}

// The digest has the parts of a note and of a reason, and their words are made from them; a file may have any others.
function inOwnWords({ notes, actions }: Plan): Pick<Plan, "notes" | "actions"> | undefined {
  try {
    return {
      notes: notes.map((note) => ({ ...note, message: messageOf(note) })),
      actions: actions.map((action) => ({ ...action, ...because((action.causes ?? []) as Cause[]) })),
    };
  } catch {
    // Parts may have any shape.
    return undefined;
  }
}

// What a schema does not say of the actions.
function misshapenAction({ actions }: Plan): Sentence | undefined {
  const addresses = new Set<string>();
  for (const { address, action, body, ids = [], tools = {} } of actions) {
    if (addresses.has(address)) return say`the plan has \`${bare({ address })}\` twice`;
    if (body && !isOutlined(address, body))
      return say`the body of \`${bare({ address })}\` breaks the plan's format`;
    if (action === "adopt" && ids.length === 0) return say`\`${bare({ address })}\` has no ID to take over`;
    if (action === "adopt" && Object.values(tools).some((id) => !ids.includes(id)))
      return say`\`${bare({ address })}\` has a tool whose ID it does not take over`;
    if (sending.has(action) && !body) return say`\`${bare({ address })}\` has nothing to send`;
    addresses.add(address);
  }
  return undefined;
}

function isCounted({ actions, summary }: Plan): boolean {
  const { unchanged, ...counts } = summary;
  const { unchanged: _none, ...counted } = summarizeActions(actions, []);
  return unchanged >= 0 && canonical(counts) === canonical(counted);
}

function checksum({ checksum: _checksum, ...saved }: object & { readonly checksum?: string }): string {
  return hash(canonical(saved));
}

// Whether what is shown short, as an outline, is exactly what its kind has outlines of.
function hasTrueMarks({ actions }: Plan): boolean {
  return actions.every(({ address, changes }) => {
    const outlined = kindOfAddress(address).outlined;
    return changes.every((change) => outlined.includes(topField(change)) === (change.outline === true));
  });
}
