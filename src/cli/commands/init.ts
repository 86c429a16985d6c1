import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { defineCommand, type CommonOptions } from "../command.js";
import { exitCode } from "../exit-code.js";
import { initialFiles } from "../init-files.js";

interface InitRequest {
  readonly directory: string;
  /** The folder as the user named it. */
  readonly shown: string;
}

export const init = defineCommand<InitRequest>({
  options(command) {
    command.argument("[dir]", "the folder of the new workspace; this one if left out");
  },
  build([dir], { workspace }: CommonOptions, { cwd }) {
    const shown = dir ?? workspace ?? ".";
    return { directory: resolve(cwd, shown), shown };
  },
  async run({ directory, shown }, terminal) {
    const files = Object.entries(initialFiles(workspaceName(directory)));
    const existing = files.map(([file]) => file).filter((file) => existsSync(join(directory, file)));
    // An ignore file is often there already, and nothing of anybody's is overwritten.
    const taken = existing.filter((file) => file !== ".gitignore");
    if (taken.length > 0) {
      terminal.err(`error: ${taken.join(", ")} exist already in ${shown}; nothing was written\n`);
      return exitCode.invalid;
    }
    try {
      for (const [file, text] of files) {
        if (existing.includes(file)) continue;
        mkdirSync(dirname(join(directory, file)), { recursive: true });
        writeFileSync(join(directory, file), text, { flag: "wx" });
      }
    } catch (cause) {
      terminal.err(
        `error: ${shown} cannot be written (${(cause as NodeJS.ErrnoException).code ?? "error"})\n`,
      );
      return exitCode.invalid;
    }
    const at = shown === "." ? "" : ` -C ${shown}`;
    terminal.out(`${files.map(([file]) => `  ${file}\n`).join("")}
A workspace of one policy, tool set, credential and agent. Try it without a service:

  agentform plan${at} --emulator
  agentform apply${at} --emulator
`);
    return exitCode.fine;
  },
});

function workspaceName(directory: string): string {
  const name = basename(directory)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, "");
  return name === "" ? "workspace" : name;
}
