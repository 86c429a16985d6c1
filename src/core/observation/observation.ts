import { bare, say, type Sentence } from "../finding/said.js";
import type { Observation, ObservedObject } from "../../generated/observation.js";
import { validate } from "../../generated/validate-observation.js";
import { refused, type Checked } from "../finding/checked.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { isObject, isShallow } from "../../json/json.js";
import { stateDepth, fitsLock } from "../state/lock-shape.js";
import { parseJson } from "../../json/parse-json.js";
import type { Lock, LockOwner, LockService } from "../state/lock.js";
import { trimAddress } from "../state/service-identity.js";

export type { Observation, ObservedObject };

/** The format of observations. */
export const observationFormat = "agentform/observation/v1";

/** Renders an observation to be saved. */
export function renderObservation(observation: Observation): string {
  return `${JSON.stringify(observation, null, 2)}\n`;
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
  if (validate(value)) return { ok: true, observation: value };
  const [first] = validate.errors ?? [];
  const at = first?.instancePath ?? "";
  return wrong(
    say`\`${bare({ field: at === "" ? "/" : at })}\` breaks the observation's format (${first?.keyword ?? "unknown"})`,
  );
}

/** Finds that an observation is not of a lock as it is now: of another workspace, service or time, or damaged. */
export function checkObservation(
  observation: Observation,
  owner: LockOwner,
  service: LockService,
  lock: Pick<Lock, "lineage" | "serial" | "resources">,
  file: string,
): Finding[] {
  const again = "make it again with `agentform drift --out FILE`";
  const wrong = (message: Sentence, hint = again) => [error("observation-invalid", { file }, message, hint)];
  const name = ({ workspace, environment }: LockOwner) =>
    `\`${workspace}\`${environment === null ? "" : ` in \`${environment}\``}`;
  if (observation.workspace !== owner.workspace || observation.environment !== owner.environment) {
    const hint = "name the environment that it was made for with `-e`";
    return wrong(
      say`the observation is of ${bare({ found: ownerParts(observation) }, name(observation))}, and this is ${bare({ expected: ownerParts(owner) }, name(owner))}`,
      hint,
    );
  }
  if (addressesOf(observation.service) !== addressesOf(service)) {
    return wrong(
      say`the observation is of the service at \`${bare({ found: observation.service.base_url })}\`, and this is \`${bare({ expected: service.base_url })}\``,
    );
  }
  if (observation.lock.lineage !== lock.lineage)
    return wrong("the observation was made with a different lock");
  if (observation.lock.serial < lock.serial) {
    return wrong(
      say`the observation is older than the lock: it was made with serial ${{ found: observation.lock.serial }}, and the lock has ${{ serial: lock.serial }}`,
    );
  }
  if (observation.lock.serial > lock.serial) {
    return wrong(
      say`the observation was made with a newer lock: it was made with serial ${{ found: observation.lock.serial }}, and the lock has ${{ serial: lock.serial }}`,
      "use the lock that it was made with",
    );
  }
  for (const [address, objects] of Object.entries(observation.objects)) {
    if (objects.some(({ body }) => body && !fitsLock(address, body))) {
      return wrong(say`the body of \`${bare({ address })}\` breaks the observation's format`);
    }
  }
  const unknown = Object.keys(observation.objects).find((address) => !Object.hasOwn(lock.resources, address));
  return unknown === undefined ? [] : wrong(say`the lock has no ${{ address: unknown }}`);
}

function ownerParts({ workspace, environment }: LockOwner) {
  return { workspace, environment };
}

function addressesOf({ base_url, rai_base_url }: LockService): string {
  return [base_url, rai_base_url ?? ""].map(trimAddress).join(" ");
}
