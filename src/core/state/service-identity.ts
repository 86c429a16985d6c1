import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { kindOfAddress } from "../kind/kinds.js";
import type { Lock, LockService } from "./lock.js";

/** Refuses addresses of the service that no apply here has used, unless their origin receives the key already. */
export function checkServiceIdentity({ service }: Lock, now: LockService, place: Place): Finding[] {
  if (!service) return [];
  const known = [service.base_url, service.rai_base_url].flatMap((url) => (url ? [url] : []));
  const origins = new Set(known.map(originOf));
  const fields = ["base_url", "rai_base_url"] as const;
  const told = new Set<string>();
  return fields.flatMap((field) => {
    // A lock without `base_url` has an empty one.
    const [was, is] = [service[field] || undefined, now[field] || undefined];
    if (is === undefined) return [];
    if (was === undefined ? origins.has(originOf(is)) : comparable(was) === comparable(is)) return [];
    // What both fields have is one mistake.
    if (told.has(is)) return [];
    told.add(is);
    const others = [...new Set(known)].map((url) => `\`${url}\``).join(" and ");
    const message = say`${{ field }} is \`${bare({ found: is })}\`, but the lock has this environment's service at ${others}`;
    const hint =
      "if it is the same service, pass `--service-moved` to plan and apply, which keeps the IDs and sends the key there; for a different installation, add a new environment";
    return [error("service-moved", { ...place, key: true }, message, hint)];
  });
}

/** Gives the addresses that a lock keeps after an apply, including used ones that the manifest no longer names. */
export function knownAddresses(before: LockService | undefined, now: LockService): LockService {
  const isNamed = now.base_url !== "";
  if (!before || (isNamed && comparable(before.base_url) !== comparable(now.base_url))) return now;
  return { ...before, ...now, ...(!isNamed && { base_url: before.base_url }) };
}

/** Whether two environments may have objects of the same service; a lock that does not name its service may. */
export function sharesService(one: LockService | undefined, other: LockService): boolean {
  if (!one) return true;
  const urls = ({ base_url, rai_base_url }: LockService) =>
    [base_url, rai_base_url].flatMap((url) => (url ? [comparable(url)] : []));
  const known = new Set(urls(one));
  return urls(other).some((url) => known.has(url));
}

/** Whether two states have their objects of an address at the same one of the two addresses of a service. */
export function sharesHost(one: LockService, other: LockService, address: string): boolean {
  const field = kindOfAddress(address).create.host === "rai" ? "rai_base_url" : "base_url";
  const [here, there] = [one[field], other[field]];
  return here !== undefined && there !== undefined && comparable(here) === comparable(there);
}

/** Removes the parts of a base address that requests do not use. */
export function trimAddress(url: string): string {
  return url.replace(/\/+$/, "");
}

/** Gives an address in one spelling of its host, whatever its letters, its default port or the dot of the root. */
export function comparable(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.hostname = parsed.hostname.replace(/\.$/, "");
  return trimAddress(parsed.href);
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(comparable(url)).origin : url;
}
