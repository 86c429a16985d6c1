import { inspect } from "node:util";

const MASK = "[secret]";

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

  [inspect.custom](): string {
    return MASK;
  }
}

/** Finds the secret that a variable holds; undefined if it is not set. */
export type SecretSource = (name: string) => Secret | undefined;

/** Takes secrets from environment variables; an empty one counts as not set, as CI systems give withheld secrets. */
export function environmentSecrets(env: NodeJS.ProcessEnv): SecretSource {
  return (name) => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    return value === undefined || value === "" ? undefined : new Secret(value);
  };
}
