/**
 * The arguments that ask for a ref by its full name. Where there is none, `rev-parse` takes for it what ends in the
 * name, such as the tag `refs/tags/refs/…`, which anybody may push.
 */
export function refArgs(name: string): string[] {
  return ["for-each-ref", "--format=%(objecttype) %(objectname) %(refname)", name];
}

/** Gives the commit in the answer; undefined if there is no such ref, or one of something else. */
export function refCommit(answer: string, name: string): string | undefined {
  const lines = answer.split("\n").map((line) => line.split(" "));
  return lines.find(([type, , ref]) => type === "commit" && ref === name)?.[1];
}
