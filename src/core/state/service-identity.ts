import { error, type Finding, type Place } from "../finding/diagnostic.js";
import type { Lock, LockService } from "./lock.js";

/**
 * Refuses addresses of the service that no apply of this environment has used: the lock's IDs belong to another
 * service, or the key would go where it never went. An address that comes beside the known ones is fine at an
 * origin that has the key already.
 */
export function checkServiceIdentity({ service }: Lock, now: LockService, place: Place): Finding[] {
  if (!service) return [];
  const known = [service.base_url, service.rai_base_url].flatMap((url) => (url ? [url] : []));
  const origins = new Set(known.map(originOf));
  const fields = ["base_url", "rai_base_url"] as const;
  return fields.flatMap((field) => {
    // Without a `base_url`, a lock has an empty one.
    const [was, is] = [service[field] || undefined, now[field] || undefined];
    if (is === undefined) return [];
    if (was === undefined ? origins.has(originOf(is)) : comparable(was) === comparable(is)) return [];
    const others = known.map((url) => `\`${url}\``).join(" and ");
    const message = `\`${field}\` is \`${is}\`, and the lock knows this environment's service at ${others}`;
    const hint =
      "`--service-moved` keeps the IDs and sends the key there, if it is the same service; another installation is a new environment";
    return [error("service-moved", { ...place, key: true }, message, hint)];
  });
}

/** Gives the addresses that a lock keeps after an apply: one that the manifest no longer names was used all the same. */
export function knownAddresses(before: LockService | undefined, now: LockService): LockService {
  const isNamed = now.base_url !== "";
  if (!before || (isNamed && comparable(before.base_url) !== comparable(now.base_url))) return now;
  return { ...before, ...now, ...(!isNamed && { base_url: before.base_url }) };
}

/** Takes off what no request takes from a base address. */
export function trimAddress(url: string): string {
  return url.replace(/\/+$/, "");
}

// The same host, however it is written: in capitals, with its default port, or with the dot of the root.
function comparable(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.hostname = parsed.hostname.replace(/\.$/, "");
  return trimAddress(parsed.href);
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(comparable(url)).origin : url;
}
