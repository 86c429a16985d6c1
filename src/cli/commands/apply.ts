import { Option } from "commander";
import { collect, defineCommand } from "../command.js";
import { UsageError } from "../exit-code.js";
import { addPlanOptions, readAddresses, readPlanOptions, type PlanFlags } from "../options/plan-options.js";
import { addServiceOptions, type ServiceFlags } from "../options/service-options.js";
import {
  addRunOptions,
  readRunOptions,
  refuseApply,
  runApply,
  type RunFlags,
  type CommandRun,
} from "../run-apply.js";
import type { Terminal } from "../terminal/terminal.js";

interface ApplyFlags extends PlanFlags, RunFlags, ServiceFlags {
  readonly overwrite?: readonly string[];
  readonly check?: boolean;
  readonly verify?: boolean;
  readonly format?: "text" | "json";
}

interface ApplyCommandRequest extends CommandRun {
  /** The saved plan to run, as given by the user. */
  readonly planFile: string | undefined;
}

export const apply = defineCommand<ApplyCommandRequest>({
  about:
    "Makes a plan, shows it, asks, and carries it out. Each ID is recorded before it is used. A create whose outcome is unknown is never repeated. Without a terminal to ask on, it needs `--yes`.",
  examples: [
    ["agentform apply", "plan, ask, apply"],
    ["agentform apply plan.json --yes", "a saved plan, without a question"],
    ["agentform apply --emulator --yes", "try it without a service"],
  ],
  documents: ["answers.md", "gitops.md"],
  options(command) {
    command.argument("[file]", "a saved plan to run; a new plan is made if left out");
    addRunOptions(command);
    command
      .option(
        "--overwrite <addr|all>",
        "update this object even if somebody changed it in the service; may be repeated",
        collect,
      )
      .option("--no-check", "do not read an object before its update, where the deployment can read it")
      .option("--verify", "read each object again after it was sent, where the deployment can read it");
    addServiceOptions(command);
    command.addOption(
      new Option("--format <format>", "the form of the result").choices(["text", "json"]).default("text"),
    );
    addPlanOptions(command);
  },
  async build([planFile], flags: ApplyFlags, terminal) {
    const running = readRunOptions(flags, terminal);
    if (planFile !== undefined) refuseOptions(flags);
    return {
      ...(await readPlanOptions(flags, terminal)),
      ...running,
      planFile,
      service: flags,
      format: flags.format ?? "text",
      check: flags.check ?? true,
      overwrite: readAddresses("--overwrite", flags.overwrite, "all"),
      verify: flags.verify === true,
    };
  },
  async run(request, terminal) {
    const { planFile: file } = request;
    const read = await readSaved(file, terminal);
    if (read?.ok === false) return await refuseApply(read.diagnostics, request, terminal);
    const saved = file !== undefined && read && { plan: read.plan, file };
    const { code } = await runApply({ ...request, ...(saved && { saved }) }, terminal);
    return code;
  },
});

// The options of a saved plan were fixed when it was made.
const shaping = [
  "target",
  "selector",
  "exclude",
  "changedSince",
  "replace",
  "resend",
  "lockFrom",
  "observed",
  "serviceMoved",
] as const;

function refuseOptions(flags: ApplyFlags): void {
  const given = shaping.find((name) => flags[name] !== undefined);
  if (given === undefined) return;
  const option = given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(`--${option} has no effect on a saved plan: pass it to \`plan --out\``);
}

async function readSaved(planFile: string | undefined, terminal: Terminal) {
  if (planFile === undefined) return undefined;
  const { readPlanFile } = await import("../files/plan-file.js");
  return readPlanFile(planFile, terminal.cwd);
}
