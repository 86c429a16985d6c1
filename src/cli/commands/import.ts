import { relative, resolve, sep } from "node:path";
import { isAddress } from "../../core/kind/address.js";
import { kindNames, kindOfAddress } from "../../core/kind/kinds.js";
import { hasErrors } from "../../core/finding/diagnostic.js";
import type { KindName } from "../../generated/kinds.js";
import { importObjects, type ImportResult } from "../../sync/import.js";
import type { WantedObject } from "../../sync/import-listings.js";
import type { RunnableCommand } from "../command.js";
import { exitCode, failureCode, UsageError, type ExitCode } from "../exit-code.js";
import { addEmulatorOption, readLockOptions, type LockFlags } from "../options/lock-options.js";
import { addServiceOptions, withService, type ServiceFlags } from "../options/service-options.js";
import { printDiagnostics } from "../output/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";

interface ImportFlags extends LockFlags, ServiceFlags {
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly into?: string;
}

export const importCommand: RunnableCommand = {
  about:
    "Makes agentform manage what somebody made without it. The manifest must say how the deployment lists or reads its objects; `agentform init --empty` writes such a manifest.",
  examples: [
    ["agentform import --all --yes", "all objects that the lock does not have"],
    ["agentform import agent:66f1c0de0000000000000001 --yes", "one agent by its ID"],
    ["agentform import policy ID1 ID2 --yes", "several objects of one kind"],
  ],
  documents: ["import.md", "deployments.md"],
  options(command) {
    command
      .argument("[objects...]", "the objects, as KIND:ID, or as KIND and then their IDs")
      .option("--all", "all objects that can be listed and that the lock does not have")
      .option("--into <dir>", "the folder for the folders of documents; that of the workspace if left out")
      .option("--yes", "do not ask");
    addEmulatorOption(command);
    addServiceOptions(command);
  },
  async run(args, flags: ImportFlags, terminal) {
    const { all = false, into, yes } = flags;
    const wanted = readObjects(args);
    if (all === wanted.length > 0) {
      throw new UsageError("give --all, or the objects, such as `agent:ID` or `agent ID ID`");
    }
    if (yes !== true && !terminal.canAsk) {
      throw new UsageError("there is no terminal for the question: pass --yes");
    }
    const request = readLockOptions(flags, terminal);
    const folder = into === undefined ? "" : folderIn(request.directory, into, terminal);
    const { renderImport } = await import("../../render/import/import-text.js");
    const { renderDocumentYaml } = await import("../../render/documents/documents-yaml.js");
    return await withService(flags, request, terminal, async (service) => {
      const result = await importObjects({
        ...request,
        ...service,
        ...(!all && { wanted }),
        into: folder,
        render: (document) => renderDocumentYaml(document).replace(/^---\n/, ""),
        async confirm(found, diagnostics) {
          await printDiagnostics(diagnostics, request, terminal);
          terminal.out(renderImport(found));
          if (yes) return true;
          const { ask } = await import("../terminal/ask.js");
          return await ask("Type `yes` to import: ");
        },
      });
      await printDiagnostics(result.diagnostics, request, terminal);
      terminal.out(endText(result));
      return exitCodeOf(result);
    });
  },
};

function readObjects(args: readonly string[]): WantedObject[] {
  const wanted: WantedObject[] = [];
  let kind: KindName | undefined;
  for (const text of args) {
    const [, prefix, id] = /^([a-z]+):(.+)$/.exec(text) ?? [];
    const named = kindNames.find((name) => name === prefix);
    const alone = kindNames.find((name) => name === text);
    if (named && id !== undefined) wanted.push({ kind: named, id });
    else if (alone) kind = alone;
    else if (kind) wanted.push({ kind, id: text });
    else {
      throw new UsageError(
        `an object has a form such as agent:ID, not \`${text}\`; the kinds are ${kindNames.join(", ")}`,
        args.length === 2 ? explainPair(args[0] ?? "", text) : undefined,
      );
    }
  }
  return wanted;
}

// Terraform's import takes an address and an ID.
function explainPair(address: string, id: string): string | undefined {
  const kind = kindOfAddress(address);
  if (!kind || !isAddress(address)) return undefined;
  return `\`agentform import ${kind.name}:${id}\` writes a document for the object; if ${address} has one, \`agentform lock resolve ${address} --adopt ${id}\` gives it the object`;
}

function folderIn(directory: string, into: string, { cwd }: Terminal): string {
  const path = relative(directory, resolve(cwd, into));
  if (path === ".." || path.startsWith(`..${sep}`) || resolve(directory, path) !== resolve(cwd, into)) {
    throw new UsageError(`--into ${into} must be in the folder of the workspace`);
  }
  return path.split(sep).join("/");
}

function endText({ status, found }: ImportResult): string {
  if (status === "unchanged") return "There is nothing to import.\n";
  return status === "done" && found
    ? "\nImported. `agentform plan` shows what differs, if anything does.\n"
    : "";
}

function exitCodeOf({ status, found, diagnostics }: ImportResult): ExitCode {
  if (status === "moved") return exitCode.moved;
  if (status === "refused") return failureCode(diagnostics);
  if (status === "declined") return exitCode.invalid;
  return hasErrors(found?.findings ?? []) ? exitCode.invalid : exitCode.fine;
}
