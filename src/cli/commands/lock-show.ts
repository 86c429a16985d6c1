import { choiceOf, stateOptions } from "../../core/state/state-choice.js";
import { error } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import { nearAmong } from "../../core/kind/near-address.js";
import { locate } from "../../core/position/position.js";
import { readUsedLock, withUsers, type UsedLock } from "../../sync/lock/used-lock.js";
import { readVersion } from "../../sync/lock/versions.js";
import { wholeNumber, type RunnableCommand } from "../command.js";
import { exitCode, UsageError } from "../exit-code.js";
import {
  addLockOptions,
  readAddress,
  readLockOptions,
  type LockFlags,
  type LockRequest,
} from "../options/lock-options.js";
import { startStages } from "../output/detail.js";
import { fail, printDiagnostics } from "../output/print-diagnostics.js";
import { findResource, listResources, type ShownResource } from "../../render/lock/lock-view.js";

export const lockShow: RunnableCommand = {
  about: "Its IDs, its references, and the body that was last sent. Secrets are never in the lock.",
  examples: [
    ["agentform lock show agent:support", "one resource"],
    ["agentform lock show agent:support --at 1", "as it was in an earlier version of the lock"],
  ],
  documents: ["explanation/state.md"],
  options(command) {
    command
      .argument("[addr]", "the address; with --at it may be left out, for all that was managed")
      .option(
        "--at <serial>",
        "the version of the lock with this serial, of `lock history`",
        wholeNumber("--at", "a serial, a whole number"),
      );
    addLockOptions(command);
  },
  async run([text], flags: LockFlags & { readonly at?: number }, terminal) {
    const { at } = flags;
    if (text === undefined && at === undefined) throw new UsageError("give an address, or --at SERIAL");
    const address = text === undefined ? undefined : readAddress(text);
    const request = readLockOptions(flags, terminal);
    const stages = startStages(terminal);
    const { state, diagnostics } =
      at === undefined ? await readUsedLock(request) : await readVersionWithUsers(request, at);
    stages.lap("read the workspace and the state");
    if (!state) return await fail(diagnostics, request, terminal);
    await printDiagnostics(diagnostics, request, terminal);
    const row = address === undefined ? undefined : findResource(state.lock, address);
    if (address !== undefined && !row) return await fail(unknownAddress(address, state), request, terminal);
    terminal.out(row ? await render(state, row, request) : await renderAll(state, request));
    return exitCode.fine;
  },
};

// Of an earlier version, the lock alone is from then.
async function readVersionWithUsers(request: LockRequest, at: number) {
  const { state, diagnostics } = await readVersion(request, at);
  return { diagnostics, ...(state && { state: withUsers(state) }) };
}

async function renderAll(state: UsedLock, request: LockRequest): Promise<string> {
  if (request.format === "json") {
    const { renderLockListJson } = await import("../../render/lock/lock-json.js");
    return renderLockListJson(state);
  }
  const { renderLockListText } = await import("../../render/lock/lock-list-text.js");
  return renderLockListText(state, request);
}

async function render(state: UsedLock, row: ShownResource, request: LockRequest): Promise<string> {
  const origins = state.originsOf(row.address);
  if (request.format === "json") {
    const { renderLockShowJson } = await import("../../render/lock/lock-json.js");
    return renderLockShowJson(state, row, origins);
  }
  const { renderLockShowText } = await import("../../render/lock/lock-show-text.js");
  return renderLockShowText(state, row, { ...request, origins });
}

function unknownAddress(address: string, { lock, source }: UsedLock) {
  const options = stateOptions(choiceOf(lock));
  const isRetired = Object.values(lock.retired).some((object) => object.address === address);
  const hint = isRetired
    ? `its objects are left behind in the service: \`agentform lock retired${options}\` lists them`
    : (nearAmong(listResources(lock).map((row) => row.address))(address) ??
      `\`agentform lock list${options}\` lists the managed resources`);
  const message = say`${bare({ source })} has no entry for ${bare({ address })}`;
  return locate([error("option-unknown-address", undefined, message, hint)]);
}
