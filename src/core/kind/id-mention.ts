import { isObject, type Json } from "../../json/json.js";

/** Shorter IDs and numbers are parts of many other texts. */
const shortest = 6;

/**
 * Whether a value contains an ID anywhere: as a text, within a longer text, or as a number in a field whose name
 * says that it holds an ID. A short ID or a number within a longer text means nothing.
 */
export function mentionsId(value: Json, id: string): boolean {
  const isPart = id.length >= shortest && !/^\d+$/.test(id);
  const find = (each: Json, field: string): boolean => {
    if (typeof each === "string") return each === id || (isPart && each.includes(id));
    if (typeof each === "number") return String(each) === id && /id/i.test(field);
    if (Array.isArray(each)) return each.some((item) => find(item, field));
    return isObject(each) && Object.entries(each).some(([name, member]) => name === id || find(member, name));
  };
  return find(value, "");
}
