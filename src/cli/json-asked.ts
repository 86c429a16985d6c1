/** Whether a command line asks for JSON, also one that cannot be used. */
export function asksForJson(argv: readonly string[]): boolean {
  return wordsBeforeFence(argv).some(
    (word, at, words) => word === "--format=json" || (word === "json" && words[at - 1] === "--format"),
  );
}

/** Gives the words of a command line that may be options. */
export function wordsBeforeFence(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return end === -1 ? argv : argv.slice(0, end);
}
