import { isObject, listOf, type Json, type JsonObject } from "../../json/json.js";
import { pathSegment } from "../../json/path.js";
import { routeOf } from "./openapi-operation.js";
import type { Outline, OutlineOperation } from "./outline-shape.js";
import { addressesIn, addressesOf, eachOnce, type ServerAddress } from "./server-address.js";

/** What a caller has to show. */
export interface EffectiveSecurity {
  /** The alternatives, each as its schemes and scopes; one that demands nothing if there are none. */
  readonly demands: readonly (readonly string[])[];
  /** The names of the schemes in any of them. */
  readonly schemes: ReadonlySet<string>;
}

/** What an operation does in effect, whatever part of its document says so. */
export interface EffectiveOperation {
  readonly operation: OutlineOperation;
  readonly route: string;
  /** Where it is called, what says so at another address, and where links of its responses lead, in this order. */
  readonly addresses: readonly ServerAddress[];
  readonly security: EffectiveSecurity;
  /** The addresses that its callbacks call, each with the callback's name before it. */
  readonly callbacks: readonly string[];
}

/** What the calls of an outlined document do in effect. */
export interface EffectiveOutline {
  /** Those of operations that say nothing of their own. */
  readonly addresses: readonly ServerAddress[];
  readonly security: EffectiveSecurity;
  readonly operations: ReadonlyMap<string, EffectiveOperation>;
  /** The security schemes by name. */
  readonly schemes: ReadonlyMap<string, JsonObject>;
}

/** Gives what the calls of an outline do in effect. */
export function effectiveOf(outline: Outline): EffectiveOutline {
  const { servers, security, operations } = outline;
  const bases = typeof outline.$self === "string" ? addressesIn(outline.$self) : [];
  const placesOf = (servers: readonly Json[]) => withBases(addressesOf(servers), bases);
  // Without servers, OpenAPI says, there is one at `/`.
  const said = listOf(servers);
  const addresses = placesOf(said.length > 0 ? said : [{ url: "/" }]);
  const ofAll = securityOf(security?.requirements);
  const schemes = isObject(security?.schemes) ? Object.entries(security.schemes) : [];
  const effective = operations.map((operation): [string, EffectiveOperation] => {
    // An empty list says nothing, as most clients read it.
    const own = listOf(operation.servers);
    const { link_servers, link_operations } = operation;
    const links = [link_servers, link_operations].flatMap((each) =>
      isObject(each) ? Object.values(each) : [],
    );
    const elsewhere = typeof operation.$ref === "string" ? placesOf([operation.$ref]) : [];
    const others = [...elsewhere.filter(({ host }) => host !== ""), ...placesOf(links)];
    const called = own.length > 0 ? placesOf(own) : addresses;
    const route = routeOf(operation);
    return [
      route,
      {
        operation,
        route,
        addresses: others.length > 0 ? eachOnce([...called, ...others]) : called,
        security: operation.security === undefined ? ofAll : securityOf(operation.security),
        callbacks: callbacksOf(operation.callbacks),
      },
    ];
  });
  return {
    addresses,
    security: ofAll,
    operations: new Map(effective),
    schemes: new Map(schemes.map(([name, scheme]) => [name, isObject(scheme) ? scheme : {}])),
  };
}

// A relative address may be below where the document says that it is, or below where it is served.
function withBases(addresses: readonly ServerAddress[], bases: readonly ServerAddress[]): ServerAddress[] {
  const below = addresses.flatMap(({ host, text }) =>
    host === "" ? bases.flatMap((base) => addressesBelow(base, text)) : [],
  );
  return below.length > 0 ? eachOnce([...addresses, ...below]) : [...addresses];
}

// Its path would be gone through for each address, and may have any length.
function addressesBelow({ scheme, host }: ServerAddress, text: string): ServerAddress[] {
  const base = `${scheme === "" ? "https" : scheme}://${host}/`;
  return host === "" ? [] : addressesIn(URL.canParse(text, base) ? new URL(text, base).href : base);
}

function securityOf(requirements: Json | undefined): EffectiveSecurity {
  // What is no object names no scheme, so that some clients find nothing in it to ask for.
  const alternatives = listOf(requirements).map((each) => (isObject(each) ? each : {}));
  const demands = alternatives.map((schemes) =>
    Object.entries(schemes).flatMap(([name, scopes]) => demandsOf(name, scopes)),
  );
  return {
    demands: demands.length > 0 ? demands : [[]],
    schemes: new Set(alternatives.flatMap((schemes) => Object.keys(schemes))),
  };
}

function demandsOf(scheme: string, scopes: Json): string[] {
  const names = listOf(scopes).map((scope) => (typeof scope === "string" ? scope : JSON.stringify(scope)));
  const written = /[:"]/.test(scheme) ? JSON.stringify(scheme) : scheme;
  return [written, ...names.map((name) => `${written}:${name}`)];
}

function callbacksOf(callbacks: Json | undefined): string[] {
  if (callbacks === undefined) return [];
  if (!isObject(callbacks)) return [JSON.stringify(callbacks)];
  return Object.entries(callbacks).flatMap(([name, addresses]) => {
    if (!isObject(addresses)) return [`${pathSegment(name)}: ${JSON.stringify(addresses)}`];
    return Object.entries(addresses).map(([address, called]) => {
      const servers = addressesOf(isObject(called) ? listOf(called.servers) : []).map(({ text }) => text);
      const at = servers.length > 0 ? ` at ${servers.join(", ")}` : "";
      return `${pathSegment(name)}: ${address}${at}`;
    });
  });
}
