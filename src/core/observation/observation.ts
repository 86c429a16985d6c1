import { bare, say, type Sentence } from "../finding/said.js";
import type { Observation, ObservedObject } from "../../generated/observation.js";
import { validate } from "../../generated/validate-observation.js";
import { refused, type Checked } from "../finding/checked.js";
import { error } from "../finding/diagnostic.js";
import { isObject, isShallow } from "../../json/json.js";
import { brokenFormat } from "../kind/unknown-kind.js";
import { stateDepth } from "../state/lock-shape.js";
import { parseJson } from "../../json/parse-json.js";

export type { Observation, ObservedObject };

/** The format of observations. */
export const observationFormat = "agentform/observation/v1";

/** Renders an observation to be saved; on one line where the spaces of many are more than a text can have. */
export function renderObservation(observation: Observation): string {
  try {
    return `${JSON.stringify(observation, null, 2)}\n`;
  } catch {
    return `${JSON.stringify(observation)}\n`;
  }
}

/** Parses an observation; one that is damaged or of another format is refused. */
export function parseObservation(text: string, file: string): Checked<{ readonly observation: Observation }> {
  const again = "make it again with `agentform drift --out FILE`";
  // The file is outside the workspace, so its lines are not looked up.
  const wrong = (message: Sentence) => refused([error("observation-invalid", { file }, message, again)]);
  const { value } = parseJson(text);
  if (value === undefined) return wrong("the observation is not valid JSON");
  if (!isShallow(value, stateDepth)) return wrong("the observation is nested too deep");
  if (isObject(value) && typeof value.format === "string" && value.format !== observationFormat) {
    return wrong(
      say`the observation has the format \`${bare({ found: value.format })}\`, and this version reads \`${bare({ format: observationFormat })}\``,
    );
  }
  return validate(value)
    ? { ok: true, observation: value }
    : wrong(brokenFormat(value, validate, "observation"));
}
