/** How the end of a line is quoted: by the quote that is still open, if any. */
export type OpenQuote = "" | "'" | '"';

/** A half-typed line of a shell, with its quotes taken away; nothing in it is expanded. */
export interface ShellLine {
  /** The words of the last command on the line, of which the last is half typed or empty. */
  readonly words: readonly string[];
  readonly quote: OpenQuote;
  /** The beginning of the last word that readline leaves as it is, because a word ends there for it. */
  readonly kept: string;
  /** Whether the last word is the file of a redirection. */
  readonly isRedirected: boolean;
  /** Whether the line ends in a backslash. */
  readonly isEscaping: boolean;
}

/** Splits a line up to the cursor as bash does, also at `COMP_WORDBREAKS`, which end a word for readline alone. */
export function splitLine(line: string, breaks: string): ShellLine {
  const reading = new Reading(new Set(breaks));
  for (const char of line) reading.take(char);
  return reading.end();
}

class Reading {
  #words: string[] = [];
  #word = "";
  /** Whether the word has begun, perhaps with nothing but a quote. */
  #isOpen = false;
  #quote: OpenQuote = "";
  #isEscaping = false;
  /** How much of the word lies before the place where it begins for readline. */
  #kept = 0;
  /** How much of the word lies before its last quote. */
  #quoted = 0;
  #isRedirected = false;

  constructor(private readonly breaks: ReadonlySet<string>) {}

  take(char: string): void {
    if (this.#isEscaping) this.#escaped(char);
    else if (char === "\\" && this.#quote !== "'") this.#isEscaping = true;
    else if (this.#quote !== "") {
      if (char === this.#quote) this.#quote = "";
      else this.#word += char;
    } else this.#plain(char);
  }

  end(): ShellLine {
    // Within an open quote, a word begins for readline where the quote does.
    const kept = this.#word.slice(0, this.#quote === "" ? this.#kept : this.#quoted);
    return {
      words: [...this.#words, this.#word],
      quote: this.#quote,
      kept,
      isRedirected: this.#isRedirected,
      isEscaping: this.#isEscaping,
    };
  }

  #escaped(char: string): void {
    this.#isEscaping = false;
    this.#isOpen = true;
    const isLiteral = this.#quote === '"' && !/["$\\`]/.test(char);
    this.#word += isLiteral ? `\\${char}` : char;
  }

  #plain(char: string): void {
    if (/\s/.test(char)) this.#endWord();
    else if (/[<>]/.test(char)) {
      this.#endWord();
      this.#isRedirected = true;
    } else if (/[;&|()]/.test(char)) {
      this.#endWord();
      this.#words = [];
    } else {
      this.#isOpen = true;
      if (char === "'" || char === '"') {
        this.#quote = char;
        this.#quoted = this.#word.length;
      } else {
        this.#word += char;
        if (this.breaks.has(char)) this.#kept = this.#word.length;
      }
    }
  }

  #endWord(): void {
    if (this.#isOpen && !this.#isRedirected) this.#words.push(this.#word);
    if (this.#isOpen) this.#isRedirected = false;
    this.#word = "";
    this.#isOpen = false;
    this.#kept = 0;
  }
}
