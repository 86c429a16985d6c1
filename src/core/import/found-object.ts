import type { FieldsByKind } from "../kind/extra-fields.js";
import { compareText } from "../../json/compare-text.js";
import type { Listed } from "../observation/list-objects.js";
import type { Identity, Kind, ObjectPart } from "../kind/kind.js";
import { depthLimit, isShallow, type JsonObject, filterMembers } from "../../json/json.js";
import { parseText } from "../expression/expression.js";
import { isKnownPlace, observedBody, specOf, recognised, withIds } from "../observation/observed-body.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { quote } from "../finding/quotation.js";
import { idsOf } from "../kind/identity.js";

/** An object of the service, as one document would describe it. */
export interface FoundObject {
  readonly kind: Kind;
  /** One ID, or those of the tools, in the order of the operations. */
  readonly identity: Identity;
  /** Its fields, named as in documents; for a tool set only those that documents can have. */
  readonly body: JsonObject;
  /** What was answered, for a tool set of each tool. */
  readonly parts: readonly JsonObject[];
  /** The operations that a tool set has, if they are not all of its document's. */
  readonly picks?: readonly string[];
  /** Why no document can describe it. */
  readonly problem?: string;
  /** How messages name it, if a text of it has the value of a secret: without any of its texts. */
  readonly alias?: string;
}

/** How the answers of a deployment are read. */
export interface AnswerReading {
  readonly kindFields: FieldsByKind;
  /** The deployment's own names of fields. */
  readonly fieldNames: Readonly<Record<string, string>>;
}

/** Gives the objects that a kind has in the service, those with the same name in the order of their IDs. */
export function foundObjects(kind: Kind, listed: readonly Listed[], reading: AnswerReading): FoundObject[] {
  const tooDeep: FoundObject[] = [];
  const answers = new Map(listed.map(({ id, body }) => [id, body]));
  const parts: ObjectPart[] = [];
  for (const { id, body: answered } of listed.toSorted((a, b) => compareText(a.id, b.id))) {
    if (!isShallow(answered, depthLimit)) {
      const problem = `its fields are nested deeper than ${depthLimit}`;
      tooDeep.push({ kind, identity: { id }, body: {}, parts: [], problem });
      continue;
    }
    const body = recognised(answered, kind, reading.fieldNames);
    parts.push({ id, body: withIds(body, kind, (place) => isKnownPlace(place, kind)) });
  }
  if (!kind.gather) {
    const whole = ({ id, body }: ObjectPart) => ({
      kind,
      identity: { id },
      body,
      parts: [answers.get(id) ?? {}],
    });
    return [...tooDeep, ...parts.map(whole)];
  }
  const { fields = {} } = specOf(kind);
  const extra = reading.kindFields[kind.name].extra;
  const isField = (name: string) =>
    (Object.hasOwn(fields, name) && !fields[name]?.readOnly) || extra.includes(name);
  const sets = kind.gather(parts, isField).map((set) => ({
    kind,
    identity: { ids: set.parts.map(({ id }) => id) },
    body: set.body,
    parts: set.parts.map(({ id }) => answers.get(id) ?? {}),
    ...(set.picks && { picks: set.picks }),
    ...(set.problem !== undefined && { problem: set.problem }),
  }));
  return [...tooDeep, ...sets];
}

/** Gives what the service has as an observation says it, for a set of picked operations with these alone. */
export function seenBody(
  { kind, body, parts, picks }: FoundObject,
  { fieldNames }: AnswerReading,
): JsonObject {
  const picked = picks
    ? picks.length > 0 && kind.select?.({ spec: body, operations: [...picks] }, nowhere)
    : undefined;
  const documents = picked ? filterMembers(picked.body, (field) => kind.outlined.includes(field)) : {};
  return observedBody({ ...parts[0], ...documents }, kind, fieldNames);
}

const nowhere = { place: () => ({ file: "" }), isQuotable: () => false };

/** The name of what a symbolic body describes; none if it depends on an expression. */
export function symbolicName({ kind, body }: Pick<FoundObject, "kind" | "body">): string | undefined {
  const parts = parseText(nameOf({ kind, body }));
  return parts.every((part) => typeof part === "string") ? parts.join("") : undefined;
}

/** The name by which people know an object. */
export function nameOf({ kind, body }: Pick<FoundObject, "kind" | "body">): string {
  const name = Object.hasOwn(body, kind.title) ? body[kind.title] : undefined;
  return typeof name === "string" ? name : "";
}

/** Names an object in a message. */
export function objectText(object: FoundObject): string {
  if (object.alias !== undefined) return object.alias;
  const ids = idsOf(object.identity);
  const more = ids.length > 1 ? ` and ${ids.length - 1} more` : "";
  const which = `${ids[0] ?? "no ID"}${more}`;
  const name = nameOf(object);
  return name === "" ? which : `${quote(name)} (${which})`;
}

/** Says that an object is not imported. */
export function leftOut(object: FoundObject, why: Sentence, hint?: Sentence): Finding {
  return error(
    "import-left-out",
    undefined,
    say`${object.kind.noun[0]} ${bare({ ids: [...idsOf(object.identity)] }, objectText(object))}: ${why}`,
    hint,
  );
}
