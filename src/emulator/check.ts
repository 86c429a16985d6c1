import { isObject, type Json } from "../json/json.js";

/** One item of the `detail` of a 422 (docs/reference/interface.md, section 4). */
export interface BodyProblem {
  loc: string[];
  msg: string;
  type: string;
}

/** Lists the problems of a value at a place of the body. */
export type Check = (value: Json, loc: string[]) => BodyProblem[];

function typed(type: string, test: (value: Json) => boolean): Check {
  return (value, loc) =>
    test(value) ? [] : [{ loc, msg: `not a valid ${type}`, type: `type_error.${type}` }];
}

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)?$/;

// The types that the service gives its fields.
export const text = typed("string", (value) => typeof value === "string");
export const flag = typed("boolean", (value) => typeof value === "boolean");
export const number = typed("number", (value) => typeof value === "number");
export const integer = typed("integer", (value) => Number.isInteger(value));
export const dateTime = typed("datetime", (value) => typeof value === "string" && DATE_TIME.test(value));
export const anyObject = typed("object", isObject);

/** Checks every item of a list. */
export function listOf(item: Check): Check {
  return (value, loc) => {
    if (!Array.isArray(value)) return [{ loc, msg: "not a valid array", type: "type_error.array" }];
    return value.flatMap((entry, index) => item(entry, [...loc, String(index)]));
  };
}

/** Checks every value of an object. */
export function mapOf(item: Check): Check {
  return (value, loc) => {
    if (!isObject(value)) return anyObject(value, loc);
    return Object.entries(value).flatMap(([key, entry]) => item(entry, [...loc, key]));
  };
}

/** Checks the known fields of an object, and that it has those that are required. */
export function record(fields: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  return (value, loc) => {
    if (!isObject(value)) return anyObject(value, loc);
    const missing = required
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => ({ loc: [...loc, name], msg: "field required", type: "value_error.missing" }));
    const wrong = Object.entries(value).flatMap(([name, entry]) => {
      const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return check === undefined ? [] : check(entry, [...loc, name]);
    });
    return [...missing, ...wrong];
  };
}
