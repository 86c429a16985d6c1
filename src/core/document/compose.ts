import { Composer, Parser, type Document } from "yaml";

// YAML 1.2 core whatever `%YAML` says, and no warnings on the process. The library compares each key with all keys
// before it, which takes hours for a large mapping; `repeatedKeys` finds duplicates instead.
const composeOptions = {
  logLevel: "silent",
  schema: "core",
  merge: false,
  uniqueKeys: false,
  resolveKnownTags: false,
} as const;

/** Composes the trees of a text one by one, so that only one is in memory; with tokens, if what is between matters. */
export function composeAll(text: string, { keepSourceTokens = false } = {}): Generator<Document> {
  return new Composer({ ...composeOptions, keepSourceTokens }).compose(
    new Parser().parse(text),
  ) as Generator<Document>;
}
