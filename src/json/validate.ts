/** One way in which a value breaks a JSON Schema; the path is a JSON pointer. */
export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
}

/** Says whether a value fits a schema; if it does not, `errors` holds every reason until the next call. */
export type Validate<Value = unknown> = ((value: unknown) => value is Value) & {
  errors?: readonly ValidationError[] | null;
};
