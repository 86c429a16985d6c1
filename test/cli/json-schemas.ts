import { readFileSync } from "node:fs";
import { Ajv, type AnySchemaObject, type ValidateFunction } from "ajv";
import { expect } from "vitest";

const compiled = new Map<string, ValidateFunction>();

function validatorOf(name: string): ValidateFunction {
  const known = compiled.get(name);
  if (known) return known;
  const text = readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), "utf8");
  const made = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(
    JSON.parse(text) as AnySchemaObject,
  );
  compiled.set(name, made);
  return made;
}

/** Expects a value to be as a schema says. */
export function expectOf(name: string, value: unknown): void {
  const validate = validatorOf(name);
  validate(value);
  expect(validate.errors ?? [], `${name}: ${JSON.stringify(value)?.slice(0, 300)}`).toEqual([]);
}

/** Expects an output to be one document of a schema, or of `apply` lines of it; gives the documents. */
export function expectOutput(schema: string, out: string): unknown[] {
  const isLines = schema === "apply";
  const documents = isLines
    ? out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown)
    : [JSON.parse(out) as unknown];
  for (const document of documents) expectOf(schema, document);
  return documents;
}
