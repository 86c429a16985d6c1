import { error } from "../../core/finding/diagnostic.js";
import { didYouMean } from "../../core/finding/nearest.js";
import { locate } from "../../core/position/position.js";
import type { ReadLock } from "../../sync/lock/edits.js";
import { defineCommand } from "../command.js";
import { exitCode, UsageError } from "../exit-code.js";
import {
  addLockViewOptions,
  readAddress,
  readLockViewOptions,
  type LockViewFlags,
  type LockViewRequest,
} from "../options/lock-options.js";
import { openState } from "../lock/lock-view-command.js";
import { printFailure } from "../output/print-diagnostics.js";
import { findResource, listResources, listRetired, type ShownResource } from "../../render/lock/lock-view.js";

interface ShowFlags extends LockViewFlags {
  readonly at?: number;
}

interface LockShowRequest extends LockViewRequest {
  /** All that is managed unless given. */
  readonly address: string | undefined;
  /** The serial of an earlier version; the present one unless given. */
  readonly at: number | undefined;
}

export const lockShow = defineCommand<LockShowRequest>({
  about: "Its IDs, its references, and the body that was last sent. Secrets are never in the lock.",
  examples: [
    ["agentform lock show agent:support", "one resource"],
    ["agentform lock show agent:support --at 1", "as it was in an earlier version of the lock"],
  ],
  documents: ["state.md"],
  options(command) {
    command
      .argument("[addr]", "the address; with --at it may be left out, for all that was managed")
      .option("--at <serial>", "the version of the lock with this serial, of `lock history`", readSerial);
    addLockViewOptions(command);
  },
  build([text], flags: ShowFlags, terminal) {
    if (text === undefined && flags.at === undefined) throw new UsageError("give an address, or --at SERIAL");
    const address = text === undefined ? undefined : readAddress(text);
    return { ...readLockViewOptions(flags, terminal), address, at: flags.at };
  },
  async run(request, terminal) {
    const { address } = request;
    const state = await openState(request, terminal, request.at);
    if (typeof state === "number") return state;
    if (address === undefined) {
      terminal.out(await renderAll(state, request));
      return exitCode.fine;
    }
    const row = findResource(state.lock, address);
    if (!row) {
      await printFailure(unknownAddress(address, state), request, terminal);
      return exitCode.invalid;
    }
    terminal.out(await render(state, row, request));
    return exitCode.fine;
  },
});

function readSerial(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`--at must be a serial, a whole number, not \`${text}\``);
}

async function renderAll(state: ReadLock, request: LockShowRequest): Promise<string> {
  if (request.format === "json") {
    const { renderLockListJson } = await import("../../render/lock/lock-json.js");
    return renderLockListJson(state);
  }
  const { renderLockListText } = await import("../../render/lock/lock-list-text.js");
  return renderLockListText(state, request);
}

async function render(state: ReadLock, row: ShownResource, request: LockShowRequest): Promise<string> {
  const origins = state.originsOf(row.address);
  if (request.format === "json") {
    const { renderLockShowJson } = await import("../../render/lock/lock-json.js");
    return renderLockShowJson(state, row, origins);
  }
  const { renderLockShowText } = await import("../../render/lock/lock-show-text.js");
  return renderLockShowText(state, row, { ...request, origins });
}

function unknownAddress(address: string, { lock, source }: ReadLock) {
  const isRetired = listRetired(lock).some((object) => object.address === address);
  const hint = isRetired
    ? "its objects are left behind in the service: `agentform lock retired` lists them"
    : (didYouMean(
        address,
        listResources(lock).map((row) => row.address),
      ) ?? "`agentform lock list` lists the managed resources");
  return locate(
    [error("option-unknown-address", undefined, `${source} has no entry for ${address}`, hint)],
    () => undefined,
  );
}
