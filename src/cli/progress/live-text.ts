import { Writable } from "node:stream";
import { createLogUpdate } from "log-update";
import { deadText } from "../../render/words/log-text.js";
import type { Screen, Terminal } from "../terminal/terminal.js";

/** Text on the last lines of a terminal, below everything that is printed. */
export interface LiveText {
  /** Prints whole lines above the text, with the next frame. */
  print(text: string): void;
  /** Removes the text, and prints the lines that are still waiting. */
  end(): void;
}

// A frame costs a third of a millisecond, and a fast apply ends more than a thousand actions in a second.
const frameTime = 100;

/** Shows a text on standard error, updated ten times in a second; `render` gives it for a size of the terminal. */
export function openLiveText(terminal: Terminal, render: (size: Screen) => string): LiveText {
  const frame = new FrameStream(terminal);
  // The cursor stays visible: an apply that is killed could not show it again.
  const update = createLogUpdate(frame, { showCursor: true });
  let unprinted = "";
  const print = () => {
    if (unprinted === "") return;
    update.clear();
    frame.write(unprinted);
    unprinted = "";
  };
  const draw = () => {
    print();
    update(render({ columns: frame.columns, rows: frame.rows }));
    frame.show();
  };
  const end = () => {
    clearInterval(timer);
    process.off("exit", end);
    print();
    update.clear();
    frame.show();
  };
  const timer = setInterval(draw, frameTime).unref();
  // The second signal ends the process at once.
  process.once("exit", end);
  draw();
  return { print: (text) => void (unprinted += deadText(text)), end };
}

/** Combines the parts of a frame in one write, so that a terminal never shows a partial frame. */
class FrameStream extends Writable {
  #text = "";

  constructor(private readonly terminal: Terminal) {
    super({ decodeStrings: false });
  }

  get columns(): number {
    return this.terminal.screen?.columns ?? 80;
  }

  get rows(): number {
    return this.terminal.screen?.rows ?? 24;
  }

  override _write(text: string, _encoding: BufferEncoding, done: () => void): void {
    this.#text += text;
    done();
  }

  show(): void {
    const text = this.#text;
    this.#text = "";
    if (text !== "") this.terminal.draw(text);
  }
}
