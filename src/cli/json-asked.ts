/** Whether a command line asks for JSON, also one that cannot be used. */
export function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  return words.some(
    (word, at) => word === "--format=json" || (word === "json" && words[at - 1] === "--format"),
  );
}
