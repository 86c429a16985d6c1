import { shellWord } from "../../core/finding/shell-word.js";
import { relative, resolve, sep } from "node:path";
import { isAddress } from "../../core/kind/address.js";
import { kindNames, kindOfText } from "../../core/kind/kinds.js";
import { hasErrors, type Diagnostic } from "../../core/finding/diagnostic.js";
import type { KindName } from "../../generated/kinds.js";
import { importObjects, type ImportResult } from "../../sync/import.js";
import { listUnmanaged } from "../../sync/list-unmanaged.js";
import type { ImportTarget, WantedObject } from "../../sync/import-reading.js";
import { type RunnableCommand } from "../command.js";
import { exitCode, failureCode, UsageError, type ExitCode } from "../exit-code.js";
import { addEmulatorOption, readLockOptions, type LockFlags } from "../options/lock-options.js";
import { givenAmong } from "../options/plan-options.js";
import { addServiceOptions, withService, type ServiceFlags } from "../options/service-options.js";
import { askToAgree } from "../output/agreement.js";
import { addAgreementOptions, readAgreement, type AgreementFlags } from "../options/agreement-options.js";
import { addResultFormat, printResult } from "../output/result.js";
import { fail, failAs, printDiagnostics } from "../output/print-diagnostics.js";
import { jsonText } from "../../render/words/json-text.js";
import type { Terminal } from "../terminal/terminal.js";

interface ImportFlags extends LockFlags, ServiceFlags, AgreementFlags {
  readonly all?: boolean;
  readonly into?: string;
  readonly list?: boolean;
}

export const importCommand: RunnableCommand = {
  about:
    "Makes agentform manage what somebody made without it. The manifest must say how the deployment lists or reads its objects; `agentform init --empty` writes such a manifest.",
  examples: [
    ["agentform import --list", "what there is that nobody manages"],
    ["agentform import --all --yes", "all objects that the lock does not have"],
    ["agentform import agent:66f1c0de0000000000000001 --yes", "one agent by its ID"],
  ],
  documents: ["how-to/import.md", "reference/deployments.md"],
  options(command) {
    command
      .argument("[objects...]", "the objects, as KIND:ID, or as KIND and then their IDs")
      .option("--all", "all objects that can be listed and that the lock does not have")
      .option("--list", "show what there is that nobody manages, and write nothing")
      .option(
        "--into <path>",
        "the folder to write the documents in, that of the workspace if left out; or a file (.yaml) for all documents",
      );
    addAgreementOptions(command);
    addResultFormat(command);
    addEmulatorOption(command);
    addServiceOptions(command);
  },
  async run(args, flags: ImportFlags, terminal) {
    const { all = false, into, list = false, format } = flags;
    const wanted = readObjects(args);
    if (list) {
      const given = givenAmong(flags, ["all", "into", "yes", "expect"]) ?? args[0];
      if (given !== undefined)
        throw new UsageError(`--list shows everything, and cannot be combined with ${given}`);
      return await printList(flags, terminal);
    }
    if (all === wanted.length > 0) {
      throw new UsageError("give --all, or the objects, such as `agent:ID` or `agent ID ID`");
    }
    const request = { ...readLockOptions(flags, terminal), ...readAgreement(flags) };
    const target = targetIn(request.directory, into, terminal);
    const { renderImport } = await import("../../render/results/import-text.js");
    const { renderDocumentYaml } = await import("../../render/results/documents-yaml.js");
    const { importJson } = await import("../../render/results/import-json.js");
    return await withService(flags, request, terminal, async (service) => {
      let notes: readonly Diagnostic[] = [];
      const result = await importObjects({
        ...request,
        ...service,
        ...(!all && { wanted }),
        ...target,
        render: (document) => renderDocumentYaml(document).replace(/^---\n/, ""),
        async confirm({ shown, digest, diagnostics, isAgreed }) {
          notes = diagnostics;
          await printDiagnostics(diagnostics, request, terminal);
          if (format === "text") terminal.out(renderImport(shown));
          if (isAgreed) return true;
          const tell = (command: readonly string[]) =>
            terminal.out(jsonText(importJson(shown, diagnostics, { digest, command })));
          return await askToAgree({ digest, format, verb: "import", tell }, terminal);
        },
      });
      const { status, found, diagnostics } = result;
      if (status === "refused" || status === "moved")
        return await failAs({ status, diagnostics }, request, terminal);
      await printDiagnostics(diagnostics, request, terminal);
      if (status === "pending") return exitCode.pending;
      const json = () => importJson(status === "done" ? found : undefined, [...notes, ...diagnostics]);
      await printResult({ text: () => endText(result), json }, request, terminal);
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
  const kind = kindOfText(address);
  if (!kind || !isAddress(address)) return undefined;
  return `\`agentform import ${shellWord(`${kind.name}:${id}`)}\` writes a document for the object; if ${address} has one, \`agentform lock resolve ${address} --adopt ${shellWord(id)}\` gives it the object`;
}

async function printList(flags: ImportFlags, terminal: Terminal): Promise<ExitCode> {
  const request = readLockOptions(flags, terminal);
  return await withService(flags, request, terminal, async (service) => {
    const { found, owner, diagnostics } = await listUnmanaged({ ...request, ...service });
    if (!found || !owner) return await fail(diagnostics, request, terminal);
    await printDiagnostics(diagnostics, request, terminal);
    const { importListJson } = await import("../../render/results/import-json.js");
    const { renderImportList } = await import("../../render/results/import-text.js");
    const json = () => importListJson(found, diagnostics, owner);
    await printResult({ text: () => renderImportList(found), json }, request, terminal);
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

function exitCodeOf({ status, found }: ImportResult): ExitCode {
  if (status === "declined") return exitCode.invalid;
  return hasErrors(found?.findings ?? []) ? exitCode.invalid : exitCode.fine;
}
