import { describe, expect, it, test } from "vitest";
import { equal, isObject, type Json, type JsonObject } from "../../../src/json/json.js";
import { comparing } from "../../../src/core/expression/resolution.js";
import { sightingOf, type Sighting } from "../../../src/core/observation/sighting.js";
import { examples, fc } from "../../harness/property.js";

const ids: Record<string, string | string[]> = {
  "policy:strict": "p-1",
  "toolset:desk": ["t-1", "t-2"],
};

function sight(
  sent: JsonObject,
  seen: JsonObject,
  hidden: ReadonlySet<string> | "all" = new Set(),
): Sighting {
  const meaning = comparing(({ text }) => ids[text]);
  return sightingOf(sent, seen, { meaning, fields: {}, hidden });
}

describe("what a service may make of a body is no difference", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["keys in another order, and more of them", { a: 1, b: 2 }, { b: 2, version: 3, a: 1 }],
    ["items in another order", { a: ["x", "y"] }, { a: ["y", "x"] }],
    ["rounded numbers", { a: 0.123456789 }, { a: 0.1234568 }],
    ["white space at the ends, and other line ends", { a: " x\r\ny\n" }, { a: "x\ny" }],
    ["nothing for an empty value", { a: "", b: [], c: false, d: null }, {}],
    ["a mask", { a: "secret" }, { a: "****" }],
    [
      "a mask of a number or a switch",
      { api_key: { minLength: 8, nullable: false }, pins: [1, 2] },
      { api_key: { minLength: "***", nullable: "***" }, pins: ["***", 1] },
    ],
    ["anything for a secret", { a: "Bearer ${env:KEY}", b: ["${env:KEY}"] }, { a: "x", b: ["y"] }],
    [
      "IDs for references",
      { a: "${policy:strict}", b: ["${toolset:desk}"] },
      { a: "p-1", b: ["t-2", "t-1"] },
    ],
    [
      "items with more members than were sent, of which one has all of another",
      { a: [{ x: 1 }, { x: 1, y: 2 }] },
      {
        a: [
          { x: 1, y: 2, id: 7 },
          { x: 1, id: 8 },
        ],
      },
    ],
    [
      "anything for a secret of an item",
      {
        a: [
          { x: 1, key: "${env:KEY}" },
          { x: 2, key: "${env:KEY}" },
        ],
      },
      {
        a: [
          { x: 2, key: "***" },
          { x: 1, key: "other" },
        ],
      },
    ],
    [
      "lists in a list, with what is not shown, IDs and texts with `${`",
      { a: [[{ x: 1, key: "${env:KEY}" }, "y"], ["${policy:strict}"], ["$${env:HOME}"], [["z"]]] },
      { a: [["p-1"], [["z"]], ["${env:HOME}"], [{ key: "***", x: 1 }, "y"]] },
    ],
    ["a masked item before one that is shown", { a: ["x", "y"] }, { a: ["***", "x"] }],
  ])("%s", (_what, sent, seen) => {
    const { body, missing } = sight(sent, seen);
    expect(body).toEqual(sent);
    expect(missing).toEqual([]);
  });

  it("remembers apart what the service has beyond", () => {
    const { own } = sight({ a: [{ x: 1 }] }, { a: [{ x: 1, y: 2 }], b: { c: 3 }, d: "" });
    expect(Object.fromEntries(own)).toEqual({ "/a/0/y": 2, "/b": { c: 3 } });
  });
});

describe("what somebody changed is in the body", () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ["a value", { a: 1, b: "x" }, { a: 2, b: "x" }, { a: 2, b: "x" }],
    ["an item more", { a: ["x"] }, { a: ["z", "x"] }, { a: ["x", "z"] }],
    ["an item less", { a: ["x", "y"] }, { a: ["y"] }, { a: ["y"] }],
    [
      "an expression, which is a text in an answer",
      { a: "${policy:strict}" },
      { a: "${policy:strict}" },
      { a: "$${policy:strict}" },
    ],
    ["another ID", { a: "${policy:strict}" }, { a: "p-2" }, { a: "p-2" }],
    ["one tool of a set less", { a: ["${toolset:desk}", "x"] }, { a: ["x", "t-2"] }, { a: ["t-2", "x"] }],
    [
      "a member of a named item",
      {
        a: [
          { name: "n", x: 1 },
          { name: "m", x: 1 },
        ],
      },
      {
        a: [
          { name: "m", x: 2 },
          { name: "n", x: 1 },
        ],
      },
      {
        a: [
          { name: "n", x: 1 },
          { name: "m", x: 2 },
        ],
      },
    ],
    [
      "an operation less and one edited",
      {
        a: [
          { method: "GET", path: "/a", x: 1 },
          { method: "GET", path: "/b", x: 1 },
        ],
      },
      { a: [{ method: "GET", path: "/b", x: 2 }] },
      { a: [{ method: "GET", path: "/b", x: 2 }] },
    ],
  ])("%s", (_what, sent, seen, body) => {
    expect(sight(sent, seen).body).toEqual(body);
  });

  it("does not take what is not in the answer for a change if the service does not show it", () => {
    const sent = { a: 1, b: [{ c: 1, d: 2 }] };
    const seen = { b: [{ c: 1 }] };
    expect(sight(sent, seen).body).toEqual({ b: [{ c: 1 }] });
    expect(sight(sent, seen).missing).toEqual(["/a", "/b/*/d"]);
    expect(sight(sent, seen, new Set(["/a", "/b/*/d"])).body).toEqual(sent);
    expect(sight(sent, seen, "all").body).toEqual(sent);
  });
});

const names = ["a", "b", "name", "type", "note"];
const text = fc.constantFrom("Alpha", "beta\ngamma", "Café", "x", "y", "0", "${policy:strict}", "${env:KEY}");
const number = fc.double({ min: -1000, max: 1000, noNaN: true, noDefaultInfinity: true });
const solid: fc.Arbitrary<Json> = fc.oneof(
  text.filter((each) => each !== "${env:KEY}"),
  number,
  fc.integer({ min: 0, max: 5 }),
  fc.constant(true),
);
const leaf: fc.Arbitrary<Json> = fc.oneof(solid, fc.constant("${env:KEY}"), fc.constantFrom(false, null, ""));
const { value } = fc.letrec<{ value: Json; item: JsonObject }>((tie) => ({
  // Items that may lose or gain a member, or have a secret as their only one, cannot be told apart.
  item: fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof(solid, fc.array(solid, { minLength: 1, maxLength: 3 })),
    {
      minKeys: 1,
      maxKeys: 4,
    },
  ),
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(leaf, { maxLength: 4 }),
    fc.array(tie("item"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 4 }),
  ),
}));
const someBody = fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1, maxKeys: 5 });
const random = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }));

type Random = () => number;

/** Makes of a body what a service may make of it. */
function normalised(sent: Json, next: Random): Json {
  if (typeof sent === "string") {
    if (sent === "${policy:strict}") return "p-1";
    if (sent === "${env:KEY}") return next() < 0.5 ? "***" : "v4lue";
    return [sent, `${sent}\n`, `  ${sent}`, sent.replaceAll("\n", "\r\n"), sent.normalize("NFD")][
      Math.floor(next() * 5)
    ] as string;
  }
  if (typeof sent === "number") return next() < 0.5 ? sent : Number(sent.toPrecision(9));
  if (Array.isArray(sent)) return shuffled(sent, next).map((item) => normalised(item, next));
  if (!isObject(sent)) return sent;
  const members = Object.entries(sent)
    .filter(([, member]) => !(isNothing(member) && next() < 0.5))
    .map(([key, member]): [string, Json] => [key, normalised(member, next)]);
  return Object.fromEntries(shuffled([...members, ["added", next()] as [string, Json]], next));
}

function isNothing(member: Json): boolean {
  return (
    member === null ||
    member === "" ||
    member === false ||
    (typeof member === "object" && Object.keys(member).length === 0)
  );
}

function shuffled<Item>(items: readonly Item[], next: Random): Item[] {
  return items
    .map((item) => [next(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);
}

/** Gives a body with one edit, and the top field that it is in; undefined where there is nothing to edit. */
function edited(sent: JsonObject, next: Random): { body: JsonObject; field: string } | undefined {
  const places: { path: (string | number)[]; value: Json }[] = [];
  const visit = (at: Json, path: (string | number)[]) => {
    if (Array.isArray(at)) at.forEach((item, index) => visit(item, [...path, index]));
    else if (isObject(at)) for (const [key, member] of Object.entries(at)) visit(member, [...path, key]);
    if (path.length > 0 && !onlySecrets(at)) places.push({ path, value: at });
  };
  visit(sent, []);
  const chosen = places[Math.floor(next() * places.length)];
  if (!chosen) return undefined;
  const body = structuredClone(sent);
  const [field = ""] = chosen.path;
  let holder: Json = body;
  for (const step of chosen.path.slice(0, -1)) holder = (holder as JsonObject)[step] as Json;
  const last = chosen.path.at(-1) ?? "";
  const other = changedValue(chosen.value, next);
  if (other === undefined) {
    if (Array.isArray(holder)) holder.splice(Number(last), 1);
    else delete (holder as JsonObject)[last];
  } else (holder as JsonObject)[last] = other;
  return { body, field: String(field) };
}

// Without a value, the member or item is removed; what is empty can only be filled.
function changedValue(old: Json, next: Random): Json | undefined {
  const isRemoved = next() < 0.3 && !isNothing(old);
  if (isRemoved) return undefined;
  if (Array.isArray(old)) return [...old, "one more"];
  if (typeof old === "number") return old + 1;
  if (typeof old === "boolean") return !old;
  if (typeof old === "string") return `${old} edited`;
  return "another";
}

function onlySecrets(old: Json): boolean {
  if (typeof old === "string") return old === "${env:KEY}";
  return (
    typeof old === "object" &&
    old !== null &&
    Object.keys(old).length > 0 &&
    Object.values(old).every(onlySecrets)
  );
}

test("no normalisation of a service is a change", () => {
  fc.assert(
    fc.property(someBody, random, (sent, stream) => {
      const next: Random = () => stream.next().value;
      const { body, missing } = sight(sent, normalised(sent, next) as JsonObject);
      expect(body).toEqual(sent);
      expect(missing).toEqual([]);
    }),
    { numRuns: examples(2000) },
  );
});

test("any one edit is a change of its field, whatever else the service makes of the body", () => {
  fc.assert(
    fc.property(someBody, random, (sent, stream) => {
      const next: Random = () => stream.next().value;
      const edit = edited(sent, next);
      fc.pre(edit !== undefined);
      const { body } = sight(sent, normalised(edit.body, next) as JsonObject);
      const changed = [...new Set([...Object.keys(sent), ...Object.keys(body)])].filter(
        (key) => !equal(sent[key], body[key]),
      );
      expect(changed).toEqual([edit.field]);
    }),
    { numRuns: examples(2000) },
  );
});
