import { hash } from "../../digest.js";
import { validate } from "../../generated/validate-plan.js";
import type { Plan } from "../../generated/plan.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { hiddenChanges } from "./hidden-changes.js";
import { canonical, isObject, isShallow, type Json } from "../../json/json.js";
import { parseJson } from "../../json/parse-json.js";
import { isOutlined, stateDepth } from "../state/lock-shape.js";
import { hasTrueMarks } from "./outline-marks.js";
import { planDigest } from "./plan-digest.js";
import { summarizeActions } from "./plan-summary.js";
import { withoutReview, withReview } from "./reviewed-plan.js";
import { hidingFinding } from "./saved-plan-check.js";

/** The format of plans. */
export const planFormat = "agentform/plan/v1";

/** Renders a plan to be saved: whole, with a checksum over all of it. */
export function renderSavedPlan(plan: Plan): string {
  const whole = withReview(plan);
  return `${JSON.stringify({ ...whole, checksum: checksum(whole) }, null, 2)}\n`;
}

/** Parses a saved plan; one that is not as it was saved gives findings. */
export function parseSavedPlan(text: string, file: string): Plan | Finding[] {
  const again = "make it again with `agentform plan --out FILE`";
  const parsed = parseJson(text);
  if (parsed.value === undefined) {
    return [error("plan-invalid", { file, offset: parsed.offset }, "the plan is not valid JSON", again)];
  }
  const value: unknown = parsed.value;
  if (!isShallow(value, stateDepth)) {
    const message = "the plan is nested too deep";
    return [error("plan-invalid", { file }, message, again)];
  }
  if (isObject(value) && typeof value.format === "string" && value.format !== planFormat) {
    const message = say`the plan has the format \`${bare({ found: value.format })}\`, and this version reads ${{ format: planFormat }}`;
    return [error("plan-invalid", { file, path: ["format"] }, message, again)];
  }
  if (!validate(value)) {
    const [first] = validate.errors ?? [];
    const message = say`\`${bare({ field: first?.instancePath ?? "/" })}\` breaks the plan's format (${first?.keyword ?? "unknown"})`;
    return [error("plan-invalid", { file }, message, again)];
  }
  if (!hasTrueMarks(value)) {
    return [error("plan-invalid", { file }, "the plan shows a field short that its kind has whole", again)];
  }
  const { checksum: expected, ...saved } = value;
  const plan = withoutReview(saved);
  const misshapen = misshapenAction(plan);
  if (misshapen !== undefined) return [error("plan-invalid", { file }, misshapen, again)];
  if (expected !== checksum(saved)) {
    return [
      error("plan-invalid", { file }, "the plan is not as it was saved: its checksum does not fit", again),
    ];
  }
  if (plan.digest !== planDigest(plan) || !isCounted(plan)) {
    const message = "the digest or the counts of the plan are not those of its actions and settings";
    return [error("plan-invalid", { file }, message, again)];
  }
  const [hiding] = hiddenChanges(plan, undefined);
  if (hiding !== undefined) return [hidingFinding(hiding, file)];
  return plan;
}

// What a schema does not say of the actions.
function misshapenAction({ actions }: Plan): string | undefined {
  const addresses = new Set<string>();
  for (const { address, body } of actions) {
    if (addresses.has(address)) return `the plan has \`${address}\` twice`;
    if (body && !isOutlined(address, body)) return `the body of \`${address}\` breaks the plan's format`;
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
