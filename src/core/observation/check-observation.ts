import { error, type Finding } from "../finding/diagnostic.js";
import { quote } from "../finding/quotation.js";
import type { Lock, LockOwner, LockService } from "../state/lock.js";
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
  const wrong = (message: string, hint = again) => [error("observation-invalid", { file }, message, hint)];
  const name = ({ workspace, environment }: LockOwner) =>
    `\`${workspace}\`${environment === null ? "" : ` in \`${environment}\``}`;
  if (observation.workspace !== owner.workspace || observation.environment !== owner.environment) {
    const hint = "name the environment that it was made for with `-e`";
    return wrong(`the observation is of ${name(observation)}, and this is ${name(owner)}`, hint);
  }
  if (addressesOf(observation.service) !== addressesOf(service)) {
    return wrong(
      `the observation is of the service at \`${observation.service.base_url}\`, and this is \`${service.base_url}\``,
    );
  }
  if (observation.lock.lineage !== lock.lineage)
    return wrong("the observation was made with a different lock");
  if (observation.lock.serial < lock.serial) {
    return wrong(
      `the observation is older than the lock: it was made with serial ${observation.lock.serial}, and the lock has ${lock.serial}`,
    );
  }
  if (observation.lock.serial > lock.serial) {
    return wrong(
      `the observation was made with a newer lock: it was made with serial ${observation.lock.serial}, and the lock has ${lock.serial}`,
      "use the lock that it was made with",
    );
  }
  for (const [address, objects] of Object.entries(observation.objects)) {
    if (objects.some(({ body }) => body && !fitsLock(address, body))) {
      return wrong(`the body of \`${address}\` breaks the observation's format`);
    }
  }
  const unknown = Object.keys(observation.objects).find((address) => !Object.hasOwn(lock.resources, address));
  return unknown === undefined ? [] : wrong(`the lock has no ${quote(unknown)}`);
}

function addressesOf({ base_url, rai_base_url }: LockService): string {
  return [base_url, rai_base_url ?? ""].map(trimAddress).join(" ");
}
