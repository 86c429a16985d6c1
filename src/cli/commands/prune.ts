import { Option } from "commander";
import type { Settings } from "../../core/resources/manifest.js";
import type { Pruning } from "../../core/prune/pruning.js";
import { noOptions } from "../../core/plan/plan-options.js";
import { prune as pruneWorkspace, type PruneResult } from "../../sync/prune.js";
import type { PlanRequest } from "../../sync/request.js";
import { defineCommand, type CommonOptions } from "../command.js";
import { exitCode, failureCode, UsageError, type ExitCode } from "../exit-code.js";
import { readConcurrency } from "../options/concurrency.js";
import { addServiceOptions, openService, type ServiceFlags } from "../options/service-options.js";
import { readWorkspaceOptions, type WorkspaceRequest } from "../options/workspace-options.js";
import { openPruneOutput } from "../output/prune-output.js";
import { watchSignals } from "../terminal/signals.js";
import type { Terminal } from "../terminal/terminal.js";

interface PruneFlags extends CommonOptions, ServiceFlags {
  readonly yes?: boolean;
  readonly concurrency?: number;
  readonly emulator?: boolean;
  readonly format?: "text" | "json";
}

interface PruneCommandRequest extends PlanRequest, WorkspaceRequest {
  readonly ids: readonly string[];
  readonly yes: boolean;
  readonly concurrency: number;
  readonly format: "text" | "json";
  readonly service: ServiceFlags;
}

export const prune = defineCommand<PruneCommandRequest>({
  about:
    "Lists the objects that are left behind after replacements and removed documents, asks, and deletes those that nothing uses. The manifest must say how the deployment deletes.",
  examples: [
    ["agentform prune", "list, ask, delete"],
    ["agentform prune 66f1c0de0000000000000001 --yes", "one of them, without a question"],
  ],
  documents: ["prune.md", "deployments.md"],
  options(command) {
    command
      .argument("[ids...]", "the IDs to delete, all of them in the ledger; the whole ledger if left out")
      .option("--yes", "do not ask")
      .option("--concurrency <n>", "the maximum number of requests in flight", readConcurrency, 8)
      .option("--emulator", "prune the emulator in this process, with its own lock");
    addServiceOptions(command);
    command.addOption(
      new Option("--format <format>", "the form of the result").choices(["text", "json"]).default("text"),
    );
  },
  build(ids, flags: PruneFlags, terminal) {
    const { yes = false, concurrency = 8, emulator = false, format = "text" } = flags;
    if (!yes && !terminal.canAsk) {
      throw new UsageError("there is no terminal for the question: pass --yes");
    }
    return {
      ...readWorkspaceOptions(flags, terminal),
      options: { ...noOptions, emulator },
      ids,
      yes,
      concurrency,
      format,
      service: flags,
    };
  },
  async run(request, terminal) {
    const output = await openPruneOutput(request, terminal);
    const service = await openService(request.service, request, terminal);
    if (!("target" in service)) {
      await output.end({ status: "refused", diagnostics: service });
      return exitCode.invalid;
    }
    const signals = watchSignals(terminal);
    const stopPrinting = await printVerbosely(terminal);
    try {
      const result = await pruneWorkspace({
        ...request,
        ...service,
        async confirm(pruning, settings) {
          output.show(pruning, settings);
          if (pruning.deletions.length === 0 || request.yes) return true;
          return await confirm(pruning, settings, request, terminal);
        },
        onEvent: (event) => output.event(event),
        drain: signals.drain,
      });
      await output.end(result);
      return signals.drain.aborted ? exitCode.interrupted : exitCodeOf(result, request);
    } finally {
      stopPrinting();
      signals.stop();
      await service.close();
    }
  },
});

async function printVerbosely(terminal: Terminal): Promise<() => void> {
  if (terminal.isVerbose !== true) return () => undefined;
  const { printRequests } = await import("../progress/sent-requests.js");
  return printRequests(terminal);
}

async function confirm(
  { deletions }: Pruning,
  { name: workspace, environment, service }: Settings,
  { options }: PruneCommandRequest,
  terminal: Terminal,
): Promise<boolean> {
  const { renderPruneQuestion } = await import("../../render/prune/prune-text.js");
  const { ask } = await import("../terminal/ask.js");
  const address = service.base_url ?? service.rai_base_url ?? "no address";
  const question = {
    count: deletions.length,
    workspace,
    environment,
    service: options?.emulator === true ? "the emulator" : address,
  };
  terminal.out(`\n${renderPruneQuestion(question)}\n`);
  return await ask("Type `yes` to delete: ");
}

function exitCodeOf(
  { status, summary, pruning, diagnostics }: PruneResult,
  { ids }: Pick<PruneCommandRequest, "ids">,
): ExitCode {
  if (status === "moved") return exitCode.moved;
  if (status === "refused") return failureCode(diagnostics);
  if (status === "declined") return exitCode.invalid;
  if (summary && summary.unknown > 0) return exitCode.unknown;
  if (summary && summary.failed + summary.skipped > 0) return exitCode.invalid;
  // What was named and stays was not done.
  const isLeft = ids.length > 0 && (pruning?.rows ?? []).some(({ kept }) => kept !== undefined);
  return isLeft ? exitCode.invalid : exitCode.fine;
}
