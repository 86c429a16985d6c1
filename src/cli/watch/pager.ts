import { basename } from "node:path";
import wrapAnsi from "wrap-ansi";
import { safeLine } from "../../render/words/terminal-text.js";
import type { Screen, Terminal } from "../terminal/terminal.js";
import { replaced, scrolled, type View } from "./view.js";

// The screen that programs such as less use, with no cursor, and lines that end at its edge.
const enter = "\x1b[?1049h\x1b[?25l\x1b[?7l";
const leave = "\x1b[?7h\x1b[?25h\x1b[?1049l";

/** Shows a text that is replaced again and again on the whole terminal; a key scrolls it. */
export class Pager {
  #shown: View = { lines: [], top: 0 };
  /** The last view of a result; an error is shown for a while, and the reader goes on from here. */
  #place: View = this.#shown;
  #isResult = false;
  #note = "";

  /** Takes the folder that is watched, for the last line. */
  constructor(
    private readonly terminal: Terminal,
    private readonly directory: string,
  ) {}

  /** Takes the whole terminal. */
  open(): void {
    this.terminal.draw(enter);
    process.off("exit", this.close).once("exit", this.close);
    this.draw();
  }

  /** Says on the last line what is going on. */
  note(text: string): void {
    this.#note = text;
    this.draw();
  }

  /** Replaces the text; a result keeps the place of the last result, an error is shown from its start. */
  show(text: string, isResult: boolean): void {
    const lines = wrapped(text, this.#screen.columns);
    this.#isResult = isResult;
    this.#see(isResult ? replaced(this.#place, lines, this.#rows) : { lines, top: 0 });
  }

  /** Scrolls by the key that was pressed. */
  scroll(key: string): void {
    const by = distances(this.#rows).get(key);
    if (by !== undefined) this.#see(scrolled(this.#shown, by, this.#rows));
  }

  /** Draws everything again. */
  draw(): void {
    const { lines, top } = this.#shown;
    // A line is erased before it is written: after one that is as wide as the screen, its last character would go.
    const part = Array.from(
      { length: this.#rows },
      (_, index) => `\x1b[2K${lines[top + index] ?? ""}\x1b[0m\r\n`,
    );
    this.terminal.draw(`\x1b[H${part.join("")}\x1b[2K\x1b[7m${this.#status()}\x1b[0m`);
  }

  /** Gives the terminal back. */
  readonly close = (): void => {
    process.off("exit", this.close);
    this.terminal.draw(leave);
  };

  get #screen(): Screen {
    return this.terminal.screen ?? { columns: 80, rows: 24 };
  }

  get #rows(): number {
    return Math.max(1, this.#screen.rows - 1);
  }

  #see(view: View): void {
    this.#shown = view;
    if (this.#isResult) this.#place = view;
    this.draw();
  }

  #status(): string {
    const { lines, top } = this.#shown;
    const last = Math.min(lines.length, top + this.#rows);
    const isLong = lines.length > this.#rows;
    const parts = [
      safeLine(basename(this.directory)),
      this.#note,
      ...(isLong ? [`lines ${top + 1} to ${last} of ${lines.length}`, "↑ ↓ space: scroll"] : []),
      "r: plan again",
      "q: quit",
    ];
    return ` ${parts.join(" · ")} `.slice(0, this.#screen.columns);
  }
}

function wrapped(text: string, columns: number): string[] {
  const lines = text.replace(/\n+$/, "").split("\n");
  return lines.flatMap((line) =>
    line.length <= columns ? [line] : wrapAnsi(line, columns, { hard: true, trim: false }).split("\n"),
  );
}

function distances(rows: number): ReadonlyMap<string, number> {
  const [page, all] = [Math.max(1, rows - 1), Infinity];
  const keys = [
    { by: -1, names: ["up", "k"] },
    { by: 1, names: ["down", "j", "return"] },
    { by: -page, names: ["pageup", "b"] },
    { by: page, names: ["pagedown", "space"] },
    { by: -all, names: ["home", "g"] },
    { by: all, names: ["end", "G"] },
  ];
  return new Map(keys.flatMap(({ by, names }) => names.map((name) => [name, by] as const)));
}
