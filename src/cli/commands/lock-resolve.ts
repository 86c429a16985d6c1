import { hasErrors } from "../../core/finding/diagnostic.js";
import { parseEditFile } from "../../core/lock-edit/lock-edit-file.js";
import type { LockEdit } from "../../core/lock-edit/lock-edit.js";
import { parseAdoption } from "../../core/plan/adoption.js";
import { locate } from "../../core/position/position.js";
import { repairLock } from "../../sync/lock/edits.js";
import type { SearchedAddress } from "../../core/import/search-unknown.js";
import { notCreated } from "../../core/lock-edit/told-identity.js";
import type { RunnableCommand } from "../command.js";
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
  readEnvironment,
  withService,
  type ServiceFlags,
} from "../options/service-options.js";
import { addAgreementOptions, readAgreement, type AgreementFlags } from "../options/agreement-options.js";
import { givenAmong } from "../options/plan-options.js";
import { askToAgree } from "../output/agreement.js";
import { addResultFormat, printResult } from "../output/result.js";
import { fail, printDiagnostics } from "../output/print-diagnostics.js";
import { jsonText } from "../../render/words/json-text.js";
import type { Terminal } from "../terminal/terminal.js";
import { printRepair } from "../output/repair.js";
import { readUserFile } from "../files/user-file.js";

interface ResolveFlags extends LockFlags, ServiceFlags, AgreementFlags {
  readonly search?: boolean;
  readonly adopt?: string;
  readonly notCreated?: boolean;
  readonly from?: string;
}

export const lockResolve: RunnableCommand = {
  about:
    "After a time-out or a crash the service may have made an object or not. Look in the service, then say what you found; the next apply goes on. Also takes over an object that exists, and says which tool is which operation. `lifecycle.adopt` in a document does the same in git.",
  examples: [
    ["agentform lock resolve agent:support --adopt 66f1c0de0000000000000001", "it was made, with this ID"],
    ["agentform lock resolve agent:support --not-created", "it was not made, and the next apply makes it"],
    ["agentform lock resolve toolset:helpdesk --adopt createTicket=T1", "which tool is which operation"],
  ],
  documents: ["how-to/unknown-outcome.md", "explanation/unknown.md"],
  options(command) {
    command
      .argument("[addr]", "the address of the object")
      .option("--adopt <id>", "the object has this ID; for a tool set operation=ID,operation=ID")
      .option("--not-created", "the create with an unknown outcome made nothing")
      .option("--from <file>", `a JSON object or CSV (address,id) of addresses and IDs, or ${notCreated}`);
    command.option("--search", "look for it in the lists of the service, show what may be it, and ask");
    addAgreementOptions(command);
    addResultFormat(command);
    addServiceOptions(command);
    addEmulatorOption(command);
  },
  async run([text], flags: ResolveFlags, terminal) {
    const { search: isSearch, from } = flags;
    const searched = isSearch ? readSearch(text, flags) : undefined;
    const edits = isSearch ? [] : readEdits(text, flags);
    const common = readLockOptions(flags, terminal);
    const secrets = environmentSecrets(await readEnvironment(flags.envFile, terminal));
    const request = { ...common, secrets };
    if (searched !== undefined) return await search(searched, flags, request, terminal);
    if (from !== undefined) return await resolveFile(from, request, terminal);
    return await printRepair(await repairLock(request, edits), request, terminal);
  },
};

function readSearch(
  text: string | undefined,
  { adopt, notCreated: isNotCreated, from }: ResolveFlags,
): string {
  const others = [adopt, isNotCreated, from];
  if (text === undefined || others.some((each) => each !== undefined)) {
    throw new UsageError(
      "`--search` takes one address, and cannot be combined with `--adopt`, `--not-created` or `--from`",
    );
  }
  return readAddress(text);
}

async function search(
  address: string,
  flags: ResolveFlags,
  request: LockRequest,
  terminal: Terminal,
): Promise<ExitCode> {
  const { format } = request;
  return await withService(flags, request, terminal, async (service) => {
    const { resolveBySearch } = await import("../../sync/lock/search.js");
    const { renderSearch } = await import("../../render/lock/lock-search-text.js");
    const { repairJson, askedRepairJson } = await import("../../render/lock/repair-json.js");
    const textOf = ({ search: looked }: SearchedAddress) =>
      renderSearch(address, looked, {
        environment: request.environment ?? null,
        emulator: request.options?.emulator,
      });
    const ended = await resolveBySearch({
      ...request,
      ...service,
      ...readAgreement(flags),
      address,
      async confirm({ shown, digest, diagnostics, isAgreed }) {
        await printDiagnostics(diagnostics, request, terminal);
        if (format === "text") terminal.out(textOf(shown));
        if (isAgreed) return true;
        const tell = (command: readonly string[]) =>
          terminal.out(jsonText(askedRepairJson(digest, shown, command, diagnostics)));
        return await askToAgree({ digest, format, verb: "adopt it", tell }, terminal);
      },
    });
    const { status, found } = ended;
    if (status === "pending") return exitCode.pending;
    if (status === "declined") return exitCode.invalid;
    if (status !== "unsure") return await printRepair({ ...ended, status }, request, terminal, found);
    const shown = { text: () => (found ? textOf(found) : ""), json: () => repairJson([], found) };
    await printResult(shown, request, terminal);
    return exitCode.invalid;
  });
}

async function resolveFile(from: string, request: LockRequest, terminal: Terminal): Promise<ExitCode> {
  const text = readUserFile(`--from ${from}`, from, terminal.cwd);
  const { entries, findings } = parseEditFile(text, from);
  if (hasErrors(findings)) {
    const diagnostics = locate(findings, () => ({ text, quotable: false }));
    return await fail(diagnostics, request, terminal);
  }
  const edits = entries.map(({ address, value }): LockEdit =>
    value === notCreated ? { type: notCreated, address } : { type: "resolve", address, adoption: value },
  );
  return await printRepair(await repairLock(request, edits), request, terminal);
}

// None where a file has them.
function readEdits(text: string | undefined, flags: ResolveFlags): readonly LockEdit[] {
  const agreement = givenAmong(flags, ["yes", "expect"]);
  if (agreement !== undefined) throw new UsageError(`${agreement} needs --search`);
  const { adopt, notCreated: isNotCreated = false, from } = flags;
  if (from !== undefined) {
    if (text === undefined && adopt === undefined && !isNotCreated) return [];
    throw new UsageError("--from cannot be combined with an address, --adopt or --not-created");
  }
  if (text === undefined || (adopt !== undefined) === isNotCreated) {
    throw new UsageError(
      "give an address with one of --adopt ID, --not-created and --search, or --from FILE",
    );
  }
  const address = readAddress(text);
  if (adopt === undefined) return [{ type: notCreated, address }];
  return [{ type: "resolve", address, adoption: parseAdoption(address, adopt) }];
}
