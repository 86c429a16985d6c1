// Generated from schemas/workspace.schema.json; do not edit.

/** One way in which a value breaks the schema; the path is a JSON pointer. */
export interface ValidationError {
  instancePath: string;
  schemaPath: string;
  keyword: string;
  params: Record<string, unknown>;
}

/** Says whether a value fits the schema; if it does not, `errors` holds every reason until the next call. */
export declare const validate: ((value: unknown) => boolean) & {
  errors?: readonly ValidationError[] | null;
};
