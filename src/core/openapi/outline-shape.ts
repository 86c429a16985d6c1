import { isObject, type Json } from "../../json/json.js";
import type { Outline, OutlineOperation, OutlineParameter, OutlineSecurity } from "./openapi.js";

/** Whether a value from a lock, a journal or a plan is a complete outline. */
export function isOutline(value: Json | undefined): value is Outline {
  if (!isObject(value) || !Array.isArray(value.operations)) return false;
  const { operations, security } = value;
  return operations.every(isOperation) && (security === undefined || isSecurity(security));
}

function isOperation(value: Json): value is OutlineOperation {
  if (!isObject(value) || !isText(value.method) || !isText(value.path)) return false;
  const { operationId, parameters = [], request_body, responses, description, rest } = value;
  return (
    [operationId, request_body, responses, description, rest].every(isTextOrAbsent) &&
    Array.isArray(parameters) &&
    parameters.every(isParameter)
  );
}

function isParameter(value: Json): value is OutlineParameter {
  if (!isObject(value)) return false;
  return [value.in, value.name, value.digest].every(isText) && typeof value.required === "boolean";
}

function isSecurity(value: Json): value is OutlineSecurity {
  return isObject(value) && isTextOrAbsent(value.schemes);
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string";
}

function isTextOrAbsent(value: Json | undefined): boolean {
  return value === undefined || isText(value);
}
