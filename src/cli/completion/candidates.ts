import { deadText } from "../../render/words/log-text.js";
import type { KnownNames, NamesOf } from "../../workspace/known-names.js";
import type { CommandWords, ValueWords } from "./command-words.js";
import { readHalfLine, type LineSurroundings, type WantedWord } from "./half-line.js";

/** A word that the last one of a half-typed line may become, and what it means. */
export interface CompletionWord {
  readonly word: string;
  readonly about?: string;
}

/** What a shell is told: words, or to look for files or folders by itself. */
export type Candidates =
  | { readonly type: "words"; readonly words: readonly CompletionWord[] }
  | { readonly type: "files" | "folders" };

/** Looks up names of the workspace that a line is about. */
export type NameSource = (of: NamesOf, surroundings: LineSurroundings) => KnownNames;

/** Gives what the last of the words behind the program's name may become. */
export function findCandidates(
  words: readonly string[],
  program: CommandWords,
  names: NameSource,
): Candidates {
  const last = words.at(-1) ?? "";
  const { wanted, surroundings } = readHalfLine(words, program);
  if (!wanted) return { type: "words", words: [] };
  if (wanted.type === "value" && wanted.value.source === "file") return { type: "files" };
  if (wanted.type === "value" && wanted.value.source === "folder") return { type: "folders" };
  const found = candidatesFor(wanted, last, program, (of) => names(of, surroundings));
  const seen = new Set<string>();
  const fitting = found.filter(({ word }) => {
    if (!word.startsWith(last) || seen.has(word) || !isTypeable(word)) return false;
    seen.add(word);
    return true;
  });
  return { type: "words", words: fitting };
}

// A word that a terminal does not show as it is, or that cannot be in a line, must not get into one.
function isTypeable(word: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}]/u.test(word) && deadText(word) === word;
}

function candidatesFor(
  wanted: WantedWord,
  last: string,
  program: CommandWords,
  names: (of: NamesOf) => KnownNames,
): CompletionWord[] {
  if (wanted.type === "command") return wanted.commands.map(({ name, about }) => ({ word: name, about }));
  if (wanted.type === "option") return wanted.options.map(({ long, about }) => ({ word: long, about }));
  const { value, head, operands } = wanted;
  if (value.source === "command") {
    const others = operands.length === 0 ? value.words : [];
    return [...commandsAt(operands, program), ...others.map((word) => ({ word }))];
  }
  if (value.source === "list") return listed(value.words, head, last.slice(head.length));
  const all = [...value.words, ...namesFor(value, names)];
  return all.filter((word) => !operands.includes(word)).map((word) => ({ word: `${head}${word}` }));
}

function namesFor({ source }: ValueWords, names: (of: NamesOf) => KnownNames): readonly string[] {
  switch (source) {
    case "address": {
      const all = [names("workspace"), names("state")].flatMap(({ addresses = [] }) => addresses);
      return [...new Set(all)].toSorted();
    }
    case "environment":
      return names("environments").environments ?? [];
    case "label":
      return names("workspace").labels ?? [];
    case "retired":
      return names("state").retired ?? [];
    case "variable":
      return (names("workspace").variables ?? []).map((name) => `${name}=`);
    default:
      return [];
  }
}

function commandsAt(operands: readonly string[], program: CommandWords): CompletionWord[] {
  let command: CommandWords | undefined = program;
  for (const word of operands) command = command?.commands.find(({ name }) => name === word);
  return (command?.commands ?? []).map(({ name, about }) => ({ word: name, about }));
}

// After a comma, the words that are not there yet.
function listed(words: readonly string[], head: string, typed: string): CompletionWord[] {
  const given = typed.split(",").slice(0, -1);
  const left = words.filter((word) => !given.includes(word));
  return left.map((word) => ({ word: `${head}${[...given, word].join(",")}` }));
}
