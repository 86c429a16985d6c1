import { isObject, type Json, type JsonObject } from "../json/json.js";
import { mergePatch } from "../json/merge-patch.js";
import { anyObject, type Check, type BodyProblem, record, text } from "./check.js";
import {
  type EmulatedAnswer,
  done,
  type Noun,
  type Objects,
  refuseBody,
  type EmulatedService,
  unknownId,
} from "./kind.js";
import { kinds } from "./kinds.js";

/** What somebody does in the service's console: a merge patch, a delete, or a create; for a tool, of its tool set. */
export type ConsoleEdit =
  | { kind: Noun; id: string; changes: JsonObject }
  | { kind: Noun; id: string; delete: true }
  | { kind: Noun; create: JsonObject };

/** An edit that was refused; the message says why. */
export class EditError extends Error {}

const objects = new Map(
  Object.values(kinds).map(({ objects: some }): [string, Objects] => [some.noun, some]),
);

const deeds = ["changes", "delete", "create"];

const checkMembers = record(
  {
    kind: oneOf([...objects.keys()]),
    id: text,
    changes: mergeable,
    delete: (value, loc) => (value === true ? [] : problem(loc, "not true")),
    create: anyObject,
  },
  ["kind"],
);

/** Does an edit, and answers the IDs of what it is about. */
export function answerEdit(service: EmulatedService, edit: JsonObject): EmulatedAnswer {
  const problems = checkEdit(edit);
  const { kind, id, changes, create } = edit;
  const some = objects.get(String(kind));
  if (problems.length > 0 || some === undefined) return refuseBody(problems);
  if (isObject(create)) return answerCreate(service, some, create);
  return isObject(changes)
    ? answerChange(service, some, String(id), changes)
    : answerDelete(service, some, String(id));
}

function checkEdit(edit: JsonObject): BodyProblem[] {
  const loc = ["body"];
  const given = deeds.filter((name) => Object.hasOwn(edit, name));
  const known = ["kind", "id", ...deeds];
  return [
    ...checkMembers(edit, loc),
    ...(given.length === 1 ? [] : problem(loc, `must have one of ${deeds.join(", ")}`)),
    ...(Object.hasOwn(edit, "id") === Object.hasOwn(edit, "create")
      ? problem([...loc, "id"], "must be given, except with create")
      : []),
    ...Object.keys(edit)
      .filter((name) => !known.includes(name))
      .flatMap((name) => problem([...loc, name], "unknown field")),
  ];
}

function answerCreate(
  service: EmulatedService,
  { noun, checkNew, create }: Objects,
  body: JsonObject,
): EmulatedAnswer {
  const problems = checkNew(body, ["body", "create"]);
  if (problems.length > 0) return refuseBody(problems);
  const ids = create(service, body);
  return done({ ids }, `by hand: ${noun} ${ids.join(", ")} created`);
}

function answerChange(
  service: EmulatedService,
  some: Objects,
  id: string,
  changes: JsonObject,
): EmulatedAnswer {
  const { noun, find, checkChanged, replace } = some;
  const kept = find(service.storage, id);
  if (kept === undefined) return unknownId(noun, id);
  const body = mergePatch(kept.body, changes);
  const problems = checkChanged(body, ["body", "changes"]);
  if (problems.length > 0 || !isObject(body)) return refuseBody(problems);
  replace(service, id, body);
  return done({ ids: [id] }, `by hand: ${noun} ${id} changed: ${Object.keys(changes).join(", ")}`);
}

function answerDelete({ storage }: EmulatedService, { noun, remove }: Objects, id: string): EmulatedAnswer {
  if (!remove(storage, id)) return unknownId(noun, id);
  return done({ ids: [id] }, `by hand: ${noun} ${id} deleted`);
}

function oneOf(names: readonly string[]): Check {
  return (value, loc) =>
    typeof value === "string" && names.includes(value) ? [] : problem(loc, `not one of ${names.join(", ")}`);
}

// Merging would take this key for the prototype of the object.
function mergeable(value: Json, loc: string[]): BodyProblem[] {
  return hasPrototype(value) ? problem(loc, "has a key __proto__") : anyObject(value, loc);
}

function hasPrototype(value: Json): boolean {
  if (!isObject(value)) return false;
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(hasPrototype);
}

function problem(loc: string[], msg: string): BodyProblem[] {
  return [{ loc, msg, type: "value_error" }];
}
