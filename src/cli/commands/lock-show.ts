import { error } from "../../core/finding/diagnostic.js";
import { didYouMean } from "../../core/finding/nearest.js";
import { locate } from "../../core/position/position.js";
import type { ReadLock } from "../../lock-edits.js";
import { defineCommand } from "../command.js";
import { exitCode } from "../exit-code.js";
import {
  addLockViewOptions,
  readAddress,
  readLockViewOptions,
  type LockViewFlags,
  type LockViewRequest,
} from "../options/lock-options.js";
import { openState } from "../lock/open-state.js";
import { printFailure } from "../output/print-diagnostics.js";
import { findResource, listResources, listRetired, type LockRow } from "../../render/lock/lock-view.js";

interface ShowRequest extends LockViewRequest {
  readonly address: string;
}

export const lockShow = defineCommand<ShowRequest>({
  options(command) {
    command.argument("<addr>", "the address");
    addLockViewOptions(command);
  },
  build([text = ""], flags: LockViewFlags, terminal) {
    return { ...readLockViewOptions(flags, terminal), address: readAddress(text) };
  },
  async run(request, terminal) {
    const state = await openState(request, terminal);
    if (!state) return exitCode.invalid;
    const row = findResource(state.lock, request.address);
    if (!row) {
      await printFailure(unknownAddress(request.address, state), request, terminal);
      return exitCode.invalid;
    }
    terminal.out(await render(state, row, request));
    return exitCode.fine;
  },
});

async function render(state: ReadLock, row: LockRow, request: ShowRequest): Promise<string> {
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
