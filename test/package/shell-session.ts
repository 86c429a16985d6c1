import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, inject, onTestFinished } from "vitest";
import { needProgram } from "../harness/need.js";

/** The shells that complete lines. */
export const shellNames = ["bash", "zsh", "fish"] as const;

export type ShellName = (typeof shellNames)[number];

/** A shell in a terminal, in which somebody types. */
export interface ShellSession {
  /** Types a line of the command `show`, which is completed as `agentform` is, and Enter; gives the words that it was called with. */
  type(line: string): Promise<readonly string[]>;
  /** All that was written to the terminal. */
  written(): string;
}

interface SessionOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** A line that the shell runs first. */
  readonly first?: string;
}

const starts: Readonly<
  Record<ShellName, { readonly command: string; readonly lines: (log: string) => string[] }>
> = {
  bash: {
    command: "bash --norc --noprofile -i",
    lines: (log) => [
      "source <(agentform completion bash)",
      `show() { printf '%s\\0' "$@" END >> '${log}'; }`,
      "complete -F _agentform show",
    ],
  },
  zsh: {
    command: "zsh -f -i",
    lines: (log) => [
      "autoload -U compinit; compinit -u -D",
      "source <(agentform completion zsh)",
      `show() { printf '%s\\0' "$@" END >> '${log}'; }`,
      "compdef _agentform show",
    ],
  },
  fish: {
    command: "fish --no-config -i",
    lines: (log) => [
      "agentform completion fish | source",
      `function show; printf '%s\\0' $argv END >> '${log}'; end`,
      "complete -c show -w agentform",
    ],
  },
};

/** Opens a shell in a terminal, with the installed `agentform` and its completion; skips the test where the machine lacks a program. */
export async function openShell(
  shell: ShellName,
  { cwd, env, first }: SessionOptions,
): Promise<ShellSession> {
  needProgram(shell);
  needProgram("script", "needs a terminal, which takes `script` of util-linux");
  const folder = mkdtempSync(join(tmpdir(), "agentform-shell-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const log = join(folder, "log");
  const bin = join(inject("installed"), "node_modules/.bin");
  const { command, lines } = starts[shell];
  const child = spawn("script", ["--quiet", "--flush", "--command", command, "/dev/null"], {
    cwd,
    env: {
      PATH: [bin, process.env["PATH"]].join(delimiter),
      HOME: folder,
      TERM: "dumb",
      SHELL: "/bin/sh",
      LC_ALL: "C.UTF-8",
      ...env,
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let written = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (written += text));
  const ended = once(child, "close");
  // Hooks run backwards, so the shell has ended, and writes no history any more, when its folder is removed.
  onTestFinished(async ({ task }) => {
    // An end of the input that comes before a shell reads its next line may be lost; a line is not.
    child.stdin.end("exit\n");
    // In the middle of a line or a program, where a test fails, a shell does not take the end of its input for its own.
    if (task.result?.state === "fail") child.kill("SIGKILL");
    await ended;
  });
  const calls = () => (existsSync(log) ? readFileSync(log, "utf8") : "").split("END\0").slice(0, -1);
  const type = async (line: string): Promise<readonly string[]> => {
    const before = calls().length;
    child.stdin.write(`${line}\n`);
    await expect.poll(() => calls().length, { interval: 20 }).toBe(before + 1);
    return (calls().at(-1) ?? "").split("\0").slice(0, -1);
  };
  for (const line of [...(first === undefined ? [] : [first]), ...lines(log)]) child.stdin.write(`${line}\n`);
  await type("show ready");
  written = "";
  return { type, written: () => written };
}
