import { isObject, type Json } from "../../json/json.js";

/** Whether an answer says of itself that the request failed, whatever its status is. */
export function tellsError(answer: Json): boolean {
  if (!isObject(answer)) return false;
  const { error, errors, success, ok } = answer;
  return success === false || ok === false || [error, errors].some(saysSomething);
}

function saysSomething(value: Json | undefined): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}
