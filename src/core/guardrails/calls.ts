import type { Action, CallsSide, ToolSetCalls } from "../../generated/plan.js";
import { canonical, equal, listOf, mapMembers, type Json, type JsonObject } from "../../json/json.js";
import { effectiveOf, type EffectiveOutline } from "../openapi/effective.js";
import { isOutline, type Outline } from "../openapi/outline-shape.js";
import type { GuardrailInput } from "./guardrail.js";
import { tokenAddressesIn } from "./key-place.js";
import { secretsSent } from "./default-value.js";

/** The actions that send a body. */
export const sending: ReadonlySet<Action["action"]> = new Set(["create", "update", "replace", "adopt"]);

/** Gives where the calls and keys of each tool set go that an action changes, where that differs from before. */
export function callsChanged({ actions, fleet, lock }: GuardrailInput): ToolSetCalls[] {
  return actions.flatMap(({ address, action }) => {
    if (!sending.has(action)) return [];
    const [before, after] = [
      readCalls(lock.resources[address]?.body),
      readCalls(fleet.resources.get(address)?.body),
    ];
    if (!after || (before && !isChanged(before, after))) return [];
    return [{ toolset: address, ...(before && { before: sideOf(before) }), after: sideOf(after) }];
  });
}

interface Calls {
  readonly effective: EffectiveOutline;
  readonly body: JsonObject;
}

function readCalls(body: JsonObject | undefined): Calls | undefined {
  const outline: Json | Outline | undefined = body?.openapi_schema;
  return body !== undefined && isOutline(outline) ? { effective: effectiveOf(outline), body } : undefined;
}

// That there are more operations, or fewer, is no change of where they go, nor is another order, as that of a lock.
function isChanged(before: Calls, after: Calls): boolean {
  const [was, is] = [before, after].map((calls): JsonObject => {
    const { servers, ...others } = sideOf(calls);
    const lists = { servers: servers.map(({ address }) => address), ...others } as unknown as JsonObject;
    return mapMembers(lists, (list) => listOf(list).map(canonical).toSorted());
  });
  const old = before.effective.operations;
  return (
    !equal(was, is) ||
    [...after.effective.operations.values()].some(({ route, addresses }) => {
      const known = old.get(route)?.addresses ?? addresses;
      return known.length !== addresses.length || known.some(({ text }, at) => text !== addresses[at]?.text);
    })
  );
}

function sideOf({ effective, body }: Calls): CallsSide {
  const secrets = secretsSent(body);
  const tokens = [...new Set(tokenAddressesIn(effective).values())];
  const callbacks = [...effective.operations.values()].flatMap((operation) => operation.callbacks);
  return {
    servers: serversOf(effective),
    ...(tokens.length > 0 && { tokens }),
    ...(callbacks.length > 0 && { callbacks: [...new Set(callbacks)] }),
    ...(secrets.length > 0 && { secrets }),
  };
}

function serversOf({ operations, addresses }: EffectiveOutline): CallsSide["servers"] {
  const servers = new Map<string, CallsSide["servers"][number]>();
  const add = (address: EffectiveOutline["addresses"][number], count: number): void => {
    const { text, written } = address;
    const known = servers.get(text)?.operations ?? 0;
    servers.set(text, {
      address: text,
      operations: known + count,
      ...(written !== undefined && { written }),
    });
  };
  if (operations.size === 0) for (const address of addresses) add(address, 0);
  for (const operation of operations.values()) for (const address of operation.addresses) add(address, 1);
  return [...servers.values()];
}
