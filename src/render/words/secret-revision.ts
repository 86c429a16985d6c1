import { isExpression, parseEnvironmentLocator, parseText } from "../../core/expression/expression.js";

/**
 * Says how the revisions of secrets changed, such as `revision 1 → 2`, if nothing else differs between two
 * symbolic texts; undefined otherwise.
 */
export function revisionChange(before: string, after: string): string | undefined {
  if (!before.includes("${env:") || !after.includes("${env:")) return undefined;
  const [left, right] = [withoutRevisions(before), withoutRevisions(after)];
  if (JSON.stringify(left.parts) !== JSON.stringify(right.parts)) return undefined;
  const changed = left.secrets.flatMap(({ name, revision }, index) => {
    const other = right.secrets[index]?.revision;
    return other === revision ? [] : [{ name, text: `revision ${revision ?? "none"} → ${other ?? "none"}` }];
  });
  const [first, ...more] = changed;
  if (!first) return undefined;
  return more.length === 0 ? first.text : changed.map(({ name, text }) => `${name} ${text}`).join(", ");
}

function withoutRevisions(text: string) {
  const secrets: { readonly name: string; readonly revision: string | undefined }[] = [];
  const parts = parseText(text).map((part) => {
    if (typeof part === "string") return { literal: part };
    const secret =
      isExpression(part) && part.scheme === "env" ? parseEnvironmentLocator(part.locator) : undefined;
    if (!secret) return { source: part.source };
    secrets.push({ name: secret.name, revision: secret.revision });
    return { secret: secret.name };
  });
  return { parts, secrets };
}
