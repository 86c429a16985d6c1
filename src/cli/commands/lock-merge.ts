import { resolve } from "node:path";
import { locate } from "../../core/position/position.js";
import { StoreFailedError } from "../../core/state/lock-store.js";
import { mergeLock, mergeLockTexts } from "../../sync/lock/restore.js";
import { readText } from "../../store/local/read-text.js";
import { LockFile } from "../../store/local/lock-file.js";
import type { RunnableCommand } from "../command.js";
import { UsageError, type ExitCode } from "../exit-code.js";
import { printRepair } from "../output/repair.js";
import {
  addLockOptions,
  readLockOptions,
  type LockFlags,
  type LockRequest,
} from "../options/lock-options.js";
import { fail } from "../output/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";

export const lockMerge: RunnableCommand = {
  about:
    'Unites two versions entry by entry, so that no ID is lost. After a conflict it takes the versions from git. As a merge driver, set it once in each clone: git config merge.agentform.driver "agentform lock merge %O %A %B"',
  examples: [
    ["agentform lock merge", "resolve git's conflict in the lock"],
    ["agentform lock merge base.lock ours.lock theirs.lock", "three files, as the merge driver passes them"],
  ],
  documents: ["how-to/roll-back.md"],
  options(command) {
    command
      .argument("[base]", "the file with the common ancestor, as passed by git's merge driver (%O)")
      .argument("[ours]", "the file with our version; the result is written to it (%A)")
      .argument("[theirs]", "the file with their version (%B)");
    addLockOptions(command);
  },
  async run([base, ours, theirs], flags: LockFlags, terminal) {
    const request = readLockOptions(flags, terminal);
    if (base === undefined) return await printRepair(await mergeLock(request), request, terminal);
    if (ours === undefined || theirs === undefined) {
      throw new UsageError("give three files, or none to resolve git's conflict in the lock");
    }
    return await mergeFiles([base, ours, theirs], request, terminal);
  },
};

async function mergeFiles(
  files: readonly [string, string, string],
  request: LockRequest,
  terminal: Terminal,
): Promise<ExitCode> {
  const [base, ours, theirs] = files.map((file) => read(file, terminal.cwd));
  const merged = mergeLockTexts(base ?? "", ours ?? "", theirs ?? "");
  if (!merged.ok) {
    const diagnostics = locate(merged.problems, () => ({ text: "", quotable: false }));
    return await fail(diagnostics, request, terminal);
  }
  write(files[1], terminal.cwd, merged.text);
  return await printRepair({ status: "done", diagnostics: [] }, request, terminal);
}

function read(file: string, cwd: string): string {
  const text = asUsage(() => readText(resolve(cwd, file), file));
  if (text === null) throw new UsageError(`${file} does not exist`);
  return text;
}

// Git moves this file into place itself. What is written may still be read from it, so it is replaced as a whole.
function write(file: string, cwd: string, text: string): void {
  asUsage(() => new LockFile(resolve(cwd, file), file).write(text));
}

function asUsage<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (thrown) {
    if (!(thrown instanceof StoreFailedError)) throw thrown;
    throw new UsageError(thrown.message);
  }
}
