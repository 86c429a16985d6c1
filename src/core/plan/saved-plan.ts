import { hash } from "../../digest.js";
import { validate } from "../../generated/validate-plan.js";
import type { Plan } from "../../generated/plan.js";
import { refused, type Checked } from "../finding/checked.js";
import { error, type Place } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { canonical, isObject, isShallow, type Json } from "../../json/json.js";
import { parseJson } from "../../json/parse-json.js";
import { isOutlined, stateDepth } from "../state/lock-shape.js";
import { topField } from "./difference.js";
import { kindOfAddress } from "../kind/kinds.js";
import { planDigest } from "./plan-digest.js";
import { summarizeActions } from "./plan-summary.js";
import { withoutReview, withReview } from "./reviewed-plan.js";
import { hiddenChanges, hidingFinding } from "./saved-plan-check.js";

/** The format of plans. */
export const planFormat = "agentform/plan/v1";

/** Renders a plan to be saved: whole, with a checksum over all of it. */
export function renderSavedPlan(plan: Plan): string {
  const whole = withReview(plan);
  return `${JSON.stringify({ ...whole, checksum: checksum(whole) }, null, 2)}\n`;
}

/** Parses a saved plan; one that is not as it was saved is refused. */
export function parseSavedPlan(text: string, file: string): Checked<{ readonly plan: Plan }> {
  const invalid = (message: Sentence, at: Omit<Place, "file"> = {}) => {
    const hint = "make it again with `agentform plan --out FILE`";
    return refused([error("plan-invalid", { file, ...at }, message, hint)]);
  };
  const parsed = parseJson(text);
  if (parsed.value === undefined) {
    return invalid("the plan is not valid JSON", { offset: parsed.offset });
  }
  const value: unknown = parsed.value;
  if (!isShallow(value, stateDepth)) return invalid("the plan is nested too deep");
  if (isObject(value) && typeof value.format === "string" && value.format !== planFormat) {
    const message = say`the plan has the format \`${bare({ found: value.format })}\`, and this version reads ${{ format: planFormat }}`;
    return invalid(message, { path: ["format"] });
  }
  if (!validate(value)) {
    const [first] = validate.errors ?? [];
    const message = say`\`${bare({ field: first?.instancePath ?? "/" })}\` breaks the plan's format (${first?.keyword ?? "unknown"})`;
    return invalid(message);
  }
  if (!hasTrueMarks(value)) return invalid("the plan shows a field short that its kind has whole");
  const { checksum: expected, ...saved } = value;
  const plan = withoutReview(saved);
  const misshapen = misshapenAction(plan);
  if (misshapen !== undefined) return invalid(misshapen);
  if (expected !== checksum(saved)) {
    return invalid("the plan is not as it was saved: its checksum does not fit");
  }
  if (plan.digest !== planDigest(plan) || !isCounted(plan)) {
    return invalid("the digest or the counts of the plan are not those of its actions and settings");
  }
  const [hiding] = hiddenChanges(plan, undefined);
  return hiding === undefined ? { ok: true, plan } : refused([hidingFinding(hiding, file)]);
}

// What a schema does not say of the actions.
function misshapenAction({ actions }: Plan): Sentence | undefined {
  const addresses = new Set<string>();
  for (const { address, body } of actions) {
    if (addresses.has(address)) return say`the plan has \`${bare({ address })}\` twice`;
    if (body && !isOutlined(address, body))
      return say`the body of \`${bare({ address })}\` breaks the plan's format`;
    addresses.add(address);
  }
  return undefined;
}

function isCounted({ actions, summary }: Plan): boolean {
  const { unchanged, ...counts } = summary;
  const { unchanged: _none, ...counted } = summarizeActions(actions, []);
  return unchanged >= 0 && canonical(counts) === canonical(counted);
}

function checksum({ checksum: _checksum, ...plan }: Plan): string {
  return hash(canonical(plan as unknown as Json));
}

// Whether what is shown short, as an outline, is exactly what its kind has outlines of.
function hasTrueMarks({ actions }: Plan): boolean {
  return actions.every(({ address, changes }) => {
    const outlined = kindOfAddress(address)?.outlined ?? [];
    return changes.every((change) => outlined.includes(topField(change)) === (change.outline === true));
  });
}
