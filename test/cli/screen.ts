/** A terminal that is written to: the lines that it shows, with those that have scrolled away. */
export class TerminalScreen {
  readonly #lines: string[] = [""];
  #row = 0;
  #column = 0;

  /** Takes the width, if it matters what is erased at the end of a full line. */
  constructor(private readonly width = Infinity) {}

  /** Works out what a text, with the escapes that move and erase, makes of the screen. */
  write(text: string): this {
    const parts = text.matchAll(/\x1b\[(\d*)([A-Za-z])|\x1b\[\?\d+[hl]|\n|\r|[^\x1b\n\r]+/g);
    for (const [part, count = "", code] of parts) {
      if (code !== undefined) this.#move(code, Number(count || (code === "K" ? 0 : 1)));
      else if (part === "\n") this.#lineFeed();
      else if (part === "\r") this.#column = 0;
      else if (!part.startsWith("\x1b")) this.#put(part);
    }
    return this;
  }

  /** The lines from the first to the last that is not empty. */
  get lines(): string[] {
    const last = this.#lines.findLastIndex((line) => line.trim() !== "");
    return this.#lines.slice(0, last + 1).map((line) => line.trimEnd());
  }

  get text(): string {
    return this.lines.join("\n");
  }

  #move(code: string, count: number): void {
    if (code === "A") this.#row = Math.max(0, this.#row - count);
    else if (code === "B") this.#row = Math.min(this.#lines.length - 1, this.#row + count);
    else if (code === "G") this.#column = count - 1;
    else if (code === "H") [this.#row, this.#column] = [0, 0];
    else if (code === "J") [this.#lines.length, this.#row, this.#column] = [0, 0, 0];
    else if (code === "K") this.#erase(count);
    else if (code !== "m") throw new Error(`the screen knows no ${code}`);
  }

  #erase(how: number): void {
    this.#lines[this.#row] =
      how === 2 ? "" : (this.#lines[this.#row] ?? "").slice(0, Math.min(this.#column, this.width - 1));
  }

  // As a terminal's driver does with what a program writes.
  #lineFeed(): void {
    this.#column = 0;
    this.#row++;
    if (this.#row === this.#lines.length) this.#lines.push("");
  }

  #put(text: string): void {
    const line = (this.#lines[this.#row] ?? "").padEnd(this.#column);
    this.#lines[this.#row] = line.slice(0, this.#column) + text + line.slice(this.#column + text.length);
    this.#column += text.length;
  }
}
