import { equal, filterMembers, isObject, type Json, type JsonObject, member } from "../../json/json.js";
import { pointerKeys, pointerOf } from "../../json/json-pointer.js";
import { mapTexts } from "../../json/texts.js";
import { escapeLiteral, isExpression, parseText } from "../expression/expression.js";
import { lasting } from "../kind/body.js";
import { addedSince, changedSince, isTime } from "../observation/baseline.js";
import type { FoundResource } from "../observation/found-objects.js";
import { specOf } from "../observation/observed-body.js";
import { literal, type Sighting } from "../observation/sighting.js";
import { topField } from "../plan/difference.js";
import { changesOf } from "../plan/undoing.js";
import { knownField } from "../schema/known-field.js";
import type { Resource } from "../resources/resource.js";
import type { ThreeForms } from "./three-ways.js";

/** The forms of a resource that is compared with what was found of it, and the parts that are left out of them. */
export interface FoundForms extends ThreeForms<JsonObject> {
  /** The JSON pointers of what documents do not send, and is compared as if they did. */
  readonly taken: readonly string[];
  /** The fields in which an OpenAPI document differs. */
  readonly outlined: readonly string[];
  /** Of a tool set, the fields in which only some of its tools differ. */
  readonly partly: readonly string[];
  /** What no document sends and is not written either, by JSON pointer, with the reason. */
  readonly foreign: ReadonlyMap<string, "own" | "openapi" | "partly">;
}

/** Gives what a resource was last sent, what was found of it, and what its document says, as far as they are compared. */
export function formsOf(found: FoundResource, resource: Resource): FoundForms {
  const { entry, kind, partly } = found;
  const sent = lasting(entry.body, kind);
  const outlined = new Set(
    changesOf(found)
      .map(topField)
      .filter((field) => kind.outlined.includes(field)),
  );
  const isCompared = (field: string) => !kind.outlined.includes(field) && !partly.has(field);
  const compared = (body: JsonObject) => filterMembers(body, isCompared);
  const own = ownValues(found);
  const isTaken = (each: OwnValue): each is OwnValue & { readonly value: Json } => {
    const [top = ""] = each.keys;
    return each.value !== undefined && isCompared(top) && isField(found, top);
  };
  const taken = own.filter(isTaken);
  const pointers = new Set(taken.map(({ pointer }) => pointer));
  const added = filterMembers(found.added, (field) => pointers.has(pointerOf([field])));
  const seen = taken.reduce<JsonObject>(
    (body, each) => withOwn(body, found.sightings[0]?.moved, each),
    compared({ ...found.body, ...added }),
  );
  return {
    sent: compared(sent),
    found: normalForm(seen) as JsonObject,
    desired: compared(lasting(resource.body, kind)),
    taken: [...pointers],
    outlined: [...outlined],
    partly: [...partly.keys()],
    foreign: new Map(
      own.flatMap((each) => (isTaken(each) ? [] : [[each.pointer, whyForeign(found, each)] as const])),
    ),
  };
}

interface OwnValue {
  readonly pointer: string;
  readonly keys: readonly string[];
  /** Missing if it is gone, or not the same in all tools of a set. */
  readonly value: Json | undefined;
}

// What somebody set that no document sends: told from what the service sets only where an apply has read it before.
function ownValues({ entry, naming, sightings }: FoundResource): OwnValue[] {
  const { baseline } = entry;
  if (!baseline) return [];
  const valuesOf = (pointer: string) => sightings.map(({ own }) => own.get(pointer));
  const changed = changedSince(entry, sightings).filter((each) => !valuesOf(each).some(isTime));
  return [...addedSince(baseline, sightings), ...changed].map((pointer) => {
    const [value, ...others] = valuesOf(pointer);
    const isOne = value !== undefined && !isTime(value) && others.every((other) => equal(other, value));
    const keys = pointerKeys(pointer);
    return { pointer, keys, value: isOne ? naming.name(literal(value), keys) : undefined };
  });
}

function whyForeign(found: FoundResource, { keys: [top = ""] }: OwnValue): "own" | "openapi" | "partly" {
  if (found.kind.outlined.includes(top)) return "openapi";
  return found.sightings.length > 1 && isField(found, top) ? "partly" : "own";
}

function isField({ kind }: FoundResource, top: string): boolean {
  const known = knownField(specOf(kind), top);
  return known !== undefined && known.readOnly !== true;
}

// The indexes are those of what was sent; where items came or went, they may be others in what was found.
function withOwn(
  body: JsonObject,
  moved: Sighting["moved"] | undefined,
  { keys, value }: { readonly keys: readonly string[]; readonly value: Json },
): JsonObject {
  const put = (at: Json | undefined, depth: number): Json | undefined => {
    const key = keys[depth];
    if (key === undefined) return at ?? value;
    if (Array.isArray(at)) {
      const index = moved?.get(pointerOf(keys.slice(0, depth + 1))) ?? Number(key);
      const item = put(at[index], depth + 1);
      return item === undefined || at[index] === undefined ? at : at.with(index, item);
    }
    if (!isObject(at)) return at;
    const known = member(at, key);
    if (known === undefined && depth + 1 < keys.length) return at;
    return { ...at, [key]: put(known, depth + 1) ?? null };
  };
  return (put(body, 0) ?? body) as JsonObject;
}

/** Writes the texts of a symbolic value as they are after loading: every `${` that is none of an expression is escaped. */
function normalForm(value: Json): Json {
  return mapTexts(value, (text) =>
    text.includes("${")
      ? parseText(text)
          .map((part) =>
            typeof part === "string"
              ? escapeLiteral(part)
              : isExpression(part)
                ? part.source
                : escapeLiteral(part.source),
          )
          .join("")
      : text,
  );
}
