import { parsePlace } from "../../core/resources/store-place.js";
import type { JsonObject } from "../../json/json.js";
import { moveState } from "../../sync/lock/move.js";
import type { CommonOptions, RunnableCommand } from "../command.js";
import { UsageError } from "../exit-code.js";
import { addStoreOptions, readLockOptions, type StoreFlags } from "../options/lock-options.js";
import { printRepair } from "../lock/repair.js";
import { addResultFormat, type ResultFlags } from "../output/result.js";

interface MoveFlags extends CommonOptions, StoreFlags, ResultFlags {
  readonly to: string;
}

export const lockMove: RunnableCommand = {
  about:
    "Run it while the manifest names the old store. It moves the states of all environments, and prints what to write as `spec.lock`; commit that together with the lock files that it names.",
  examples: [
    ["agentform lock move --to git", "to a git ref"],
    ["agentform lock move --to '{store: http, address: https://example.com/state}'", "to a server"],
  ],
  documents: ["state.md", "git-store.md", "http-store.md", "postgres-store.md", "s3-store.md"],
  options(command) {
    command.requiredOption(
      "--to <store>",
      "the new store: `git`, or what `spec.lock` will have, such as `{store: http, address: …}`",
    );
    addStoreOptions(command);
    addResultFormat(command);
  },
  async run(_args, { to, ...flags }: MoveFlags, terminal) {
    if (flags.environment !== undefined) {
      throw new UsageError("`spec.lock` is for all environments, which move together: leave out -e");
    }
    const request = { ...readLockOptions(flags, terminal), format: flags.format, to: readStore(to) };
    return await printRepair(await moveState(request), request, terminal);
  },
};

function readStore(text: string): JsonObject {
  const place = parsePlace("--to", text);
  if (place) return place;
  throw new UsageError(
    "--to must be the name of a store or a mapping as under `spec.lock`, such as `{store: git, remote: origin}`",
  );
}
