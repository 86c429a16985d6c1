import { parseAdoption } from "../../core/plan/adoption.js";
import type { FileEntry } from "../../core/lock-edit/lock-edit-file.js";
import { notCreated } from "../../core/lock-edit/lock-edit-check.js";
import type { LockEdit } from "../../core/lock-edit/lock-edit.js";
import { defineCommand } from "../command.js";
import { exitCode, UsageError, type ExitCode } from "../exit-code.js";
import {
  addEmulatorOption,
  readAddress,
  readLockOptions,
  type LockFlags,
  type LockRequest,
} from "../options/lock-options.js";
import { environmentSecrets } from "../../service/secret.js";
import {
  addServiceOptions,
  openService,
  readEnvironment,
  type ServiceFlags,
} from "../options/service-options.js";
import { printDiagnostics } from "../output/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";
import { repair, type EditSource } from "../lock/repair.js";

interface ResolveRequest extends LockRequest {
  /** What a person says, or the address to look for in the service. */
  readonly source: EditSource | { readonly search: string };
  readonly service: ServiceFlags;
  readonly yes: boolean;
}

interface ResolveFlags extends LockFlags, ServiceFlags {
  readonly search?: boolean;
  readonly yes?: boolean;
  readonly adopt?: string;
  readonly notCreated?: boolean;
  readonly partial?: boolean;
  readonly from?: string;
}

export const lockResolve = defineCommand<ResolveRequest>({
  about:
    "After a time-out or a crash the service may have made an object or not. Look in the service, then say what you found; the next apply goes on.",
  examples: [
    ["agentform lock resolve agent:support --adopt 66f1c0de0000000000000001", "it was made, with this ID"],
    ["agentform lock resolve agent:support --not-created", "it was not made, and the next apply makes it"],
    ["agentform lock resolve agent:support --search", "let agentform look, where the deployment can list"],
  ],
  documents: ["repairing-the-lock.md", "answers.md"],
  options(command) {
    command
      .argument("[addr]", "the address whose create has an unknown outcome")
      .option("--adopt <id>", "it was created and has this ID; for a tool set operation=ID,operation=ID")
      .option("--partial", "for a tool set: only these tools were found, the rest stays unknown")
      .option("--not-created", "it was not created")
      .option("--from <file>", `a JSON object or CSV (address,id) of addresses and IDs, or ${notCreated}`);
    command
      .option("--search", "look for it in the lists of the service, show what may be it, and ask")
      .option("--yes", "with --search, do not ask");
    addServiceOptions(command);
    addEmulatorOption(command);
  },
  build(args, flags: ResolveFlags, terminal) {
    const source = flags.search === true ? readSearch(args, flags, terminal) : readSource(args, flags);
    return { ...readLockOptions(flags, terminal), service: flags, yes: flags.yes === true, source };
  },
  async run({ source, ...others }, terminal) {
    const secrets = environmentSecrets(await readEnvironment(others.service.envFile, terminal));
    const request = { ...others, secrets };
    return "search" in source
      ? await search(source.search, request, terminal)
      : await repair(request, source, terminal);
  },
});

function readSearch(
  [text, ...more]: readonly string[],
  { adopt, notCreated: isNotCreated, partial, from, yes }: ResolveFlags,
  { canAsk }: Terminal,
): ResolveRequest["source"] {
  const others = [adopt, isNotCreated, partial, from];
  if (text === undefined || more.length > 0 || others.some((each) => each !== undefined)) {
    throw new UsageError("--search takes one address, and no other way to tell the outcome");
  }
  if (yes !== true && !canAsk) throw new UsageError("there is no terminal for the question: pass --yes");
  return { search: readAddress(text) };
}

async function search(
  address: string,
  request: Omit<ResolveRequest, "source">,
  terminal: Terminal,
): Promise<ExitCode> {
  const service = await openService(request.service, request, terminal);
  if (!("target" in service)) {
    await printDiagnostics(service, request, terminal);
    return exitCode.invalid;
  }
  const { searchOutcome } = await import("../../sync/lock/search.js");
  const { search: found, diagnostics } = await searchOutcome({ ...request, ...service, address }).finally(
    () => service.close(),
  );
  await printDiagnostics(diagnostics, request, terminal);
  if (!found) return exitCode.invalid;
  const { renderSearch } = await import("../../render/lock/lock-search-text.js");
  terminal.out(renderSearch(address, found));
  if (!found.sure) return exitCode.invalid;
  const { ask } = await import("../terminal/ask.js");
  if (!request.yes && !(await ask("Type `yes` to adopt it: "))) return exitCode.invalid;
  return await repair(request, [{ type: "resolve", address, adoption: found.sure.adoption }], terminal);
}

function readSource([text]: readonly string[], flags: ResolveFlags): EditSource {
  if (flags.yes === true) throw new UsageError("--yes needs --search");
  const { adopt, notCreated: isNotCreated = false, partial: isPartial = false, from } = flags;
  if (from !== undefined) {
    if (text === undefined && adopt === undefined && !isNotCreated)
      return { from, toEdit: toEdit(isPartial) };
    throw new UsageError("--from cannot be combined with an address, --adopt or --not-created");
  }
  if (text === undefined || (adopt !== undefined) === isNotCreated) {
    throw new UsageError(
      "give an address with one of --adopt ID, --not-created and --search, or --from FILE",
    );
  }
  const address = readAddress(text);
  if (adopt === undefined && isPartial) throw new UsageError("--partial needs --adopt or --from");
  if (adopt === undefined) return [{ type: notCreated, address }];
  return [{ type: "resolve", address, adoption: parseAdoption(address, adopt), isPartial }];
}

function toEdit(isPartial: boolean): (entry: FileEntry) => LockEdit {
  return ({ address, value }) =>
    value === notCreated
      ? { type: notCreated, address }
      : { type: "resolve", address, adoption: value, isPartial };
}
