import { lasting } from "../kind/body.js";
import type { Kind } from "../kind/kind.js";
import { comparing, evaluate, type ExpressionValue, type Lookup } from "../expression/resolution.js";
import { equal, isObject, type Json, type JsonObject } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { firstKey } from "../../json/json-pointer.js";
import { oncePer } from "../../json/once.js";
import { visitTexts } from "../../json/texts.js";
import type { LockEntry } from "../state/lock.js";
import { patternOf, specOf, withIdsAs, type SentTexts } from "./observed-body.js";
import { normal } from "./sameness.js";
import { isSecret, sightingOf, type Sighting, type Sight } from "./sighting.js";
import { withEssence } from "../openapi/openapi.js";
import { isOutline } from "../openapi/outline-shape.js";
import { routeOf } from "../openapi/openapi-operation.js";

type SentEntry = Pick<LockEntry, "body" | "references" | "attempted">;

/** Gives what an object was sent, also by an update of unknown outcome, as a service may answer it. */
export function sentTexts(entry: SentEntry): SentTexts {
  return { texts: () => textsOf(entry), secrets: () => secretPlacesOf(entry) };
}

const textsOf = oncePer((entry: SentEntry) => {
  const texts = new Set<string>();
  for (const each of [entry, ...(entry.attempted ?? [])]) {
    const sent = evaluate(each.body, comparing(sentLookup(each)));
    visitTexts(sent, [], (text) => texts.add(normal(text)));
  }
  return texts;
});

// Of an outline, what differs says where calls go, and is not taken for a secret.
const secretPlacesOf = oncePer((entry: SentEntry) => {
  const places = new Set<string>();
  for (const { body } of [entry, ...(entry.attempted ?? [])]) {
    const isLeftOut = (name: string, path: Path) => path.length === 0 && isOutline(body[name] ?? null);
    visitTexts(body, [], (text, path) => isSecret(text) && places.add(patternOf(path)), isLeftOut);
  }
  return places;
});

/** Gives what references stood for when a body was last sent. */
export function sentLookup({ references = {} }: Pick<LockEntry, "references">): Lookup {
  return ({ text }) => (Object.hasOwn(references, text) ? references[text] : undefined);
}

/** Compares what was last sent with what was observed; what an update of unknown outcome sent is no difference. */
export function sightingsOf(
  entry: Pick<LockEntry, "body" | "references" | "baseline" | "attempted">,
  kind: Kind,
  observed: readonly JsonObject[],
  {
    lookup = sentLookup(entry),
    hidden = entry.baseline ? new Set(entry.baseline.hidden) : "all",
    isPart = false,
  }: { readonly lookup?: Lookup; readonly hidden?: Sight["hidden"]; readonly isPart?: boolean } = {},
): readonly Sighting[] {
  const fields = specOf(kind);
  const look = (body: JsonObject, seen: JsonObject, lookingUp: Lookup): Sighting => {
    const meaning = comparing(lookingUp);
    const picked = withPickedOperations(body, withIdsAs(body, seen, kind), kind, meaning);
    return sightingOf(body, picked, { meaning, fields, hidden });
  };
  const sent = lasting(entry.body, kind);
  const attempts = (entry.attempted ?? []).map((each) => {
    const body = lasting(each.body, kind);
    const meaning = sentLookup(each);
    return { body, meaning, changed: changedFields(sent, comparing(lookup), body, comparing(meaning)) };
  });
  const all: readonly Sighting[] = observed.map((seen) => {
    let found = look(sent, seen, lookup);
    for (const { body, meaning, changed } of attempts) {
      found = withoutArrived(found, sent, look(body, seen, meaning), body, changed);
    }
    return found;
  });
  return kind.outlined.reduce((found, field) => withElsewhere(found, field, sent[field], isPart), all);
}

function withElsewhere(
  all: readonly Sighting[],
  field: string,
  sent: Json | undefined,
  isPart: boolean,
): readonly Sighting[] {
  if (!isOutline(sent)) return all;
  const routesOf = (value?: Json) => (isOutline(value) ? value.operations.map(routeOf) : []);
  const shown = new Set(isPart ? routesOf(sent) : all.flatMap(({ body }) => routesOf(body[field])));
  return all.map((found) => {
    const seen = found.body[field];
    if (!isOutline(seen)) return found;
    const here = new Map(seen.operations.map((each) => [routeOf(each), each]));
    if (here.size === shown.size) return found;
    const operations = sent.operations.flatMap(
      (each) => here.get(routeOf(each)) ?? (shown.has(routeOf(each)) ? each : []),
    );
    return { ...found, body: { ...found.body, [field]: { ...seen, operations } } };
  });
}

// What an attempt changed may be in the text of a field, or in what that stands for.
function changedFields(
  sent: JsonObject,
  meaning: ExpressionValue,
  attempt: JsonObject,
  attemptMeaning: ExpressionValue,
): string[] {
  return Object.keys({ ...sent, ...attempt }).filter((field) => {
    const [before = null, after = null] = [sent[field], attempt[field]];
    return !equal(evaluate(before, meaning), evaluate(after, attemptMeaning));
  });
}

/** Gives a sighting with what was sent in each field that has what an attempt sent instead, or took away. */
function withoutArrived(
  found: Sighting,
  sent: JsonObject,
  tried: Sighting,
  attempt: JsonObject,
  changed: readonly string[],
): Sighting {
  const ownIn = ({ own }: Sighting, field: string) =>
    [...own.keys()].filter((pointer) => firstKey(pointer) === field);
  const arrived = changed.filter((field) =>
    Object.hasOwn(attempt, field)
      ? equal(tried.body[field] ?? null, attempt[field] ?? null)
      : ownIn(tried, field).length === 0,
  );
  if (arrived.length === 0) return found;
  const own = new Map(found.own);
  for (const pointer of arrived.flatMap((field) => ownIn(found, field))) own.delete(pointer);
  const isArrived = new Set(arrived);
  const fields = Object.keys({ ...sent, ...found.body });
  const body = fields.flatMap((field): [string, Json][] => {
    const value = isArrived.has(field) ? sent[field] : found.body[field];
    return value === undefined ? [] : [[field, value]];
  });
  return { ...found, body: Object.fromEntries(body), own };
}

/** Gives what was seen without operations that only the service's document has: the sent ones are the set. */
function withPickedOperations(
  sent: JsonObject,
  seen: JsonObject,
  { outlined }: Kind,
  meaning: ExpressionValue,
): JsonObject {
  const picked = outlined.flatMap((field): [string, Json][] => {
    const [ours, theirs] = [evaluate(sent[field] ?? null, meaning), seen[field]];
    if (!isObject(theirs) || !isOutline(ours) || !isOutline(theirs)) return [];
    const routes = new Set(ours.operations.map(routeOf));
    const operations = theirs.operations.filter((operation) => routes.has(routeOf(operation)));
    return [[field, withEssence({ ...theirs, operations }, ours)]];
  });
  return picked.length === 0 ? seen : { ...seen, ...Object.fromEntries(picked) };
}

/** Gives the fields of what was sent that the service has in another way. */
export function differentFields(sent: JsonObject, sightings: readonly Sighting[]): string[] {
  return Object.keys(sent).filter((field) =>
    sightings.some(({ body }) => !equal(body[field] ?? null, sent[field])),
  );
}
