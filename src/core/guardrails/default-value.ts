import { countEach, groupBy } from "../../json/groups.js";
import { canonical, equal, isObject, type Json, type JsonObject, member } from "../../json/json.js";
import { pathSegment } from "../../json/path.js";
import { eachText, environmentNames } from "../expression/reference.js";
import { isOfKind, kindOfAddress } from "../kind/kinds.js";
import { operationPath } from "./moved-calls.js";
import { turnOf, type SecretsTurn, type SentSecret } from "./note-parts.js";
import type { RemarkOf, Subject } from "./rule.js";
import { isExpression, parseText } from "../expression/expression.js";

const headers = "default_headers";
const endpoints = "endpoint_defaults";

/** The sections with the defaults of a tool set (docs/reference/interface.md, 2.2), and the noun for one of each. */
export const defaultNouns: Readonly<Record<string, string>> = {
  [headers]: "default header",
  default_query_params: "default query parameter",
  default_body_params: "default body parameter",
  [endpoints]: "endpoint default",
};

/** Finds default headers with a secret that changed in more than the revision of a variable. */
export function secretHeadersChanged(subject: Subject): RemarkOf<"secret-header-changed">[] {
  return pairsOf(subject, (field) => field === headers).flatMap(({ path, name, was, is }) => {
    if (!holdsSecret(was) && !holdsSecret(is)) return [];
    if (isSameValue(was, is)) return [];
    return [{ path, parts: { header: name, secrets: secretsTurn(was, is) } }];
  });
}

/** Finds secrets new outside of headers, where agents may tell them; of a new credential, only misplaced ones. */
export function secretsChanged(subject: Subject): RemarkOf<"secret-changed">[] {
  const { address, after, isOwnSecret, goesElsewhere } = subject;
  const holdsAny = isNew(subject) && kindOfAddress(address).holdsSecrets;
  return pairsOf(subject, (field) => holdsAny || field !== headers).flatMap(({ field, path, was, is }) => {
    const own = is?.variables.filter(isOwnSecret) ?? [];
    const going = groupBy(holdsAny ? (is?.variables ?? []) : [], (variable) =>
      goesElsewhere(address, after.body, field, variable),
    );
    const [elsewhere, nearby] = [going.get("applied"), going.get("nearby")];
    if (hasSameSecrets(was, is) || (holdsAny && own.length === 0 && !elsewhere && !nearby)) return [];
    const why = {
      ...(own.length > 0 && { own }),
      ...(elsewhere && { elsewhere }),
      ...(nearby && { nearby }),
    };
    return [{ path, parts: { field: path, secrets: secretsTurn(was, is), ...why } }];
  });
}

function isNew({ before: { body } }: Subject): boolean {
  return Object.keys(body).length === 0;
}

/** Gives whether a change of a field is judged by what follows alone: it may say where a key is sent, or what guards an agent. */
export function othersOf({ address }: Subject): (field: string) => boolean {
  const known = kindOfAddress(address).judged;
  return (field) => !known.includes(field);
}

/** Finds defaults of a tool set and other settings that changed, apart from those that the rules for secrets find. */
export function defaultsChanged(subject: Subject): RemarkOf<"default-changed">[] {
  return [...endpointsTurned(subject), ...valuesChanged(subject)];
}

// An operation that takes the name of another one takes what is sent with that one, and its secrets.
function endpointsTurned({ address, before, after, changed }: Subject): RemarkOf<"default-changed">[] {
  const [was, is] = [member(before.body, endpoints), member(after.body, endpoints)];
  if (!changed.has("openapi_schema") || !isObject(was) || !isObject(is)) return [];
  const [old, fresh] = [before.operations(address), after.operations(address)];
  return Object.entries(is).flatMap(([name, value]): RemarkOf<"default-changed">[] => {
    const route = fresh.routeOf(name);
    const [then, now] = [old.all.get(old.routeOf(name))?.named, fresh.all.get(route)?.named];
    if (!Object.hasOwn(was, name) || !now || then?.route === route) return [];
    const path = `openapi_schema.${operationPath(route, old.all.has(route) ? "operationId" : undefined)}`;
    const secrets = sentOf(leavesOf({ [endpoints]: { [name]: value } }, [endpoints]));
    const calls = { ...(then && { before: then }), after: now };
    return [{ path, parts: { section: endpoints, name: pathSegment(name), calls, secrets } }];
  });
}

function valuesChanged(subject: Subject): RemarkOf<"default-changed">[] {
  return pairsOf(subject, othersOf(subject)).flatMap(
    ({ field: section, path, name, was, is }): RemarkOf<"default-changed">[] => {
      if (isSameValue(was, is)) return [];
      if (!holdsSecret(was) && !holdsSecret(is)) {
        if (isOfKind(subject.address, "agent")) return [];
        return [{ path, parts: { section, name, ...turnOf(was?.value, is?.value) } }];
      }
      const isOther = section === headers || !hasSameSecrets(was, is);
      return isOther ? [] : [{ path, parts: { section, name, secrets: secretsTurn(was, is) } }];
    },
  );
}

/** A single value in a field of a body. */
export interface Leaf {
  readonly field: string;
  readonly path: string;
  readonly name: string;
  readonly value: Json;
  readonly variables: readonly string[];
}

/** What the two sides have in one place; either may lack it. */
export interface DefaultPair extends Pick<Leaf, "field" | "path" | "name"> {
  readonly was: Leaf | undefined;
  readonly is: Leaf | undefined;
}

/** Pairs the single values of the wanted fields that differ. */
export function pairsOf(
  { before, after, changed }: Subject,
  isWanted: (field: string) => boolean,
): DefaultPair[] {
  const fields = [...changed].filter(isWanted);
  if (fields.length === 0) return [];
  const sides = [before, after].map(({ body }) => leavesOf(body, fields));
  // HTTP compares the names of headers without regard to case.
  const nameOf = ({ field, path }: Leaf) => (field === headers ? path.toLowerCase() : path);
  const several = new Set(
    sides.flatMap((leaves) =>
      [...countEach(leaves.map(nameOf))].flatMap(([name, count]) => (count > 1 ? [name] : [])),
    ),
  );
  // Of those that one side has in several spellings, each is compared with its own.
  const keyOf = (leaf: Leaf) => (several.has(nameOf(leaf)) ? leaf.path : nameOf(leaf));
  const [left = new Map<string, Leaf>(), right = new Map<string, Leaf>()] = sides.map(
    (leaves) => new Map(leaves.map((leaf) => [keyOf(leaf), leaf])),
  );
  return [...new Set([...right.keys(), ...left.keys()])].flatMap((key) => {
    const [was, is] = [left.get(key), right.get(key)];
    const known = is ?? was;
    return known ? [{ field: known.field, path: known.path, name: known.name, was, is }] : [];
  });
}

function leavesOf(body: JsonObject, fields: readonly string[]): Leaf[] {
  const leaves: Leaf[] = [];
  for (const field of fields) {
    const start = pathSegment(field);
    const visit = (value: Json, path: string): void => {
      // An empty section holds nothing; an empty object inside one is a value.
      if (isObject(value) && (path === start || Object.keys(value).length > 0)) {
        for (const key of Object.keys(value)) visit(value[key] as Json, `${path}.${pathSegment(key)}`);
        return;
      }
      const name = path === start ? field : path.slice(start.length + 1);
      leaves.push(leafOf(value, { field, path, name }));
    };
    const value = member(body, field);
    if (value !== undefined) visit(value, start);
  }
  return leaves;
}

/** Gives a value as that of a place. */
export function leafOf(value: Json, place: Pick<Leaf, "field" | "path" | "name">): Leaf {
  return { value, variables: secretsIn(value), ...place };
}

/** Whether two values are the same, or differ only in the revisions of variables. */
export function isSameValue(was: Leaf | undefined, is: Leaf | undefined): boolean {
  if (!was || !is) return was === is;
  // As JSON: `false` is not the text `"false"`.
  const [before, after] = [was, is].map(({ value }) => withoutRevisions(canonical(value)));
  return before === after;
}

/** Gives the values with secrets that the defaults of a tool set add to its calls, section by section, and those in its OpenAPI document. */
export function secretsSent(body: JsonObject): SentSecret[] {
  const inDocument = secretsIn(body.openapi_schema ?? null);
  const document = { path: "openapi_schema", variables: inDocument };
  return sentOf([...leavesOf(body, Object.keys(defaultNouns)), document]);
}

function sentOf(leaves: readonly Pick<Leaf, "path" | "variables">[]): SentSecret[] {
  return leaves.flatMap(({ path, variables }) =>
    variables.length > 0 ? [{ field: path, variables: [...variables] }] : [],
  );
}

/** Whether a value holds a secret variable. */
export function holdsSecret(leaf: Leaf | undefined): boolean {
  return leaf !== undefined && leaf.variables.length > 0;
}

function hasSameSecrets(was: Leaf | undefined, is: Leaf | undefined): boolean {
  return equal([...(was?.variables ?? [])], [...(is?.variables ?? [])]);
}

function secretsTurn(was: Leaf | undefined, is: Leaf | undefined): SecretsTurn {
  return { ...(was && { before: [...was.variables] }), ...(is && { after: [...is.variables] }) };
}

/** Gives a text in a form that is the same for all revisions of the variables in it. */
export function withoutRevisions(text: string): string {
  // The sign keeps it apart from the JSON of parts.
  if (!text.includes("${")) return `=${text}`;
  const parts = parseText(text).map((part) => {
    if (!isExpression(part) || part.scheme !== "env") return typeof part === "string" ? part : part.source;
    return { variable: part.locator.split("@", 1)[0] ?? "" };
  });
  return JSON.stringify(parts);
}

/** Gives the names of the secret variables in a symbolic value, sorted. */
export function secretsIn(value: Json): string[] {
  const names = new Set<string>();
  eachText(value, (text) => environmentNames(text).forEach((name) => names.add(name)));
  return [...names].toSorted();
}
