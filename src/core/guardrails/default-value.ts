import { canonical, equal, isObject, type Json, type JsonObject } from "../../json/json.js";
import { pathSegment } from "../../json/path.js";
import { eachText } from "../expression/reference.js";
import { isOfKind } from "../kind/kinds.js";
import { turnOf, type SecretsTurn } from "./note-parts.js";
import { defaultNouns } from "./secrets-sent.js";
import type { RemarkOf, Side, Subject } from "./rule.js";
import { isExpression, parseText } from "../expression/expression.js";

const headers = "default_headers";

/** Finds default headers with a secret that changed in more than the revision of a variable. */
export function secretHeadersChanged(subject: Subject): RemarkOf<"secret-header-changed">[] {
  return pairsOf(subject, (field) => field === headers).flatMap(({ path, name, was, is }) => {
    if (!holdsSecret(was) && !holdsSecret(is)) return [];
    if (was?.key === is?.key) return [];
    return [{ path, parts: { header: name, secrets: secretsTurn(was, is) } }];
  });
}

/**
 * Finds values outside of the headers that hold other secret variables than before, and those of a new agent or policy
 * that hold any: what agents are told, they tell.
 */
export function secretsChanged(subject: Subject): RemarkOf<"secret-changed">[] {
  // A new one of these is there to hold secrets.
  if (isNew(subject) && (isOfKind(subject.address, "credential") || isOfKind(subject.address, "toolset")))
    return [];
  return pairsOf(subject, (field) => field !== headers).flatMap(({ path, was, is }) => {
    if (hasSameSecrets(was, is)) return [];
    return [{ path, parts: { field: path, secrets: secretsTurn(was, is) } }];
  });
}

function isNew({ before: { body } }: Subject): boolean {
  return Object.keys(body).length === 0;
}

/** Finds defaults of a tool set that changed, apart from those that the rules for secrets find. */
export function defaultsChanged(subject: Subject): RemarkOf<"default-changed">[] {
  return pairsOf(subject, (field) => Object.hasOwn(defaultNouns, field)).flatMap(
    ({ field: section, path, name, was, is }): RemarkOf<"default-changed">[] => {
      if (was?.key === is?.key) return [];
      if (!holdsSecret(was) && !holdsSecret(is))
        return [{ path, parts: { section, name, ...turnOf(was?.value, is?.value) } }];
      const isOther = section === headers || !hasSameSecrets(was, is);
      return isOther ? [] : [{ path, parts: { section, name, secrets: secretsTurn(was, is) } }];
    },
  );
}

/** A single value in a field of a body. */
interface Leaf {
  readonly field: string;
  readonly path: string;
  readonly name: string;
  readonly value: Json;
  /** The same for two values that differ only in the revisions of variables. */
  readonly key: string;
  readonly variables: readonly string[];
}

interface DefaultPair extends Pick<Leaf, "field" | "path" | "name"> {
  readonly was: Leaf | undefined;
  readonly is: Leaf | undefined;
}

// Only those of fields that differ.
function pairsOf({ before, after, changed }: Subject, isWanted: (field: string) => boolean): DefaultPair[] {
  const fields = new Set([...changed].filter(isWanted));
  if (fields.size === 0) return [];
  const [left, right] = [leavesOf(before, fields), leavesOf(after, fields)];
  return [...new Set([...right.keys(), ...left.keys()])].flatMap((key) => {
    const [was, is] = [left.get(key), right.get(key)];
    const known = is ?? was;
    return known ? [{ field: known.field, path: known.path, name: known.name, was, is }] : [];
  });
}

function leavesOf({ body }: Side, fields: ReadonlySet<string>): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  for (const [field, value] of Object.entries(body)) {
    if (!fields.has(field)) continue;
    const start = pathSegment(field);
    const visit = (each: Json, path: string): void => {
      // An empty section holds nothing; an empty object inside one is a value.
      if (isObject(each) && (path === start || Object.keys(each).length > 0)) return visitMembers(each, path);
      const name = path === start ? field : path.slice(start.length + 1);
      // HTTP compares the names of headers without regard to case.
      const key = field === headers ? path.toLowerCase() : path;
      leaves.set(key, { field, path, name, value: each, ...readLeaf(each) });
    };
    const visitMembers = (object: JsonObject, path: string): void => {
      for (const [key, each] of Object.entries(object)) visit(each, `${path}.${pathSegment(key)}`);
    };
    visit(value, start);
  }
  return leaves;
}

function readLeaf(value: Json): Pick<Leaf, "key" | "variables"> {
  const variables = new Set<string>();
  eachText(value, (text) => {
    for (const variable of readSecrets(text).variables) variables.add(variable);
  });
  // As JSON: `false` is not the text `"false"`.
  return { key: readSecrets(canonical(value)).key, variables: [...variables].toSorted() };
}

function holdsSecret(leaf: Leaf | undefined): boolean {
  return leaf !== undefined && leaf.variables.length > 0;
}

function hasSameSecrets(was: Leaf | undefined, is: Leaf | undefined): boolean {
  return equal([...(was?.variables ?? [])], [...(is?.variables ?? [])]);
}

function secretsTurn(was: Leaf | undefined, is: Leaf | undefined): SecretsTurn {
  return { ...(was && { before: [...was.variables] }), ...(is && { after: [...is.variables] }) };
}

/** A text in which only the names of its secret variables matter, not their revisions. */
interface SecretText {
  /** The same for two texts that differ only in the revisions of variables. */
  readonly key: string;
  /** The names of the secret variables, sorted, without repeats. */
  readonly variables: readonly string[];
}

/** Reads the secret variables of a symbolic text. */
function readSecrets(text: string): SecretText {
  // The sign keeps it apart from the JSON of parts.
  if (!text.includes("${")) return { key: `=${text}`, variables: [] };
  const parts = parseText(text).map((part) => {
    if (!isExpression(part) || part.scheme !== "env") return typeof part === "string" ? part : part.source;
    return { variable: part.locator.split("@", 1)[0] ?? "" };
  });
  const variables = parts.flatMap((part) => (typeof part === "object" ? [part.variable] : []));
  return { key: JSON.stringify(parts), variables: [...new Set(variables)].toSorted() };
}

/** Gives the names of the secret variables in a body, sorted. */
export function secretsIn(body: JsonObject): string[] {
  return [...readLeaf(body).variables];
}
