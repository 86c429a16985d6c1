// What lists, folders and options call the default environment; everywhere else it is null.
const defaultName = "default";

/** Gives the environment that a name in a list, a folder or an option means; null for the default one. */
export function environmentOf(name: string): string | null {
  return name === defaultName ? null : name;
}

/** Gives the name of an environment for lists, folders and options; null is the default one. */
export function environmentName(environment: string | null): string {
  return environment ?? defaultName;
}

/** Gives the environments of a manifest by the names that it declares; with none, there is the default one alone. */
export function environmentsOf(declared: readonly string[]): (string | null)[] {
  return declared.length === 0 ? [null] : declared.map(environmentOf);
}

/** Gives the environments that can have a state: those declared, and the default one, which may have been there before. */
export function environmentsWithState(declared: readonly string[]): (string | null)[] {
  return [...new Set([null, ...declared.map(environmentOf)])];
}
