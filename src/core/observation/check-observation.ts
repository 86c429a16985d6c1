import { bare, say, type Sentence } from "../finding/said.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { isSameOwner, ownerText, type Lock, type LockOwner, type LockService } from "../state/lock.js";
import { fitsLock } from "../state/lock-shape.js";
import { trimAddress } from "../state/service-identity.js";
import type { Observation } from "./observation.js";

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
  if (!isSameOwner(observation, owner)) {
    const hint = "name the environment that it was made for with `-e`";
    return wrong(
      say`the observation is of ${bare({ found: ownerParts(observation) }, ownerText(observation))}, and this is ${bare({ expected: ownerParts(owner) }, ownerText(owner))}`,
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
