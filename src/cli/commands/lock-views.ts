import { hasErrors, type Diagnostic } from "../../core/finding/diagnostic.js";
import { readLock } from "../../sync/lock/edits.js";
import { readStatus } from "../../sync/lock/status.js";
import { readUsedLock } from "../../sync/lock/used-lock.js";
import { listVersions } from "../../sync/lock/versions.js";
import type { SeenState } from "../../sync/request.js";
import type { CommandManual, RunnableCommand } from "../command.js";
import { exitCode, type ExitCode } from "../exit-code.js";
import {
  addLockOptions,
  readLockOptions,
  type LockRequest,
  type LockFlags,
} from "../options/lock-options.js";
import { startStages } from "../output/detail.js";
import { fail, printDiagnostics } from "../output/print-diagnostics.js";

/** What a command on the state shows: how it is read, and rendered by format. */
interface LockView<View> extends CommandManual {
  read(request: LockRequest): Promise<SeenState<View>>;
  text(state: View, request: LockRequest): Promise<string>;
  json(state: View): Promise<string>;
  /** How it ends after something was shown; well unless given. */
  code?(state: View, diagnostics: readonly Diagnostic[]): ExitCode;
}

function defineLockView<View>({ read, code, text, json, ...manual }: LockView<View>): RunnableCommand {
  return {
    ...manual,
    options: addLockOptions,
    async run(_args, flags: LockFlags, terminal) {
      const request = readLockOptions(flags, terminal);
      const stages = startStages(terminal);
      const { state, diagnostics } = await read(request);
      stages.lap("read the workspace and the state");
      if (!state) return await fail(diagnostics, request, terminal);
      await printDiagnostics(diagnostics, request, terminal);
      terminal.out(request.format === "json" ? await json(state) : await text(state, request));
      return code ? code(state, diagnostics) : exitCode.fine;
    },
  };
}

const texts = () => import("../../render/lock/lock-list-text.js");
const jsonTexts = () => import("../../render/lock/lock-json.js");

export const lockList = defineLockView({
  about: "Shows the ID of each, and what has an unknown outcome.",
  examples: [
    ["agentform lock list", "of the default environment"],
    ["agentform lock list -e production --format json", "for a script"],
  ],
  documents: ["explanation/state.md"],
  read: readLock,
  text: async (state, request) => (await texts()).renderLockListText(state, request),
  json: async (state) => (await jsonTexts()).renderLockListJson(state),
});

export const lockRetired = defineLockView({
  about:
    "Objects stay behind after a replacement and when a document is removed. Delete them by hand, or with `agentform prune`.",
  examples: [
    ["agentform lock retired", "of the default environment"],
    ["agentform lock retired --format json", "for a script that deletes them"],
  ],
  documents: ["how-to/prune.md"],
  read: readUsedLock,
  text: async (state, request) => (await texts()).renderLockRetiredText(state, request),
  json: async (state) => (await jsonTexts()).renderLockRetiredJson(state),
});

export const lockStatus = defineLockView({
  about:
    "Ends with 4 if the state is held or has moved, with 1 if it cannot be used, and with 0 if nobody holds it.",
  examples: [
    ["agentform lock status", "of the default environment"],
    ["agentform lock status -e production --format json", "for a script"],
  ],
  documents: ["how-to/dead-runner.md", "explanation/state.md"],
  read: readStatus,
  text: async (state) =>
    (await import("../../render/lock/lock-status-text.js")).renderLockStatusText(state, Date.now()),
  json: async (state) => (await jsonTexts()).renderLockStatusJson(state),
  code({ holder, movedTo, movingFrom }, diagnostics) {
    if (movedTo || movingFrom) return exitCode.moved;
    if (hasErrors(diagnostics)) return exitCode.invalid;
    return holder ? exitCode.moved : exitCode.fine;
  },
});

export const lockHistory = defineLockView({
  about:
    "Shows serial, time and writer of each. A lock in files has its versions in the commits of git; most other stores keep their own.",
  examples: [
    ["agentform lock history", "of the default environment"],
    ["agentform lock history --format json", "for a script"],
  ],
  documents: ["explanation/state.md"],
  read: listVersions,
  text: async ({ source, versions }) => (await texts()).renderLockHistoryText(source, versions),
  json: async (state) => (await jsonTexts()).renderLockHistoryJson(state),
});
