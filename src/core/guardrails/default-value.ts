import { canonical, equal, isObject, type Json, type JsonObject } from "../../json/json.js";
import { pathSegment } from "../../json/path.js";
import { eachText } from "../expression/reference.js";
import type { Remark, Side, Subject } from "./rule.js";
import { readSecrets } from "./secret.js";
import { few, quote, turn } from "./wording.js";

const headers = "default_headers";

/** The defaults of a tool set (docs/interface.md, 2.2), and the noun for one of each. */
const defaults: Readonly<Record<string, string>> = {
  [headers]: "default header",
  default_query_params: "default query parameter",
  default_body_params: "default body parameter",
  endpoint_defaults: "endpoint default",
};

/** Finds default headers with a secret that changed in more than the revision of a variable. */
export function secretHeadersChanged(subject: Subject): Remark[] {
  return pairsOf(subject, (field) => field === headers).flatMap(({ path, name, was, is }) => {
    if (!holdsSecret(was) && !holdsSecret(is)) return [];
    if (was?.key === is?.key) return [];
    return [{ path, message: `the header ${quote(name)} ${secretTurn(was, is)}` }];
  });
}

/** Finds values outside of the headers that hold other secret variables than before. */
export function secretsChanged(subject: Subject): Remark[] {
  return pairsOf(subject, (field) => field !== headers).flatMap(({ path, was, is }) => {
    if (equal([...(was?.variables ?? [])], [...(is?.variables ?? [])])) return [];
    return [{ path, message: `${quote(path)} ${secretTurn(was, is)}` }];
  });
}

/** Finds defaults of a tool set that changed, apart from those that the rules for secrets find. */
export function defaultsChanged(subject: Subject): Remark[] {
  return pairsOf(subject, (field) => Object.hasOwn(defaults, field)).flatMap((pair): Remark[] => {
    const { field, path, name, was, is } = pair;
    if (was?.key === is?.key) return [];
    const noun = `the ${defaults[field] ?? ""} ${quote(name)}`;
    if (!holdsSecret(was) && !holdsSecret(is)) {
      return [{ path, message: `${noun} ${turn(was?.value, is?.value)}` }];
    }
    const isOther = field === headers || !equal([...(was?.variables ?? [])], [...(is?.variables ?? [])]);
    return isOther ? [] : [{ path, message: `${noun} ${secretTurn(was, is)}` }];
  });
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

interface Pair extends Pick<Leaf, "field" | "path" | "name"> {
  readonly was: Leaf | undefined;
  readonly is: Leaf | undefined;
}

// Only those of fields that differ.
function pairsOf({ before, after, changed }: Subject, isWanted: (field: string) => boolean): Pair[] {
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
  if (typeof value === "string") return readSecrets(value);
  const variables = new Set<string>();
  eachText(value, (text) => {
    for (const variable of readSecrets(text).variables) variables.add(variable);
  });
  return { key: readSecrets(canonical(value)).key, variables: [...variables].toSorted() };
}

function holdsSecret(leaf: Leaf | undefined): boolean {
  return leaf !== undefined && leaf.variables.length > 0;
}

// Never a part of the value, for a secret may stand beside its variable.
function secretTurn(was: Leaf | undefined, is: Leaf | undefined): string {
  const [held, holds] = [secretsIn(was), secretsIn(is)];
  if (!was) return `is new, and holds ${holds}`;
  if (!is) return `is gone, and held ${held}`;
  if (held === holds) return `holds ${holds} as before, and changes in its other parts`;
  return `now holds ${holds}, and held ${held}`;
}

function secretsIn(leaf: Leaf | undefined): string {
  const names = leaf?.variables ?? [];
  if (names.length === 0) return "no secret";
  return `the ${names.length > 1 ? "secrets" : "secret"} ${few(names.map(quote))}`;
}
