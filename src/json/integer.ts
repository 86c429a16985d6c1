/**
 * Whether an integer, as JSON or YAML spells it, is written back with the same digits after it was read as a
 * double. OpenAPI documents give bounds such as `-9223372036854776000`, which are.
 */
export function keepsDigits(source: string): boolean {
  const written = String(Number(source));
  return /^-?\d+$/.test(written) && BigInt(written) === BigInt(source);
}
