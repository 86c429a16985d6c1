const lastLines = /(?:^|\n)Digest: `(sha256:[0-9a-f]{64})`[^\n]*\n+$/;

/**
 * Gives the digest of the plan that a comment shows. Only the lines before the marker at its very end count, for
 * all that comes before may hold texts of documents.
 */
export function shownDigest(body: string, marker: string): string | undefined {
  const text = body.replaceAll("\r\n", "\n").trimEnd();
  if (!text.endsWith(marker)) return undefined;
  return lastLines.exec(text.slice(0, -marker.length))?.[1];
}
