import { relative, resolve, sep } from "node:path";
import { isAddress } from "../../core/kind/address.js";
import { kindNames, kindOfAddress } from "../../core/kind/kinds.js";
import { hasErrors } from "../../core/finding/diagnostic.js";
import type { KindName } from "../../generated/kinds.js";
import { importObjects, type ImportResult } from "../../sync/import.js";
import { listUnmanaged } from "../../sync/list-unmanaged.js";
import type { ImportTarget } from "../../sync/look-around.js";
import type { WantedObject } from "../../sync/import-listings.js";
import { jsonText } from "../../render/words/json-text.js";
import { addFormat, type RunnableCommand } from "../command.js";
import { exitCode, failureCode, UsageError, type ExitCode } from "../exit-code.js";
import { addEmulatorOption, readLockOptions, type LockFlags } from "../options/lock-options.js";
import { addServiceOptions, withService, type ServiceFlags } from "../options/service-options.js";
import { fail, printDiagnostics } from "../output/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";

interface ImportFlags extends LockFlags, ServiceFlags {
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly into?: string;
  readonly list?: boolean;
  readonly format: "text" | "json";
}

export const importCommand: RunnableCommand = {
  about:
    "Makes agentform manage what somebody made without it. The manifest must say how the deployment lists or reads its objects; `agentform init --empty` writes such a manifest.",
  examples: [
    ["agentform import --list", "what there is that nobody manages"],
    ["agentform import --all --yes", "all objects that the lock does not have"],
    ["agentform import agent:66f1c0de0000000000000001 --yes", "one agent by its ID"],
  ],
  documents: ["import.md", "deployments.md"],
  options(command) {
    command
      .argument("[objects...]", "the objects, as KIND:ID, or as KIND and then their IDs")
      .option("--all", "all objects that can be listed and that the lock does not have")
      .option("--list", "show what there is that nobody manages, and write nothing")
      .option(
        "--into <path>",
        "the folder for the folders of documents, that of the workspace if left out; or a file (.yaml) for all documents",
      )
      .option("--yes", "do not ask");
    addFormat(command, ["text", "json"]);
    addEmulatorOption(command);
    addServiceOptions(command);
  },
  async run(args, flags: ImportFlags, terminal) {
    const { all = false, into, yes, list = false, format } = flags;
    const wanted = readObjects(args);
    if (list) {
      const given = [
        ...(all ? ["--all"] : []),
        ...(into === undefined ? [] : ["--into"]),
        ...(yes ? ["--yes"] : []),
        ...args,
      ];
      if (given.length > 0)
        throw new UsageError(`--list shows everything, and cannot be combined with ${given[0] ?? ""}`);
      return await printList(flags, terminal);
    }
    if (format === "json") throw new UsageError("--format json needs --list");
    if (all === wanted.length > 0) {
      throw new UsageError("give --all, or the objects, such as `agent:ID` or `agent ID ID`");
    }
    if (yes !== true && !terminal.canAsk) {
      throw new UsageError("there is no terminal for the question: pass --yes");
    }
    const request = readLockOptions(flags, terminal);
    const target = targetIn(request.directory, into, terminal);
    const { renderImport } = await import("../../render/import/import-text.js");
    const { renderDocumentYaml } = await import("../../render/documents/documents-yaml.js");
    return await withService(flags, request, terminal, async (service) => {
      const result = await importObjects({
        ...request,
        ...service,
        ...(!all && { wanted }),
        ...target,
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

async function printList(flags: ImportFlags, terminal: Terminal): Promise<ExitCode> {
  const { format } = flags;
  const request = { ...readLockOptions(flags, terminal), format };
  return await withService(flags, request, terminal, async (service) => {
    const { found, owner, diagnostics } = await listUnmanaged({ ...request, ...service });
    if (!found || !owner) return await fail(diagnostics, request, terminal);
    await printDiagnostics(diagnostics, request, terminal);
    if (format === "json") {
      const { importListJson } = await import("../../render/import/import-list-json.js");
      terminal.out(jsonText(importListJson(found, diagnostics, owner)));
    } else {
      const { renderImportList } = await import("../../render/import/import-list-text.js");
      terminal.out(renderImportList(found));
    }
    return hasErrors(diagnostics) ? failureCode(diagnostics) : exitCode.fine;
  });
}

// A name that ends like that of a document is the file for all of them.
function targetIn(
  directory: string,
  into: string | undefined,
  { cwd }: Terminal,
): Omit<ImportTarget, "render"> {
  if (into === undefined) return { into: "" };
  const path = relative(directory, resolve(cwd, into));
  if (path === ".." || path.startsWith(`..${sep}`) || resolve(directory, path) !== resolve(cwd, into)) {
    throw new UsageError(`--into ${into} must be in the folder of the workspace`);
  }
  const name = path.split(sep).join("/");
  if (!/\.ya?ml$/i.test(name)) return { into: name };
  return { into: name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : "", file: name };
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
