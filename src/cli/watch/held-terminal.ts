import type { Key } from "../terminal/keys.js";
import type { Terminal } from "../terminal/terminal.js";
import type { Pager } from "./pager.js";

// In milliseconds: by then a signal to this process has stopped it.
const stopping = 100;

/**
 * The terminal of a command that watches: its keys and its screen. When the command is stopped, as by Ctrl-Z, the shell
 * gets it back; when it goes on, it takes the terminal again.
 */
export class HeldTerminal {
  #deafen: (() => void) | undefined;
  #isTaking = false;
  #isOver = false;

  /** Takes what to do with a key; signals that end the command are keys, too. */
  constructor(
    private readonly listen: NonNullable<Terminal["listen"]>,
    private readonly pager: Pager,
    private readonly onKey: (key: Key) => void,
  ) {}

  async hold(): Promise<void> {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, this.#end);
    process.on("SIGTSTP", this.#stop).on("SIGCONT", this.#goOn);
    await this.#take();
  }

  release(): void {
    this.#isOver = true;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.off(signal, this.#end);
    process.off("SIGTSTP", this.#stop).off("SIGCONT", this.#goOn);
    this.#give();
  }

  async #take(): Promise<void> {
    if (this.#isOver || this.#isTaking) return;
    this.#isTaking = true;
    this.#deafen?.();
    this.#deafen = await this.listen((key) => (key === "ctrl-z" ? this.#stop() : this.onKey(key)));
    this.#isTaking = false;
    this.pager.open();
  }

  #give(): void {
    this.#deafen?.();
    this.#deafen = undefined;
    this.pager.close();
  }

  readonly #end = () => this.onKey("ctrl-c");

  readonly #goOn = () => void this.#take();

  // The whole group is stopped, as the terminal itself does it: npx may be waiting for this process.
  readonly #stop = () => {
    // Windows stops no processes.
    if (process.platform === "win32") return;
    this.#give();
    process.off("SIGTSTP", this.#stop);
    process.kill(0, "SIGTSTP");
    setTimeout(() => {
      process.on("SIGTSTP", this.#stop);
      if (!this.#deafen) this.#goOn();
    }, stopping);
  };
}
