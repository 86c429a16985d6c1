import { Option } from "commander";
import { readIds } from "../../sync/output.js";
import { error, type Code } from "../../core/finding/diagnostic.js";
import type { WorkspaceIds } from "../../core/resources/application-ids.js";
import type { Selector } from "../../core/resources/selector.js";
import { locate } from "../../core/position/position.js";
import { headerLines, headerMark, idsFormat } from "../../render/output/ids-header.js";
import type { RenderedIds } from "../../render/output/rendered-ids.js";
import { countText } from "../../render/words/count-text.js";
import { safeLine } from "../../render/words/terminal-text.js";
import { defineCommand } from "../command.js";
import { exitCode, failureCode, UsageError, type ExitCode } from "../exit-code.js";
import {
  addLockOptions,
  readLockOptions,
  type LockFlags,
  type LockRequest,
} from "../options/lock-options.js";
import { addSelectorOption, readSelector } from "../options/selector-option.js";
import { startStages } from "../output/detail.js";
import { printDiagnostics, printFailure } from "../output/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";

const formats = ["json", "dotenv", "typescript", "python"] as const;
type IdsFormat = (typeof formats)[number];

interface OutputFlags extends LockFlags {
  readonly format?: IdsFormat;
  readonly out?: string;
  readonly check?: boolean;
  readonly selector?: string[];
}

interface OutputRequest extends LockRequest {
  readonly format: IdsFormat;
  readonly selector: Selector;
  /** The file to write or to check, as given by the user. */
  readonly out: string | undefined;
  readonly isCheck: boolean;
  /** The workspace, as given by the user. */
  readonly given: string | undefined;
}

export const output = defineCommand<OutputRequest>({
  about: "Reads the IDs from the state, for applications that talk to the agents.",
  examples: [
    ["agentform output", "all IDs as JSON"],
    ["agentform output -e production --format dotenv", "of one environment, as variables"],
    ["agentform output --format typescript --out src/ids.ts --check", "in CI: fails if the module is stale"],
  ],
  documents: ["output.md"],
  options(command) {
    command
      .addOption(
        new Option("--format <format>", "the form of the result").choices([...formats]).default("json"),
      )
      .option("--out <file>", "write the result to this file, if it is different")
      .option("--check", "write nothing, and fail if the file of `--out` is missing or different");
    addSelectorOption(command);
    addLockOptions(command);
  },
  build(_args, flags: OutputFlags, terminal) {
    const { format = "json", out, check, workspace } = flags;
    if (check && out === undefined) throw new UsageError("--check needs --out, the file to check");
    return {
      ...readLockOptions(flags, terminal),
      format,
      selector: readSelector(flags.selector),
      out,
      isCheck: check === true,
      given: workspace,
    };
  },
  async run(request, terminal) {
    const stages = startStages(terminal);
    const { found, diagnostics } = await readIds(request);
    stages.lap("read the workspace and the state");
    await (found ? printDiagnostics : printFailure)(diagnostics, request, terminal);
    if (!found) return failureCode(diagnostics);
    const rendered = await render(found, request);
    if ("findings" in rendered) {
      await printFailure(
        locate(rendered.findings, () => undefined),
        request,
        terminal,
      );
      return exitCode.invalid;
    }
    if (request.out !== undefined) return await keep(rendered.text, request.out, found, request, terminal);
    terminal.out(rendered.text);
    return exitCode.fine;
  },
});

async function render(found: WorkspaceIds, request: OutputRequest): Promise<RenderedIds> {
  const header = headerLines(found.workspace, commandText(request));
  switch (request.format) {
    case "json":
      return (await import("../../render/output/ids-json.js")).renderIdsJson(found);
    case "dotenv":
      return (await import("../../render/output/ids-dotenv.js")).renderIdsDotenv(found, header);
    case "typescript":
      return (await import("../../render/output/ids-typescript.js")).renderIdsTypescript(found, header);
    case "python":
      return (await import("../../render/output/ids-python.js")).renderIdsPython(found, header);
  }
}

async function keep(
  text: string,
  file: string,
  { ids }: WorkspaceIds,
  request: OutputRequest,
  terminal: Terminal,
): Promise<ExitCode> {
  const fail = async (code: Code, message: string, hint?: string) => {
    await printFailure(
      locate([error(code, undefined, message, hint)], () => undefined),
      request,
      terminal,
    );
    return exitCode.invalid;
  };
  const { readWritten, writeWritten } = await import("../files/written-file.js");
  const mark = request.format === "json" ? idsFormat : headerMark;
  const written = { file, cwd: terminal.cwd, workspace: request.directory, mark };
  const present = readWritten(written);
  if ("failure" in present) return await fail("output-unwritten", present.failure);
  // Git may have changed the line ends; no form has other ones.
  const isSame = present.text?.replaceAll("\r\n", "\n") === text;
  if (request.isCheck && !isSame) {
    const state = present.text === undefined ? "is missing" : "is stale";
    return await fail("output-stale", `${file} ${state}`, `run \`${writingText(file, request)}\``);
  }
  const failure = isSame ? undefined : writeWritten(text, written);
  if (failure !== undefined) return await fail("output-unwritten", failure);
  terminal.out(`${safeLine(file)}: ${countText(ids.size, "ID")}, ${isSame ? "unchanged" : "written"}\n`);
  return exitCode.fine;
}

// What makes a result, wherever it is run and written: so the same IDs give the same bytes.
function commandText({ format, environment, selector, options }: OutputRequest): string {
  const args = ["agentform", "output", "--format", format];
  if (environment) args.push("-e", environment);
  for (const label of [...selector].toSorted()) args.push("--selector", label);
  if (options?.emulator) args.push("--emulator");
  return args.map(shellWord).join(" ");
}

function writingText(file: string, request: OutputRequest): string {
  const folder = request.given === undefined ? [] : ["-C", request.given];
  return [commandText(request), ...["--out", file, ...folder].map(shellWord)].join(" ");
}

function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
