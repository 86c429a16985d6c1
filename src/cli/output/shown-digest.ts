const lastLines = /(?:^|\n)Digest: `(sha256:[0-9a-f]{64})`[^\n]*\n+$/;

/**
 * Gives the digest of the plan in a comment. Only the lines before the marker at the very end count, because
 * everything before them may contain texts of documents.
 */
export function shownDigest(body: string, marker: string): string | undefined {
  const text = body.replaceAll("\r\n", "\n").trimEnd();
  if (!text.endsWith(marker)) return undefined;
  return lastLines.exec(text.slice(0, -marker.length))?.[1];
}
