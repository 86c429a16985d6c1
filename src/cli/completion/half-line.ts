import type { CommandWords, OptionWords, ValueWords } from "./command-words.js";

/** What the words before the last one of a half-typed line say about where to look for names. */
export interface LineSurroundings {
  /** The folder of the workspace as it was typed. */
  readonly workspace?: string;
  readonly environment?: string;
  readonly isEmulated: boolean;
  readonly usesCache: boolean;
}

/** What the last word of a half-typed line may become. */
export type WantedWord =
  | { readonly type: "command"; readonly commands: readonly CommandWords[] }
  | { readonly type: "option"; readonly options: readonly OptionWords[] }
  | {
      readonly type: "value";
      readonly value: ValueWords;
      /** What is before the value in the same word, such as `--target=`. */
      readonly head: string;
      /** The arguments before this one; none for the value of an option. */
      readonly operands: readonly string[];
    };

/** A half-typed line, read as far as it can be understood. */
export interface HalfLine {
  /** Missing where nothing is known that could follow. */
  readonly wanted?: WantedWord | undefined;
  readonly surroundings: LineSurroundings;
}

/** Reads the words of a line behind the program's name, of which the last may be half typed or empty. */
export function readHalfLine(words: readonly string[], program: CommandWords): HalfLine {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? "";
  let command = program;
  let at = 0;
  for (; at < before.length && command.commands.length > 0; at++) {
    const next = command.commands.find(({ name }) => name === before[at]);
    if (!next) return { surroundings: surroundingsOf(new Map()) };
    command = next;
  }
  const typed = readTyped(before.slice(at), command);
  return { wanted: wantedBy(last, command, typed), surroundings: surroundingsOf(typed.given) };
}

interface Typed {
  /** The last values of the options, by their long names; empty for those that take none. */
  readonly given: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
  /** The option whose value comes next. */
  readonly pending?: OptionWords | undefined;
  /** Whether all that follows are arguments. */
  readonly isLiteral: boolean;
}

function readTyped(words: readonly string[], { options }: CommandWords): Typed {
  const given = new Map<string, string>();
  const operands: string[] = [];
  let pending: OptionWords | undefined;
  for (const [index, word] of words.entries()) {
    if (pending) {
      given.set(pending.long, word);
      pending = undefined;
    } else if (word === "--") {
      return { given, operands: [...operands, ...words.slice(index + 1)], isLiteral: true };
    } else if (word.startsWith("-") && word !== "-") {
      const found = findOption(word, options);
      if (!found) continue;
      if (found.option.value && found.attached === undefined) pending = found.option;
      else given.set(found.option.long, found.attached ?? "");
    } else operands.push(word);
  }
  return { given, operands, pending, isLiteral: false };
}

function findOption(word: string, options: readonly OptionWords[]) {
  const at = word.startsWith("--") ? word.indexOf("=") : -1;
  const name = at < 0 ? word : word.slice(0, at);
  const exact = options.find(({ long, short }) => long === name || short === name);
  if (exact) return { option: exact, attached: at < 0 ? undefined : word.slice(at + 1) };
  // A value may follow a short name without a space.
  const option = options.find(({ short, value }) => value && short && word.startsWith(short));
  return option && !word.startsWith("--") ? { option, attached: word.slice(2) } : undefined;
}

function wantedBy(last: string, command: CommandWords, typed: Typed): WantedWord | undefined {
  const { pending, operands, isLiteral, given } = typed;
  if (pending?.value) return { type: "value", value: pending.value, head: "", operands: [] };
  if (last.startsWith("-") && !isLiteral) {
    const found = last.includes("=") ? findOption(last, command.options) : undefined;
    if (found?.option.value) {
      const head = last.slice(0, last.indexOf("=") + 1);
      return { type: "value", value: found.option.value, head, operands: [] };
    }
    const left = command.options.filter(({ long, repeatable }) => repeatable || !given.has(long));
    return { type: "option", options: left };
  }
  if (command.commands.length > 0) return { type: "command", commands: command.commands };
  const argument =
    command.arguments[operands.length] ?? command.arguments.findLast((each) => each.isVariadic);
  return argument && { type: "value", value: argument.value, head: "", operands };
}

function surroundingsOf(given: ReadonlyMap<string, string>): LineSurroundings {
  const [workspace, environment] = [given.get("--workspace"), given.get("--environment")];
  return {
    ...(workspace !== undefined && { workspace }),
    ...(environment !== undefined && { environment }),
    isEmulated: given.has("--emulator"),
    usesCache: !given.has("--no-cache"),
  };
}
