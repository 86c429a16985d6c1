import type { FoundSecret } from "../../core/import/symbolic-body.js";

/** Lists the variables to be set before something that needs them is applied, not yet safe; nothing if there are none. */
export function secretsToSet(
  all: readonly { readonly address: string; readonly secrets: readonly FoundSecret[] }[],
): string[] {
  const lines = all.flatMap(({ address, secrets }) =>
    secrets.map(({ name, path }) => `    ${name} (${path.join(".")} of ${address})`),
  );
  if (lines.length === 0) return [];
  const head = "Set these before something that needs them is applied; the service does not give them back:";
  return [head, ...lines];
}
