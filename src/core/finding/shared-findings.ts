import type { Finding, Place } from "./diagnostic.js";

const shownDocuments = 8;

/** Documents with the same problem, each once. */
type Documents = Map<string, Place>;

/** Makes one finding of those that several documents have with a value or a file that they share, and names the documents. */
export function mergeShared(findings: readonly Finding[]): readonly Finding[] {
  if (!findings.some(({ document }) => document)) return findings;
  const merged: { readonly finding: Finding; readonly documents: Documents }[] = [];
  const byIdentity = new Map<string, Documents>();
  for (const { document, ...finding } of findings) {
    const identity = document && JSON.stringify(finding);
    const known = identity === undefined ? undefined : byIdentity.get(identity);
    if (known && document) {
      known.set(JSON.stringify(document), document);
      continue;
    }
    const documents: Documents = new Map(document && [[JSON.stringify(document), document]]);
    if (identity !== undefined) byIdentity.set(identity, documents);
    merged.push({ finding, documents });
  }
  return merged.map(({ finding, documents }) => {
    if (documents.size === 0) return finding;
    return {
      ...finding,
      related: [...(finding.related ?? []), ...explainDocuments([...documents.values()])],
    };
  });
}

function explainDocuments(documents: readonly Place[]) {
  const shown = documents.slice(0, shownDocuments).map((place) => {
    return { message: place.expression === undefined ? "for this document" : "included here", place };
  });
  const more = documents.length - shown.length;
  if (more === 0) return shown;
  return [
    ...shown,
    { message: `for ${more.toLocaleString("en-US")} more ${more === 1 ? "document" : "documents"}` },
  ];
}
