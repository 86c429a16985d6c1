import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { locate } from "../../core/position/position.js";
import { errorCode } from "../../disk/error-code.js";
import { mergeLock, mergeLockTexts } from "../../lock-restore.js";
import { defineCommand } from "../command.js";
import { exitCode, UsageError, type ExitCode } from "../exit-code.js";
import {
  addLockOptions,
  readLockOptions,
  type LockFlags,
  type LockRequest,
} from "../options/lock-options.js";
import { printRepair } from "../lock/repair.js";
import { printDiagnostics } from "../output/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";

interface MergeRequest extends LockRequest {
  /** The files of base, ours and theirs; ours gets the result. Without them, git's conflict is resolved. */
  readonly files: readonly [base: string, ours: string, theirs: string] | undefined;
}

export const lockMerge = defineCommand<MergeRequest>({
  about:
    'Unites two versions entry by entry, so that no ID is lost. After a conflict it takes the versions from git. As a merge driver, set it once in each clone: git config merge.agentform.driver "agentform lock merge %O %A %B"',
  examples: [
    ["agentform lock merge", "resolve git's conflict in the lock"],
    ["agentform lock merge base.lock ours.lock theirs.lock", "three files, as the merge driver passes them"],
  ],
  documents: ["repairing-the-lock.md", "gitops.md"],
  options(command) {
    command
      .argument("[base]", "the file with the common ancestor, as passed by git's merge driver (%O)")
      .argument("[ours]", "the file with our version; the result is written to it (%A)")
      .argument("[theirs]", "the file with their version (%B)");
    addLockOptions(command);
  },
  build([base, ours, theirs], flags: LockFlags, terminal) {
    const request = readLockOptions(flags, terminal);
    if (base === undefined) return { ...request, files: undefined };
    if (ours === undefined || theirs === undefined) {
      throw new UsageError("give three files, or none to resolve git's conflict in the lock");
    }
    return { ...request, files: [base, ours, theirs] };
  },
  async run(request, terminal) {
    if (request.files) return await mergeFiles(request.files, request, terminal);
    return await printRepair(await mergeLock(request), request, terminal);
  },
});

async function mergeFiles(
  files: readonly [string, string, string],
  request: LockRequest,
  terminal: Terminal,
): Promise<ExitCode> {
  const [base, ours, theirs] = files.map((file) => read(file, terminal.cwd));
  const merged = mergeLockTexts(base ?? "", ours ?? "", theirs ?? "");
  if (typeof merged === "string") {
    write(resolve(terminal.cwd, files[1]), merged);
    return exitCode.fine;
  }
  const diagnostics = locate(merged, () => ({ text: "", quotable: false }));
  await printDiagnostics(diagnostics, request, terminal);
  return exitCode.invalid;
}

function read(file: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, file), "utf8");
  } catch (cause) {
    throw new UsageError(`${file} cannot be read (${errorCode(cause)})`);
  }
}

// Git made this file for the result, and moves it into place itself.
function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw new UsageError(`${file} cannot be written (${errorCode(cause)})`);
  }
}
