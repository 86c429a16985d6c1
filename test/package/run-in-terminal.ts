import { spawn } from "node:child_process";
import { join } from "node:path";
import { inject } from "vitest";
import { TerminalScreen } from "../cli/screen.js";
import { needProgram } from "../harness/need.js";

/** A command that runs in a terminal. */
export interface InTerminal {
  readonly ended: Promise<number | null>;
  type(text: string): void;
  /** Takes the terminal away, as somebody who closes its window. */
  close(): void;
  /** What the terminal shows now. */
  shown(): TerminalScreen;
  /** All that was written to the terminal. */
  written(): string;
}

/** Runs the installed command line with words of a shell in a terminal of 100 × 30; the shell gives way to it, or does something else first. */
export function runInTerminal(
  directory: string,
  words: string,
  env: NodeJS.ProcessEnv = {},
  first = "exec",
): InTerminal {
  needProgram("script", "needs a terminal, which takes `script` of util-linux");
  const cli = join(inject("installed"), "node_modules/agentform/dist/cli.js");
  const command = `stty cols 100 rows 30; ${first} '${process.execPath}' '${cli}' ${words}`;
  const { PATH } = process.env;
  const child = spawn("script", ["--quiet", "--return", "--flush", "--command", command, "/dev/null"], {
    cwd: directory,
    env: { PATH, TERM: "xterm", SHELL: "/bin/sh", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let written = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (written += text));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return {
    ended,
    type: (text) => void child.stdin.write(text),
    close: () => void child.kill("SIGKILL"),
    shown: () => new TerminalScreen().write(written),
    written: () => written,
  };
}
