import type { Chance } from "./mutation.js";

const scalars = [
  ..."abxyz01",
  "word",
  "two words",
  "a longer text, with a comma",
  "null",
  "Null",
  "NULL",
  "nULL",
  "~",
  "~a",
  "true",
  "True",
  "FALSE",
  "yes",
  "0",
  "-0",
  "-0.0",
  "007",
  "+1",
  "12345678901234567890",
  "123456789012345",
  "1234567890123456",
  "-999999999999999",
  "0.1000000000000000055511151231257827",
  "1.",
  ".5",
  "-.5",
  "1e3",
  "1.e-3",
  "1e999",
  "0o17",
  "0x1F",
  ".inf",
  "-.INF",
  ".nan",
  ".",
  "..",
  "...",
  "---",
  "--- a",
  "-",
  "- ",
  "--",
  "-a",
  "?",
  "?a",
  ":",
  ":a",
  "::",
  "a:b",
  "a:",
  "a: b",
  "a :b",
  "a :",
  "a#b",
  "a #b",
  "#b",
  "a,b",
  "a, b",
  "a]",
  "[",
  "{}",
  "[]",
  "&a",
  "*a",
  "!t",
  "!!str a",
  "|",
  ">",
  "%a",
  "@a",
  "`a",
  "2001-01-01",
  "12:30",
  "1_000",
  "it's",
  'a "b" c',
  "\u00a0",
  "a\u00a0",
  "\u00a0a",
  "é",
  "😀",
  "\u3000a",
  "\u2028",
  "\u0085",
  "\ufeff",
  "<<",
  "=",
  "__proto__",
  "constructor",
  "${env:A}",
  "http://a.example/b?c=d#e",
  "a\\b",
  "a\tb",
];

const doubles = [
  "",
  "a",
  "a",
  "a b",
  "a b",
  " a ",
  "\\n",
  "\\\\",
  '\\"',
  "\\u00e9",
  "\\x41",
  "\\ ",
  "\\/",
  "\\\n",
  "#",
  ": ",
  "'",
  "é",
  "\\ud83d\\ude00",
  "\\",
  "a\\t",
  "\\e",
  "---",
  "[",
  "\t",
];
const singles = ["", "a", "a b", " a ", "''", "\\", "\\n", "#", ": ", '"', "é", "---", "}", "'"];
const comments = ["# c", "#", "#c", "# a: b", "#- a", "# \u00a0"];

const words = [
  "a",
  "text",
  "two words",
  "12",
  "0.5",
  "true",
  "null",
  "it's",
  "a, b",
  "http://a.example/b?c=d#e",
  "é",
];

/** Makes texts that are shaped like YAML, some of them with errors. */
export class YamlTexts {
  constructor(private readonly chance: Chance) {}

  /** Gives a text of a few documents, most often one. */
  next(): string {
    const { chance } = this;
    let text = this.#may(12) ? this.#gap(0) : "";
    for (let more = true; more; more = this.#may(6)) {
      if (text !== "" || this.#may(5))
        text += this.#may(20)
          ? chance.pick(["...\n", "--- # c\n", "---  \n", "--- a\n", "%YAML 1.2\n---\n", "---a\n"])
          : "---\n";
      text += this.#may(6)
        ? `${this.#flow(0, 0)}\n`
        : this.#may(25)
          ? ""
          : this.#collection(this.#may(30) ? 2 : 0, 0);
    }
    if (this.#may(15)) text = text.trimEnd();
    return this.#may(20) ? text.replaceAll("\n", "\r\n") : text;
  }

  /** Once in so many. */
  #may(times: number): boolean {
    return this.chance.below(times) === 0;
  }

  #scalar(): string {
    return this.chance.pick(this.#may(3) ? scalars : words);
  }

  #collection(column: number, depth: number): string {
    const isSequence = this.#may(3);
    const count = 1 + this.chance.below(3);
    let text = "";
    for (let left = count; left > 0; left--) {
      if (text !== "" && this.#may(8)) text += this.#gap(column);
      const at = this.#may(60) ? Math.max(0, column + this.chance.pick([-1, 1, 2])) : column;
      text += " ".repeat(at);
      text += isSequence ? `-${this.#item(at, depth)}` : `${this.#key()}:${this.#member(at, depth)}`;
    }
    return text;
  }

  #key(): string {
    switch (this.chance.below(8)) {
      case 0:
        return `${this.#quoted(0)}${this.#may(10) ? " " : ""}`;
      case 1:
        return `${this.#scalar()}${this.#may(20) ? " " : ""}`;
      case 2:
        return this.#may(20)
          ? `? ${this.#key()}`
          : this.#may(20)
            ? ""
            : "k".repeat(this.#may(20) ? 990 + this.chance.below(60) : 3);
      default:
        return `${this.chance.pick(["a", "b", "name", "some key", "200", "$ref", "x-a", "/a/{b}"])}${this.chance.below(90)}`;
    }
  }

  #member(column: number, depth: number): string {
    if (depth < 5 && this.#may(3)) {
      const gap = this.#lineEnd(column);
      if (this.#may(4)) return gap + this.#sequence(column, depth + 1);
      return gap + this.#collection(column + 1 + this.chance.below(3), depth + 1);
    }
    return this.#value(column, depth);
  }

  #sequence(column: number, depth: number): string {
    let text = "";
    for (let left = 1 + this.chance.below(3); left > 0; left--)
      text += `${" ".repeat(column)}-${this.#item(column, depth)}`;
    return text;
  }

  #item(column: number, depth: number): string {
    if (depth > 4 || this.#may(2)) return this.#value(column, depth);
    const spaces = 1 + (this.#may(5) ? this.chance.below(4) : 0);
    if (this.#may(6))
      return this.#lineEnd(column) + this.#collection(column + 1 + this.chance.below(3), depth + 1);
    return " ".repeat(spaces) + this.#collection(column + 1 + spaces, depth + 1).trimStart();
  }

  /** What comes after an indicator, to the end of its last line. */
  #value(column: number, depth: number): string {
    const space = this.#may(30) ? "" : " ".repeat(this.#may(8) ? 2 + this.chance.below(3) : 1);
    const before = this.#may(12)
      ? this.#lineEnd(column) + " ".repeat(column + this.chance.pick([0, 1, 2, 2, 2, 4]))
      : space;
    switch (this.chance.below(10)) {
      case 0:
        return this.#lineEnd(column);
      case 1:
      case 2:
        return before + this.#flow(column, depth) + this.#lineEnd(column);
      case 3:
      case 4:
        return before + this.#blockScalar(column);
      case 5:
        return before + this.#quoted(column) + this.#lineEnd(column);
      case 6:
        return before + this.#lines(column, () => this.#scalar()) + this.#lineEnd(column);
      default:
        return before + this.#scalar() + this.#lineEnd(column);
    }
  }

  #quoted(column: number): string {
    const [quote, pieces] = this.#may(2) ? ['"', doubles] : ["'", singles];
    const piece = () =>
      Array.from({ length: 1 + this.chance.below(3) }, () => this.chance.pick(pieces)).join("");
    const inner = column > 0 || this.#may(3) ? this.#lines(column, piece) : piece();
    return quote + inner + (this.#may(60) ? "" : quote);
  }

  /** Some pieces on one line or several. */
  #lines(column: number, piece: () => string): string {
    let text = piece();
    for (let left = this.chance.below(3); left > 0; left--) {
      const breaks = this.#may(4) ? "\n".repeat(1 + this.chance.below(3)) : "";
      const trailing = this.#may(8) ? "  " : "";
      const blank = this.#may(12) ? `\n${" ".repeat(this.chance.below(6))}` : "";
      const indent = this.#may(12) ? this.chance.below(column + 2) : column + 1 + this.chance.below(4);
      text += `${trailing}\n${breaks}${blank}${" ".repeat(indent)}${this.#may(25) ? "# c" : piece()}`;
    }
    return text;
  }

  #blockScalar(column: number): string {
    const header = this.chance.pick([
      "|",
      "|",
      "|",
      "|-",
      ">",
      ">",
      ">-",
      ">-",
      "|+",
      "|2",
      ">1-",
      "| # c",
      "|  ",
      "|a",
      "|#c",
      ">-  # c",
    ]);
    const width = column + (this.#may(20) ? 0 : 1 + this.chance.below(3));
    let text = `${header}\n`;
    for (let left = this.chance.below(5); left > 0; left--) {
      const line = this.chance.pick([
        ...scalars,
        "a text",
        "a text",
        "more text ",
        "# no comment",
        "- item",
        "a: b",
      ]);
      switch (this.chance.below(12)) {
        case 0:
          text += "\n";
          break;
        case 1:
          text += this.#may(4) ? `${" ".repeat(this.chance.below(width + 3))}\n` : "";
          break;
        case 2:
          text += `${" ".repeat(width + this.chance.below(3))}${line}\n`;
          break;
        case 3:
          text += this.#may(4) ? `${" ".repeat(this.chance.below(width + 1))}${line}\n` : "\n\n";
          break;
        default:
          text += `${" ".repeat(width)}${line}\n`;
      }
    }
    if (this.#may(6)) text += this.#gap(column);
    return text;
  }

  #flow(column: number, depth: number): string {
    const isMapping = this.#may(2);
    const parts: string[] = [];
    for (let left = this.chance.below(4); left > 0; left--) {
      const value = depth < 5 && this.#may(4) ? this.#flow(column, depth + 1) : this.#flowScalar(column);
      const colon = this.#may(12) ? ":" : this.#may(20) ? " : " : ": ";
      parts.push(
        this.#flowGap(column) +
          (isMapping ? `${this.#flowScalar(column)}${colon}${value}` : value) +
          this.#flowGap(column),
      );
    }
    const inner = parts.join(this.#may(20) ? "," : ", ") + (this.#may(15) ? "," : "") + this.#flowGap(column);
    const end = this.#may(60) ? "" : isMapping ? "}" : "]";
    return (isMapping ? "{" : "[") + inner + end;
  }

  #flowScalar(column: number): string {
    if (this.#may(3)) return this.#quoted(column);
    return this.#may(2)
      ? `${this.chance.pick(["a", "b", "key", "200"])}${this.chance.below(50)}`
      : this.#scalar();
  }

  #flowGap(column: number): string {
    if (!this.#may(12)) return this.#may(10) ? "  " : "";
    const comment = this.#may(3) ? ` ${this.chance.pick(comments)}` : "";
    const indent = this.#may(6) ? this.chance.below(column + 2) : column + 1 + this.chance.below(3);
    return `${comment}\n${this.#may(6) ? "\n" : ""}${" ".repeat(indent)}`;
  }

  /** The end of a line, with what may come before the next. */
  #lineEnd(column: number): string {
    const trailing = this.#may(15) ? " ".repeat(1 + this.chance.below(3)) : "";
    const comment = this.#may(15) ? `${this.#may(12) ? "" : " "}${this.chance.pick(comments)}` : "";
    return `${trailing}${comment}\n${this.#may(15) ? this.#gap(column) : ""}`;
  }

  /** Lines without a value. */
  #gap(column: number): string {
    let text = "";
    for (let left = 1 + this.chance.below(2); left > 0; left--) {
      const indent = this.#may(2) ? column : this.chance.below(column + 4);
      text += this.#may(2)
        ? `${" ".repeat(indent)}${this.chance.pick(comments)}\n`
        : this.#may(2)
          ? "\n"
          : `${" ".repeat(indent)}\n`;
    }
    return text;
  }
}

/** Gives some lines of a text, moved to the left so that the first one has no indentation. */
export function excerpt(text: string, chance: Chance, most: number): string {
  const lines = text.split("\n");
  if (lines.length <= most) return text;
  const from = chance.below(lines.length - 5);
  const taken = lines.slice(from, from + 5 + chance.below(most - 5));
  const indent = /^ */.exec(taken.find((line) => line.trim() !== "") ?? "")?.[0].length ?? 0;
  const cut = new RegExp(`^ {0,${indent}}`);
  return `${taken.map((line) => line.replace(cut, "")).join("\n")}\n`;
}

/** Gives a text with some of its lines changed as a whole. */
export function mutateLines(text: string, chance: Chance): string {
  const lines = text.split("\n");
  for (let left = 1 + chance.below(3); left > 0; left--) {
    const at = chance.below(lines.length);
    const line = lines[at] ?? "";
    switch (chance.below(9)) {
      case 0:
        if (lines.length > 1) lines.splice(at, 1);
        break;
      case 1:
        lines.splice(at, 0, chance.pick(lines));
        break;
      case 2:
        lines.splice(
          at,
          0,
          " ".repeat(chance.below(8)) +
            chance.pick(["", "", "# c", "#c", "- a", "a: 1", "text", "---", "..."]),
        );
        break;
      case 3:
        lines[at] = " ".repeat(1 + chance.below(3)) + line;
        break;
      case 4:
        lines[at] = line.slice(1 + chance.below(2));
        break;
      case 5:
        lines[at] =
          line +
          chance.pick([" ", "  ", " # c", "#", ":", ": ", " |", " >-", "\u00a0", "\\", ",", " []", '"', "'"]);
        break;
      case 6:
        lines[at] = line.replace(
          /[:-] /,
          chance.pick([
            ":  ",
            ": \n",
            ":\n  ",
            "- ",
            ": |\n   ",
            ": >\n   ",
            ": - ",
            ': "',
            ": '",
            ": [",
            " : ",
          ]),
        );
        break;
      case 7:
        lines[at] = line.replace(/(\S) (\S)/, `$1\n${" ".repeat(chance.below(12))}$2`);
        break;
      default: {
        const other = chance.below(lines.length);
        [lines[at], lines[other]] = [lines[other] ?? "", line];
      }
    }
  }
  return lines.join("\n");
}
