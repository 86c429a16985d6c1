import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatch, parsePatch } from "diff";
import { main } from "../../src/cli/main.js";

/** Runs the few commands that the documents show, from a folder that `cd` changes. */
export class Shell {
  #exitCode = 0;

  constructor(
    private cwd: string,
    private readonly env: NodeJS.ProcessEnv = {},
  ) {}

  /** Runs one command; gives what it prints, results and messages in the order of their writing. */
  async run(command: string): Promise<string> {
    const [name = "", ...args] = command.split(" ");
    switch (name) {
      case "agentform":
        return await this.#agentform(args);
      case "cat":
        return args.map((file) => readFileSync(join(this.cwd, file), "utf8")).join("");
      case "cd":
        this.cwd = join(this.cwd, args[0] ?? "");
        return "";
      case "echo":
        return `${args.join(" ").replaceAll("$?", String(this.#exitCode))}\n`;
      default:
        throw new Error(`the documents show a command that the tests cannot run: ${command}`);
    }
  }

  /** Makes the changes of a patch in the current folder. */
  patch(text: string): void {
    for (const file of parsePatch(text)) {
      const path = join(this.cwd, (file.newFileName ?? "").replace(/^b\//, ""));
      const patched = applyPatch(readFileSync(path, "utf8"), file);
      if (patched === false) throw new Error(`the patch of ${path} does not fit`);
      writeFileSync(path, patched);
    }
  }

  async #agentform(args: readonly string[]): Promise<string> {
    let printed = "";
    const print = (text: string) => {
      printed += text;
    };
    this.#exitCode = await main(args, {
      env: { ...this.env },
      cwd: this.cwd,
      isTerminal: false,
      canAsk: false,
      showsProgress: false,
      out: print,
      err: print,
    });
    return printed;
  }
}
