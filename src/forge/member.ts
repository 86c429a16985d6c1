/** Gives what an answer of a forge has under names, one within the other; undefined where there is nothing. */
export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
    value,
  );
}
