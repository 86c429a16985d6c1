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

/**
 * Composes the syntax trees of a text one after the other, so that only one needs to be in memory; with their tokens,
 * if what is between the values matters, too.
 */
export function composeAll(text: string, { keepSourceTokens = false } = {}): Generator<Document> {
  return new Composer({ ...composeOptions, keepSourceTokens }).compose(
    new Parser().parse(text),
  ) as Generator<Document>;
}
