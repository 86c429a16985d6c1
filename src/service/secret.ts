const MASK = "[secret]";

// By name, so that the library's types need none of Node's.
const inspectCustom = Symbol.for("nodejs.util.inspect.custom");

/** A value from outside git: every way of printing it gives `[secret]`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Gives the value itself, for the wire and for redaction alone. */
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

/** Finds the secret that a variable holds; undefined if it is not set. */
export type SecretSource = (name: string) => Secret | undefined;

/** Takes secrets from environment variables; an empty one counts as not set, as CI systems give withheld secrets. */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): SecretSource {
  return (name) => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    return value === undefined || value === "" ? undefined : new Secret(value);
  };
}
