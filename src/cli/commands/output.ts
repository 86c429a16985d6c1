import type { Checked } from "../../core/finding/checked.js";
import { readIds } from "../../sync/output.js";
import { error, type Code } from "../../core/finding/diagnostic.js";
import type { Selector } from "../../core/resources/selector.js";
import { locate } from "../../core/position/position.js";
import { idsFormat, type WorkspaceIds } from "../../core/resources/application-ids.js";
import { headerLines, headerMark } from "../../render/results/ids-header.js";
import { countText } from "../../render/words/count-text.js";
import { safeLine } from "../../render/words/terminal-text.js";
import type { OutputAnswer } from "../../generated/output.js";
import { printResult } from "../output/result.js";
import { shellLine, shellWord } from "../../core/finding/shell-word.js";
import { addFormat, type RunnableCommand } from "../command.js";
import { exitCode, UsageError, type ExitCode } from "../exit-code.js";
import {
  addEmulatorOption,
  addStoreOptions,
  readLockOptions,
  type LockFlags,
  type LockRequest,
} from "../options/lock-options.js";
import { addSelectorOption, readSelector } from "../options/plan-options.js";
import { startStages } from "../output/detail.js";
import { fail, printDiagnostics } from "../output/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";

const formats = ["json", "dotenv", "typescript", "python"] as const;
type IdsFormat = (typeof formats)[number];

interface OutputFlags extends LockFlags<IdsFormat> {
  readonly out?: string;
  readonly check?: boolean;
  readonly selector?: string[];
}

type OutputRequest = LockRequest<IdsFormat> & { readonly selector: Selector };

export const output: RunnableCommand = {
  about: "Reads the IDs from the state, for applications that talk to the agents.",
  examples: [
    ["agentform output", "all IDs as JSON"],
    ["agentform output -e production --format dotenv", "of one environment, as variables"],
    ["agentform output --format typescript --out src/ids.ts --check", "in CI: fails if the module is stale"],
  ],
  documents: ["reference/output.md"],
  options(command) {
    addFormat(command, formats);
    command
      .option("--out <file>", "write the result to this file, if it is different")
      .option("--check", "write nothing, and fail if the file of `--out` is missing or different");
    addSelectorOption(command);
    addEmulatorOption(command);
    addStoreOptions(command);
  },
  async run(_args, flags: OutputFlags, terminal) {
    const { out, check, selector } = flags;
    if (check && out === undefined) throw new UsageError("--check needs --out, the file to check");
    const request = { ...readLockOptions(flags, terminal), selector: readSelector(selector) };
    const stages = startStages(terminal);
    const { found, diagnostics } = await readIds(request);
    stages.lap("read the workspace and the state");
    if (!found) return await fail(diagnostics, request, terminal);
    await printDiagnostics(diagnostics, request, terminal);
    const rendered = await render(found, request);
    if (!rendered.ok) return await fail(locate(rendered.problems), request, terminal);
    if (out !== undefined) return await keep(rendered.text, out, found, flags, request, terminal);
    terminal.out(rendered.text);
    return exitCode.fine;
  },
};

async function render(
  found: WorkspaceIds,
  request: OutputRequest,
): Promise<Checked<{ readonly text: string }>> {
  const header = headerLines(found.workspace, commandText(request));
  switch (request.format) {
    case "json":
      return { ok: true, text: (await import("../../render/results/ids-json.js")).renderIdsJson(found) };
    case "dotenv":
      return (await import("../../render/results/ids-dotenv.js")).renderIdsDotenv(found, header);
    case "typescript": {
      const { renderIdsTypescript } = await import("../../render/results/ids-typescript.js");
      return { ok: true, text: renderIdsTypescript(found, header) };
    }
    case "python":
      return (await import("../../render/results/ids-python.js")).renderIdsPython(found, header);
  }
}

async function keep(
  text: string,
  file: string,
  { ids, ...owner }: WorkspaceIds,
  { check, workspace }: OutputFlags,
  request: OutputRequest,
  terminal: Terminal,
): Promise<ExitCode> {
  const refuse = async (code: Code, message: string, hint?: string) =>
    await fail(locate([error(code, undefined, message, hint)]), request, terminal);
  const { readWritten, writeWritten } = await import("../files/written-file.js");
  const mark = request.format === "json" ? idsFormat : headerMark;
  const written = { file, cwd: terminal.cwd, workspace: request.directory, mark };
  const present = readWritten(written);
  if (!present.ok) return await refuse("output-unwritten", present.failure);
  // Git may have changed the line ends; no form has other ones.
  const isSame = present.text?.replaceAll("\r\n", "\n") === text;
  if (check && !isSame) {
    const state = present.text === undefined ? "is missing" : "is stale";
    return await refuse(
      "output-stale",
      `${file} ${state}`,
      `run \`${writingText(file, workspace, request)}\``,
    );
  }
  const failure = isSame ? undefined : writeWritten(text, written);
  if (failure !== undefined) return await refuse("output-unwritten", failure);
  const said = () => `${safeLine(file)}: ${countText(ids.size, "ID")}, ${isSame ? "unchanged" : "written"}\n`;
  const json = (): OutputAnswer => ({ format: idsFormat, ...owner, file, written: !isSame, count: ids.size });
  await printResult({ text: said, json }, request, terminal);
  return exitCode.fine;
}

// What makes a result, wherever it is run and written: so the same IDs give the same bytes.
function commandText({ format, environment, selector, options }: OutputRequest): string {
  const args = ["agentform", "output", "--format", format];
  if (environment) args.push("-e", environment);
  for (const label of [...selector].toSorted()) args.push("--selector", label);
  if (options?.emulator) args.push("--emulator");
  return shellLine(args);
}

function writingText(file: string, workspace: string | undefined, request: OutputRequest): string {
  const folder = workspace === undefined ? [] : ["-C", workspace];
  return [commandText(request), ...["--out", file, ...folder].map(shellWord)].join(" ");
}
