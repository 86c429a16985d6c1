/** What is meant by the tags of other tools; any other may be the beginning of a text. */
const tags: readonly (readonly [RegExp, string])[] = [
  [/^!(?:include|import|inc|file|load|read)(?![\w-])/i, "include a file with `${file:PATH}`"],
  [
    /^!(?:env|env_var|envvar|environ|secret|vault)(?![\w-])/i,
    "read an environment variable with `${env:NAME}`",
  ],
  [/^!(?:var|param|parameter)(?![\w-])/i, "use a variable with `${var:NAME}`"],
  [
    /^!(?:ref|reference|getatt|sub)(?![\w-])/i,
    "refer to a document by its kind and name, such as `${policy:NAME}`",
  ],
];

/** Gives the hint for an unknown tag at the beginning of a text. */
export function hintForTag(text: string): string {
  const meant = tags.find(([tag]) => tag.test(text))?.[1];
  return meant ?? "remove the tag, or put the whole value in quotes if it is a text that begins with `!`";
}
