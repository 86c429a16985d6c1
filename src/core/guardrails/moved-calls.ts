import type { NamedOperation } from "../../generated/plan.js";
import { groupBy } from "../../json/groups.js";
import { type Json, equal } from "../../json/json.js";
import { oncePer } from "../../json/once.js";
import { itemSegment } from "../../json/path.js";
import { effectiveOf, type EffectiveOperation, type EffectiveOutline } from "../openapi/effective.js";
import { isOutline } from "../openapi/outline-shape.js";
import type { Side, Subject } from "./rule.js";

const schema = "openapi_schema";

/** What a part of the calls of a tool set was, and is now, for one cause. */
export interface CallsTurn<Value> {
  readonly before: Value;
  readonly after: Value;
  /** Missing where it is all of them. */
  readonly operations?: NamedOperation[];
  /** The change that it comes from; of several operations the first one's. */
  readonly path: string;
}

/** A part of what operations do in effect. */
interface Aspect<Value> {
  readonly ofDocument: (outline: EffectiveOutline) => Value;
  readonly of: (operation: EffectiveOperation) => Value;
  readonly keyOf: (value: Value) => Json;
  /** Where the document says it, below the field. */
  readonly documentPath: string;
  /** The member in which the operation itself says it otherwise than before; none where only the document does. */
  readonly memberOf: (before: EffectiveOperation, after: EffectiveOperation) => string | undefined;
}

/** Gives what the calls of a tool set do in effect, as one side of a change says. */
export const callsOf = oncePer(({ body }: Side): EffectiveOutline => {
  const outline = body[schema];
  return effectiveOf(isOutline(outline) ? outline : { operations: [] });
});

/** Gives how a part of what operations of before do changes: one turn for all that turn alike. */
export function turnsOf<Value>(subject: Subject, aspect: Aspect<Value>): CallsTurn<Value>[] {
  const { ofDocument, of, keyOf, documentPath } = aspect;
  const [was, is] = [callsOf(subject.before), callsOf(subject.after)];
  const isOther = (before: Value, after: Value): boolean => !equal(keyOf(before), keyOf(after));
  const kept = [...is.operations.values()].flatMap((after) => {
    const before = was.operations.get(after.route);
    return before ? [{ before, after }] : [];
  });
  const groups = groupBy(
    kept.filter(({ before, after }) => isOther(of(before), of(after))),
    ({ before, after }) => JSON.stringify([keyOf(of(before)), keyOf(of(after))]),
  );
  const turns = [...groups.values()].map((pairs): CallsTurn<Value> => {
    const [first] = pairs;
    const changed = pairs.map(({ after }) => after);
    const isAll = pairs.length === kept.length;
    const members = pairs.map(({ before, after }) => aspect.memberOf(before, after));
    const path = members.includes(undefined) ? documentPath : operationPath(first.after.route, members[0]);
    const isOfDocument = isAll && members.every((member) => member === undefined);
    const operations = isOfDocument ? {} : { operations: named(subject, changed) };
    return { before: of(first.before), after: of(first.after), ...operations, path: `${schema}.${path}` };
  });
  const [before, after] = [ofDocument(was), ofDocument(is)];
  const isOfNone = is.operations.size === 0 && isOther(before, after);
  return isOfNone ? [{ before, after, path: `${schema}.${documentPath}` }] : turns;
}

/** Gives operations with the same turn together: the first and all of them, as notes name them, and the path of the first or its member. */
export function byTurn<Each extends { readonly operation: EffectiveOperation; readonly turn: unknown }>(
  subject: Subject,
  found: readonly Each[],
  member?: string,
) {
  return [...groupBy(found, ({ turn }) => JSON.stringify(turn)).values()].map((all) => {
    const [first] = all;
    const path = `${schema}.${operationPath(first.operation.route, member)}`;
    const operations = all.map(({ operation }) => operation);
    return { first, all, operations: named(subject, operations), path };
  });
}

/** Gives the operations that a tool set has now and did not have before. */
export function newOperations({ before, after }: Subject): EffectiveOperation[] {
  const known = callsOf(before).operations;
  return [...callsOf(after).operations.values()].filter(({ route }) => !known.has(route));
}

/** Gives operations as notes name them. */
export function named(
  { address, after }: Subject,
  operations: readonly EffectiveOperation[],
): NamedOperation[] {
  const all = after.operations(address).all;
  return operations.map(({ route }) => all.get(route)?.named ?? { route });
}

/** Gives the path of an operation, or of a member of it, below the field. */
export function operationPath(route: string, member?: string): string {
  return `operations${itemSegment(route)}${member === undefined ? "" : `.${member}`}`;
}
