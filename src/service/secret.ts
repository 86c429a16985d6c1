const MASK = "[secret]";

// By name, so that the library's types do not need Node's.
const inspectCustom = Symbol.for("nodejs.util.inspect.custom");

/** A value from outside git; printed in any way, it gives `[secret]`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Gives the value itself, only for requests and redaction. */
  unwrap(): string {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [Symbol.toPrimitive](): string {
    return MASK;
  }

  [inspectCustom](): string {
    return MASK;
  }
}

/** Gives the secret of a variable; undefined if it is not set. */
export type SecretSource = (name: string) => Secret | undefined;

/** Reads secrets from environment variables; an empty one counts as not set, as CI systems pass withheld secrets. */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): SecretSource {
  return (name) => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    return value === undefined || value === "" ? undefined : new Secret(value);
  };
}
