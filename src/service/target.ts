import { requestsOf } from "../core/apply/requests.js";
import { error, type Finding, type Place } from "../core/finding/diagnostic.js";
import { bare, say } from "../core/finding/said.js";
import type { KindName } from "../generated/kinds.js";
import type { Deployment } from "../core/kind/deployment.js";
import type { Host, Kind } from "../core/kind/kind.js";
import { kindOfAddress, kinds } from "../core/kind/kinds.js";
import type { Lock, LockService } from "../core/state/lock.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import type { Settings } from "../core/resources/manifest.js";
import type { Action } from "../generated/plan.js";
import type { Plan } from "../core/plan/plan.js";
import { eachText, environmentNames } from "../core/expression/reference.js";
import { trimAddress } from "../core/state/service-identity.js";
import type { Fleet } from "../core/resources/fleet.js";
import type { SecretSource } from "./secret.js";

/** The service that an apply talks to; the lock holds the IDs of its objects. */
export interface Target {
  readonly identity: LockService;
  readonly baseUrl: string | undefined;
  readonly raiBaseUrl: string | undefined;
  /** The API key as written in the manifest: a text with `${env:NAME}`. */
  readonly apiKey: string | undefined;
  readonly secrets: SecretSource;
}

/** Gives the target that the manifest names. */
export function targetOf({ service }: Settings, secrets: SecretSource): Target {
  const { base_url, rai_base_url, api_key } = service;
  return {
    identity: identityOf(service),
    baseUrl: base_url,
    raiBaseUrl: rai_base_url,
    apiKey: api_key,
    secrets,
  };
}

/** Gives the identity in a lock of the service that some settings name. */
export function identityOf({ base_url, rai_base_url }: Settings["service"]): LockService {
  return {
    base_url: trimAddress(base_url ?? ""),
    ...(rai_base_url && { rai_base_url: trimAddress(rai_base_url) }),
  };
}

/** Finds missing or wrong addresses among those that the plan's requests go to. */
export function checkAddresses(
  { service, servicePlace, environment }: Pick<Settings, "service" | "servicePlace" | "environment">,
  hosts: ReadonlySet<Host>,
): Finding[] {
  const needed: [string, string | undefined][] = [];
  if (hosts.has("base")) needed.push(["base_url", service.base_url]);
  if (hosts.has("rai")) needed.push(["rai_base_url", service.rai_base_url]);
  return needed.flatMap(([field, url]) => {
    if (url === undefined) {
      const isDefault = environment === null;
      const message = say`${{ field }} of the service is missing${isDefault ? "" : say` in environment \`${bare({ environment })}\``}`;
      const hint = `add \`spec.${isDefault ? "" : `environments.${environment}.`}service.${field}\``;
      return [error("service-url", { ...servicePlace, key: true }, message, hint)];
    }
    const place = { ...servicePlace, path: [...(servicePlace.path ?? []), field] };
    const own = isUsable(url) ? partOfRequests(url, field === "base_url" ? "base" : "rai") : undefined;
    if (own !== undefined) {
      const message = say`${{ field }} ends in \`${own}\`, which each request adds by itself`;
      return [error("service-url", place, message, `remove \`${own}\` at its end`)];
    }
    if (isUsable(url)) return [];
    const message = say`${{ field }} must be an http or https URL without user, query and fragment`;
    const hint = url.includes("${")
      ? "write the URL itself, for nothing is resolved here; each environment can have its own under `spec.environments`"
      : "use a URL such as `https://agents.example.com`";
    return [error("service-url", place, message, hint)];
  });
}

/** Gives the addresses that the delete of an object needs: its own, and those at which it is looked up what uses it. */
function hostsOfDelete(name: KindName, deployment: Deployment): Host[] {
  const { delete: deletion, read } = deployment[name] ?? {};
  const lists = Object.values(deployment).map(({ list }) => list);
  return [deletion, read, ...lists].flatMap((operation) => operation?.host ?? []);
}

/** Gives the addresses of the service that a plan's requests go to. */
export function hostsOf({ actions }: Plan, deployment: Deployment): Set<Host> {
  const hosts = new Set<Host>();
  for (const { address, action, requests = [], deletes = 0 } of actions) {
    const kind = kindOfAddress(address);
    if (requests.length > 0 && action !== "delete") {
      for (const each of hostsOfSending(kind, action, deployment)) hosts.add(each);
    }
    if (deletes > 0) for (const each of hostsOfDelete(kind.name, deployment)) hosts.add(each);
  }
  return hosts;
}

function hostsOfSending({ name, create }: Kind, action: Action["action"], deployment: Deployment): Host[] {
  const { update, read } = deployment[name] ?? {};
  const isCreated = action === "create" || action === "replace";
  const { host } = isCreated || !update ? create : update;
  // What was sent is read at once.
  return [host, ...(read ? [read.host] : [])];
}

/** Finds every environment variable that the plan's requests need and that is not set, with each place that needs it. */
export function missingSecrets(plan: Plan, lock: Lock, fleet: Fleet, target: Target): Finding[] {
  const findings = missingKey(fleet.settings, target);
  for (const action of plan.actions) {
    const names = new Set<string>();
    for (const { body } of requestsOf(action, lock, plan.documents ?? {}, fleet.settings.deployment)) {
      eachText(body, (text) => environmentNames(text).forEach((name) => names.add(name)));
    }
    for (const name of names) {
      // Read only of those that use any.
      const uses = fleet.resources.get(action.address)?.secrets ?? [];
      const places = uses.filter((use) => use.name === name).map(({ place }) => place);
      for (const place of places.length > 0 ? places : [undefined]) {
        findings.push(...missingVariable(name, place, target));
      }
    }
  }
  return findings;
}

/** Finds that there is no API key, or that an environment variable for it is not set. */
export function missingKey({ servicePlace }: Settings, target: Target): Finding[] {
  const { apiKey } = target;
  if (apiKey === undefined) {
    const hint = "add `api_key: ${env:NAME}`";
    return [error("api-key-missing", servicePlace, "the manifest sets no API key", hint)];
  }
  const place = { file: manifestFile, path: ["spec", "service", "api_key"] };
  return environmentNames(apiKey).flatMap((name) => missingVariable(name, place, target));
}

function missingVariable(name: string, place: Place | undefined, target: Target): Finding[] {
  const secret = target.secrets(name);
  // In the place of bytes that are no text Node gives this character, and the service would get it.
  const isBroken = secret?.unwrap().includes("\ufffd");
  if (secret && !isBroken) return [];
  const [why, hint] = isBroken
    ? ["not UTF-8", "set it in UTF-8: anything else would be sent with characters that it does not have"]
    : ["not set", "set it where apply runs, or pass `--env-file FILE`"];
  return [error("secret-missing", place, say`the environment variable ${{ name }} is ${why}`, hint)];
}

// The beginning of the paths of requests, all or a part of it, that an address ends in.
function partOfRequests(url: string, host: Host): string | undefined {
  const path = new URL(url).pathname.replace(/\/+$/, "");
  for (const { create } of Object.values(kinds)) {
    if (create.host !== host) continue;
    const segments = create.path.split("/").filter((segment) => segment !== "");
    for (let count = segments.length; count > 0; count--) {
      const part = `/${segments.slice(0, count).join("/")}`;
      if (path.endsWith(part)) return part;
    }
  }
  return undefined;
}

function isUsable(url: string): boolean {
  try {
    const { protocol, username, password, search, hash } = new URL(url);
    // A character that URL parsers skip or replace would make the shown address differ from the one reached.
    if (!/^[!-~]+$/.test(url) || url.includes("\\")) return false;
    // `https://https://host` would be the host `https`, and `https:/host` is read by some parsers alone.
    if (!/^https?:\/\/(?!https?:)/i.test(url)) return false;
    return /^https?:$/.test(protocol) && username + password + search + hash === "";
  } catch {
    return false;
  }
}
