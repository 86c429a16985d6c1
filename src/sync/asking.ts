import type { ServiceAccess } from "./request.js";
import type { Service } from "../core/observation/service.js";
import { refused, type Checked } from "../core/finding/checked.js";
import { error, hasErrors, type Finding } from "../core/finding/diagnostic.js";
import { bare, say, type Sentence } from "../core/finding/said.js";
import type { Kind } from "../core/kind/kind.js";
import { namedVariables } from "../core/resources/named-variables.js";
import type { Settings } from "../core/resources/manifest.js";
import type { Fleet } from "../core/resources/fleet.js";
import type { Lock } from "../core/state/lock.js";
import { checkServiceIdentity } from "../core/state/service-identity.js";
import { checkAddresses, missingKey } from "../service/target.js";
import { emulatorIdentity } from "../core/state/state-choice.js";

const concurrency = 8;

/** Asks the service about objects of some kinds and closes the connection; findings if that must not be done. */
export async function askService<Value>(
  fleet: Fleet,
  lock: Lock,
  kinds: readonly Kind[],
  options: ServiceAccess,
  ask: (service: Service) => Promise<Checked<Value>>,
): Promise<Checked<Value>> {
  const { settings } = fleet;
  const target = await options.target(settings);
  const hosts = kinds.flatMap(({ name }) =>
    Object.values(settings.deployment[name] ?? {}).map(({ host }) => host),
  );
  const isEmulated = target.identity.base_url === emulatorIdentity.base_url;
  const findings = [
    ...checkServiceIdentity(lock, target.identity, settings.servicePlace),
    ...(isEmulated ? [] : checkAddresses(settings, new Set(hosts))),
    ...missingKey(settings, target),
  ];
  if (hasErrors(findings)) return refused(findings);
  const { connect } = await import("../service/connect.js");
  const named = namedVariables(fleet, lock);
  const connected = await connect(target, settings, { ...options, concurrency, named });
  if (!connected.ok) return connected;
  try {
    return await ask(connected.service);
  } finally {
    await connected.service.close();
  }
}

/** Says that the service could not be asked, at the operation that says how. */
export function explainUnread(
  { servicePlace }: Settings,
  { name }: Kind,
  operation: "list" | "read",
  { message, hint }: { readonly message: Sentence; readonly hint?: string },
): Finding {
  const path = [...(servicePlace.path ?? []), "operations", name, operation];
  const otherwise = "nothing was changed; check the operation, the address and the API key";
  return error("service-unread", { ...servicePlace, path, key: true }, message, hint ?? otherwise);
}

/** Says that the manifest does not name the lists of some kinds, which a command needs, and what does without. */
export function explainMissing(
  { servicePlace }: Settings,
  kinds: readonly Kind[],
  command: string,
  otherwise: string,
): Finding {
  const place = { ...servicePlace, path: [...(servicePlace.path ?? [])], key: true };
  const lists = kinds.map(({ name }) => `service.operations.${name}.list`);
  const message = say`${bare({ command })} needs ${{ expected: lists }}, which the manifest does not name`;
  const hint = `if your deployment can do it, say how: docs/reference/deployments.md has examples; if not, ${otherwise}`;
  return error("operation-missing", place, message, hint);
}
