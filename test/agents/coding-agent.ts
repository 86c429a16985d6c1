import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { mkdirSync } from "node:fs";
import { runIn } from "../cli/desk.js";

type Data = null | boolean | number | string | readonly Data[] | { readonly [name: string]: Data };

/** What a command answered: its exit code and its documents, without a word for people. */
export interface Answer {
  readonly code: number;
  readonly documents: readonly Record<string, unknown>[];
  /** The last document, which says how it ended. */
  readonly last: Record<string, unknown>;
}

/** A place in a file, and the text that belongs there. */
interface Edit {
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
  readonly text: string;
}

/** A problem as the agent sees it. */
export interface Problem {
  readonly code: string;
  readonly severity: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly end_line?: number;
  readonly end_column?: number;
  readonly parts?: Readonly<Record<string, unknown>>;
  readonly fixes?: readonly { readonly edit?: Edit }[];
}

// The members that are sentences for people, wherever they are.
const sentences = new Set("message hint about meaning fix description does note because".split(" "));

/**
 * A coding agent that has read nothing but `help --format json` and `AGENTS.md`: it types only commands and options
 * that help lists, and gets answers from which every sentence was taken out.
 */
export class CodingAgent {
  readonly #known = new Map<string, ReadonlySet<string>>();
  #common: ReadonlySet<string> = new Set();

  constructor(
    readonly directory: string,
    readonly env: Readonly<Record<string, string>> = {},
  ) {}

  /** Reads what commands there are. */
  async learn(): Promise<void> {
    const { last } = await this.#ask(["help", "--format", "json"]);
    const { commands, common_options } = last as unknown as {
      readonly commands: readonly {
        readonly path: string[];
        readonly options: readonly { long: string }[];
      }[];
      readonly common_options: readonly { readonly long: string; readonly short?: string }[];
    };
    this.#common = new Set(common_options.flatMap(({ long, short }) => (short ? [long, short] : [long])));
    for (const { path, options } of commands) {
      this.#known.set(path.join(" "), new Set(options.map(({ long }) => long)));
    }
  }

  /** Runs a command that help lists, with its answer as JSON. */
  async run(...words: readonly string[]): Promise<Answer> {
    const name = [...this.#known.keys()].find(
      (each) => words.slice(0, each.split(" ").length).join(" ") === each,
    );
    const options = this.#known.get(name ?? "");
    if (!options) throw new Error(`help does not know ${words.join(" ")}`);
    for (const word of words.filter((each) => each.startsWith("-"))) {
      const [option = ""] = word.split("=");
      if (!options.has(option) && !this.#common.has(option)) throw new Error(`help does not know ${option}`);
    }
    return await this.#ask(words.includes("--format") ? words : [...words, "--format", "json"]);
  }

  read(file: string): string {
    return readFileSync(join(this.directory, file), "utf8");
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.directory, file)), { recursive: true });
    writeFileSync(join(this.directory, file), text);
  }

  /** The problems of the workspace that are errors. */
  async errors(): Promise<readonly Problem[]> {
    const { last } = await this.run("validate");
    return (last["diagnostics"] as readonly Problem[]).filter(({ severity }) => severity === "error");
  }

  /** Mends the workspace: tries what the data of a problem offers, and keeps what takes it away. */
  async mend(): Promise<readonly Problem[]> {
    let errors = await this.errors();
    while (errors.length > 0) {
      const better = await this.#tryOne(errors);
      if (!better) return errors;
      errors = better;
    }
    return errors;
  }

  async #tryOne(errors: readonly Problem[]): Promise<readonly Problem[] | undefined> {
    for (const problem of errors) {
      const before = this.read(problem.file);
      for (const text of offers(problem, before)) {
        this.write(problem.file, text);
        const left = await this.errors();
        // Others may show only now, in other files.
        const isNew = ({ file }: Problem) => file !== problem.file || left.length < errors.length;
        if (!left.some((each) => isSame(each, problem)) && left.every(isNew)) return left;
        this.write(problem.file, before);
      }
    }
    return undefined;
  }

  async #ask(words: readonly string[]): Promise<Answer> {
    const { code, out } = await runIn(this.directory, words, this.env);
    const parsed = documentsIn(out).map((each) => withoutSentences(each) as Record<string, unknown>);
    return { code, documents: parsed, last: parsed.at(-1) ?? {} };
  }
}

function isSame(one: Problem, other: Problem): boolean {
  return one.code === other.code && one.file === other.file && one.line === other.line;
}

// One document, or one in each line.
function documentsIn(out: string): Data[] {
  try {
    return [JSON.parse(out) as Data];
  } catch {
    return out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Data);
  }
}

function withoutSentences(value: Data): Data {
  if (Array.isArray(value)) return value.map(withoutSentences);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !(sentences.has(name) && typeof member === "string"))
      .map(([name, member]) => [name, withoutSentences(member)]),
  );
}

// What may be meant: an edit of the problem, what was expected for what was found, or nothing at its place.
function* offers(problem: Problem, text: string): Generator<string> {
  for (const { edit } of problem.fixes ?? []) if (edit) yield edited(text, edit);
  const { line, column, end_line, end_column, parts = {} } = problem;
  const place =
    end_line !== undefined && end_column !== undefined ? { line, column, end_line, end_column } : undefined;
  for (const expected of [parts["expected"]].flat()) {
    if (place && typeof expected === "string") yield edited(text, { ...place, text: expected });
  }
  const lines = text.split("\n");
  yield lines.toSpliced(line - 1, 1).join("\n");
}

function edited(text: string, { line, column, end_line, end_column, text: by }: Edit): string {
  const lines = text.split("\n");
  const offset = (at: number, character: number) =>
    lines.slice(0, at - 1).reduce((sum, each) => sum + each.length + 1, 0) + character - 1;
  return text.slice(0, offset(line, column)) + by + text.slice(offset(end_line, end_column));
}
