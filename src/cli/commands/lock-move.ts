import { parsePlace } from "../../core/resources/store-place.js";
import type { JsonObject } from "../../json/json.js";
import { environmentOf } from "../../core/resources/environment-name.js";
import { statePattern } from "../../core/state/lock.js";
import { moveState } from "../../sync/lock/move.js";
import type { MovedStates } from "../../sync/lock/moved-states.js";
import type { RunnableCommand } from "../command.js";
import { UsageError } from "../exit-code.js";
import { addStoreOptions, readLockOptions, type LockFlags } from "../options/lock-options.js";
import { printRepair } from "../output/repair.js";
import { addResultFormat } from "../output/result.js";

interface MoveFlags extends LockFlags {
  readonly to?: string;
  readonly fromWorkspace?: string;
  readonly fromEnvironment?: string;
}

export const lockMove: RunnableCommand = {
  about:
    "Run it with --to while the manifest names the old store: it moves the states of all environments, and prints what to write as `spec.lock`; commit that together with the lock files that it names. After a rename of the workspace or of an environment in the manifest, run it with the earlier name: the state then goes on under the new one.",
  examples: [
    ["agentform lock move --to git", "to a git ref"],
    ["agentform lock move --from-workspace desk", "after `metadata.name` was changed"],
    ["agentform lock move --from-environment live -e production", "after an environment was renamed"],
  ],
  documents: [
    "how-to/move-the-state.md",
    "how-to/choose-a-store.md",
    "reference/git-store.md",
    "reference/http-store.md",
    "reference/postgres-store.md",
    "reference/s3-store.md",
  ],
  options(command) {
    command
      .option(
        "--to <store>",
        "the new store: `git`, or what `spec.lock` will have, such as `{store: http, address: …}`",
      )
      .option("--from-workspace <name>", "the earlier name of the workspace, for all environments")
      .option(
        "--from-environment <name>",
        "the earlier name of the environment, `default` for the default one; `-e` has the new one",
      );
    addStoreOptions(command);
    addResultFormat(command);
  },
  async run(_args, { to, fromWorkspace, fromEnvironment, ...flags }: MoveFlags, terminal) {
    const moving = readMoving({ to, fromWorkspace, fromEnvironment });
    if (flags.environment !== undefined && !("fromEnvironment" in moving)) {
      throw new UsageError("all environments move together: leave out -e");
    }
    const request = { ...readLockOptions(flags, terminal), moving };
    return await printRepair(await moveState(request), request, terminal);
  },
};

function readMoving(given: {
  readonly [Option in keyof Pick<MoveFlags, "to" | "fromWorkspace" | "fromEnvironment">]: string | undefined;
}): MovedStates {
  const { to, fromWorkspace, fromEnvironment } = given;
  if (Object.values(given).filter((value) => value !== undefined).length !== 1) {
    throw new UsageError("one of --to, --from-workspace and --from-environment is needed");
  }
  if (to !== undefined) return { to: readStore(to) };
  const name = fromWorkspace ?? fromEnvironment ?? "";
  if (!statePattern.test(name)) {
    throw new UsageError(`the earlier name cannot be \`${name}\``);
  }
  return fromWorkspace === undefined ? { fromEnvironment: environmentOf(name) } : { fromWorkspace: name };
}

function readStore(text: string): JsonObject {
  const place = parsePlace("--to", text);
  if (place) return place;
  throw new UsageError(
    "--to must be the name of a store or a mapping as under `spec.lock`, such as `{store: git, remote: origin}`",
  );
}
