/**
 * Whether an integer, as written in JSON or YAML, keeps its digits when it is read as a double and written again.
 * OpenAPI documents give bounds such as `-9223372036854776000`, which do.
 */
export function keepsDigits(source: string): boolean {
  const written = String(Number(source));
  return /^-?\d+$/.test(written) && BigInt(written) === BigInt(source);
}
