import { once } from "node:events";
import { resolve } from "node:path";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator/emulator.js";
import { FaultError, parseFaults } from "../../emulator/fault.js";
import { choosing, wholeNumber, type CommonOptions, type RunnableCommand } from "../command.js";
import { exitCode, UsageError } from "../exit-code.js";
import type { EmulatorAnswer } from "../../generated/emulator.js";
import { addResultFormat, printResult, type ResultFlags } from "../output/result.js";
import { checkoutFolders } from "../files/written-file.js";
import { readUserFile } from "../files/user-file.js";

const answers = ["opaque", "names", "objects", "shuffled", "minimal"] as const;
const operations = ["documented", "full"] as const;
const lists = ["array", "key", "pages"] as const;

interface EmulatorFlags extends CommonOptions, ResultFlags {
  readonly port?: number;
  readonly data?: string;
  readonly answers: (typeof answers)[number];
  readonly operations: (typeof operations)[number];
  readonly lists?: (typeof lists)[number];
  readonly faults?: string;
}

export const emulator: RunnableCommand = {
  about:
    "Answers like the service, until it is interrupted. For most trials `agentform apply --emulator` is enough, which needs no second terminal. `POST /__emulator/edit` makes an edit, as people do in the console of a service.",
  examples: [
    ["agentform emulator --port 8080", "listen on http://127.0.0.1:8080"],
    [
      "agentform emulator --data .agentform/service --operations full",
      "keep the objects, and list, read and delete them too",
    ],
    ["agentform emulator --faults faults.json", "with failures, to see what an apply does"],
  ],
  documents: ["reference/emulator.md"],
  options(command) {
    command
      .option(
        "--port <n>",
        "the port on 127.0.0.1; any free one if left out",
        wholeNumber("--port", "a number from 0 to 65535", 0, 65_535),
      )
      .option("--data <dir>", "the folder to store objects in; in memory if left out")
      .addOption(choosing("--answers <form>", "the form of its answers", answers, "opaque"))
      .addOption(
        choosing(
          "--operations <which>",
          "what it can do: what is documented, or also list, read, update and delete",
          operations,
          "documented",
        ),
      )
      .addOption(
        choosing(
          "--lists <form>",
          "the form of its lists with `--operations full`, array if left out",
          lists,
        ),
      )
      .option("--faults <file>", "a JSON file of faults to play");
    addResultFormat(command);
  },
  async run(_args, flags: EmulatorFlags, terminal) {
    const { port, data, lists: listed, faults } = flags;
    const { cwd } = terminal;
    if (listed !== undefined && flags.operations !== "full") {
      throw new UsageError("--lists needs --operations full");
    }
    const running = await start({
      ...(port !== undefined && { port }),
      ...(data !== undefined && { data: resolve(cwd, data), checkouts: checkoutFolders(cwd) }),
      answers: flags.answers,
      operations: flags.operations,
      ...(listed !== undefined && { lists: listed }),
      ...(faults !== undefined && { faults: readFaults(faults, cwd) }),
      log: (line) => terminal.err(`${line}\n`),
    });
    const stop = new AbortController();
    const { signal } = stop;
    const stopped = Promise.race([once(process, "SIGINT", { signal }), once(process, "SIGTERM", { signal })]);
    const { url, consoleKey } = running;
    const json = (): EmulatorAnswer => ({ format: "agentform/emulator/v1", url, console_key: consoleKey });
    // Whoever reads this may send a signal at once.
    const text = () =>
      `The emulator listens on ${url}\nThe key of its console, /__emulator/: ${consoleKey}\n`;
    await printResult({ text, json }, flags, terminal);
    await stopped;
    stop.abort();
    await running.close();
    return exitCode.fine;
  },
};

async function start(options: EmulatorOptions): Promise<Emulator> {
  try {
    return await startEmulator(options);
  } catch (cause) {
    const code = cause instanceof Error && "syscall" in cause && "code" in cause ? cause.code : undefined;
    if (code === undefined) throw cause;
    throw new UsageError(`--port ${options.port ?? 0} cannot be used (${String(code)})`);
  }
}

function readFaults(file: string, cwd: string) {
  try {
    return parseFaults(readUserFile(`--faults ${file}`, file, cwd));
  } catch (cause) {
    if (cause instanceof FaultError) throw new UsageError(`--faults ${file}: ${cause.message}`);
    throw cause;
  }
}
