import { countEach, groupBy } from "../../json/groups.js";
import { equal, isObject, type Json, type JsonObject } from "../../json/json.js";
import { pathSegment } from "../../json/path.js";
import type { EffectiveOutline, EffectiveSecurity } from "../openapi/effective.js";
import { callsOf, named, turnsOf } from "./moved-calls.js";
import type { PlaceOfKey } from "./note-parts.js";
import type { RemarkOf, Subject } from "./rule.js";

const schemesPath = "openapi_schema.security.schemes";

/** Finds security requirements that allow calls with less than each of the alternatives required before. */
export function securityDropped(subject: Subject): RemarkOf<"security-dropped">[] {
  return securityTurns(subject).flatMap(({ before, after, path, operations }) => {
    if (!isWeaker(before, after)) return [];
    const places = placesOf(callsOf(subject.after).schemes, after.schemes);
    return [
      {
        path,
        parts: {
          before: before.demands.map((each) => [...each]),
          after: after.demands.map((each) => [...each]),
          ...(places && { places }),
          ...(operations && { operations }),
        },
      },
    ];
  });
}

/** Finds keys that go to another place of a call, such as from a header into the query. */
export function keysMoved(subject: Subject): RemarkOf<"key-moved">[] {
  const [was, is] = [callsOf(subject.before), callsOf(subject.after)];
  const users = groupBy(
    [...is.operations.values()].flatMap((operation) => {
      const before = was.operations.get(operation.route)?.security.schemes;
      return [...operation.security.schemes].flatMap((scheme) =>
        before?.has(scheme) ? [{ scheme, operation }] : [],
      );
    }),
    ({ scheme }) => scheme,
  );
  return [...new Set([...is.schemes.keys(), ...was.schemes.keys()])].flatMap((scheme) => {
    const [before, after] = [placeOf(was.schemes.get(scheme)), placeOf(is.schemes.get(scheme))];
    if (equal(before, after)) return [];
    const using = (users.get(scheme) ?? []).map(({ operation }) => operation);
    const isOfDocument = is.security.schemes.has(scheme) && was.security.schemes.has(scheme);
    // What is new or gone matters to those that demanded it all along; a place of its own, to whoever will.
    if (using.length === 0 && !isOfDocument && (before === undefined || after === undefined)) return [];
    const isAll = using.length === is.operations.size;
    const parts = { scheme, ...(before && { before }), ...(after && { after }) };
    return [
      {
        path: `${schemesPath}.${pathSegment(scheme)}`,
        parts: { ...parts, ...(!isAll && { operations: named(subject, using) }) },
      },
    ];
  });
}

/** Finds other addresses at which tokens are asked for, to which credentials are sent. */
export function tokenAddressesChanged(subject: Subject): RemarkOf<"token-address-changed">[] {
  const was = tokenAddressesIn(callsOf(subject.before));
  const known = new Set(was.values());
  const turns = [...tokenAddressesIn(callsOf(subject.after))].flatMap(([field, after]) => {
    const before = was.get(field);
    const isSame = before === after || (before === undefined && known.has(after));
    return isSame ? [] : [{ field, turn: { ...(before !== undefined && { before }), after } }];
  });
  return [...groupBy(turns, ({ turn }) => JSON.stringify(turn)).values()].map((all) => {
    const [{ field, turn }] = all;
    return { path: `${schemesPath}.${field}`, parts: { fields: all.map((each) => each.field), ...turn } };
  });
}

/** Gives the addresses of tokens by the path of each below the schemes. */
export function tokenAddressesIn({ schemes }: EffectiveOutline): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (value: Json, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      const at = `${path}.${pathSegment(key)}`;
      if (typeof member !== "string") visit(member, at);
      // Extensions have other names for them.
      else if (/url$/i.test(key) || /^\s*(?:https?:)?[/\\]{2}\S+\s*$/i.test(member)) found.set(at, member);
    }
  };
  for (const [name, scheme] of schemes) visit(scheme, pathSegment(name));
  return found;
}

function securityTurns(subject: Subject) {
  return turnsOf<EffectiveSecurity>(subject, {
    ofDocument: ({ security }) => security,
    of: ({ security }) => security,
    keyOf: ({ demands }) => demands.map((each) => [...each]),
    documentPath: "security.requirements",
    memberOf: ({ operation: was }, { operation: is }) =>
      equal(was.security, is.security) ? undefined : "security",
  });
}

function isWeaker({ demands: was }: EffectiveSecurity, { demands: is }: EffectiveSecurity): boolean {
  const counts = countEach(was.flat());
  const countOf = (demand: string) => counts.get(demand) ?? 0;
  // Each is looked for by its rarest demand alone, for there may be thousands on both sides.
  const byRarest = groupBy(was, (then) => then.toSorted((one, other) => countOf(one) - countOf(other))[0]);
  if (byRarest.has(undefined)) return false;
  return is.some((now) => {
    const demanded = new Set(now);
    const isKept = (then: readonly string[]) => then.every((demand) => demanded.has(demand));
    return !now.some((demand) => byRarest.get(demand)?.some(isKept));
  });
}

function placesOf(
  schemes: ReadonlyMap<string, JsonObject>,
  names: ReadonlySet<string>,
): Record<string, PlaceOfKey> | undefined {
  const places = [...names].flatMap((name) => {
    const place = placeOf(schemes.get(name));
    return place ? [[name, place] as const] : [];
  });
  return places.length > 0 ? Object.fromEntries(places) : undefined;
}

// What else a scheme says, such as its description, moves no key.
function placeOf(scheme: JsonObject | undefined): PlaceOfKey | undefined {
  if (scheme === undefined) return undefined;
  const members = (["type", "in", "name", "scheme"] as const).flatMap((key) => {
    const value = scheme[key];
    return typeof value === "string" ? [[key, value] as const] : [];
  });
  // Which way a token is asked for says whether passwords go there; Swagger 2.0 has one of them.
  const flows = isObject(scheme.flows) ? Object.keys(scheme.flows).toSorted() : [scheme.flow];
  const known = flows.filter((flow) => typeof flow === "string" && !flow.startsWith("x-"));
  return { ...Object.fromEntries(members), ...(known.length > 0 && { flow: known.join(", ") }) };
}
