import { canonical, type Json } from "./json.js";

/** How a value is written. */
interface Form {
  readonly keysOf: (value: object) => readonly string[];
  /** What each further line of a value begins with, inside of collections to some depth; empty for a single line. */
  readonly lineAt: (depth: number) => string;
  readonly colon: string;
  readonly render: (value: Json, depth: number) => string;
}

const indented: Form = {
  keysOf: Object.keys,
  lineAt: (depth) => `\n${"  ".repeat(depth)}`,
  colon: ": ",
  // A string in JSON has no line end.
  render: (value, depth) => JSON.stringify(value, null, 2).replaceAll("\n", indented.lineAt(depth)),
};

const sorted: Form = {
  keysOf: (value) => Object.keys(value).toSorted(),
  lineAt: () => "",
  colon: ":",
  render: canonical,
};

/** Renders a value as indented JSON in pieces, none of which is longer than an entry of a member. */
export function jsonPieces(value: object): Generator<string> {
  return piecesOf(value as Json, 0, indented);
}

/** Renders a value as `canonical` does, in pieces, none of which is longer than an entry of a member. */
export function canonicalPieces(value: object): Generator<string> {
  return piecesOf(value as Json, 0, sorted);
}

function* piecesOf(value: Json, depth: number, form: Form): Generator<string> {
  if (depth === 2 || typeof value !== "object" || value === null) return yield form.render(value, depth);
  const isList = Array.isArray(value);
  const [begin, end] = isList ? ["[", "]"] : ["{", "}"];
  let before = begin;
  for (const key of isList ? value.keys() : form.keysOf(value)) {
    const member = (value as Record<string | number, Json | undefined>)[key];
    if (member === undefined) continue;
    yield `${before}${form.lineAt(depth + 1)}${isList ? "" : `${JSON.stringify(key)}${form.colon}`}`;
    yield* piecesOf(member, depth + 1, form);
    before = ",";
  }
  yield before === begin ? begin + end : `${form.lineAt(depth)}${end}`;
}
