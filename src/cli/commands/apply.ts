import { addFormat, collect, type RunnableCommand } from "../command.js";
import { UsageError } from "../exit-code.js";
import {
  addPlanOptions,
  givenAmong,
  readAddresses,
  readPlanOptions,
  shaping,
  type PlanFlags,
} from "../options/plan-options.js";
import { addServiceOptions, type ServiceFlags } from "../options/service-options.js";
import { withRemoved } from "../several/removed-ones.js";
import {
  addAllOption,
  namesSeveral,
  ofOne,
  refuseOfOne,
  type SeveralFlags,
} from "../several/several-options.js";
import { wantsColor } from "../terminal/terminal.js";
import { addRunOptions, readRunOptions, refuseApply, runApply, type RunFlags } from "../run-apply.js";

interface ApplyFlags extends SeveralFlags, PlanFlags, RunFlags, ServiceFlags {
  readonly overwrite?: readonly string[];
  readonly check?: boolean;
  readonly verify?: boolean;
  readonly format: "text" | "json";
}

const ofDigest = "agree to what `plan --out` showed with its digest: `--expect DIGEST`";

export const apply: RunnableCommand = {
  about:
    "Makes a plan, shows it, asks, and carries it out. Each ID is recorded before it is used. A create whose outcome is unknown is never repeated. Where nobody can be asked, it shows the plan, does nothing, ends with 2 and names the command that agrees to it: `--expect` with its digest.",
  examples: [
    ["agentform apply", "plan, ask, apply"],
    ["agentform apply plan.json --yes", "a saved plan, without a question"],
    ["agentform apply --emulator --yes", "try it without a service"],
  ],
  documents: ["explanation/pull-requests.md", "explanation/unknown.md", "reference/answers.md"],
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
    addFormat(command, ["text", "json"]);
    addPlanOptions(command);
    addAllOption(command);
  },
  async run([file], flags: ApplyFlags, terminal) {
    const running = readRunOptions(flags);
    // The options of a saved plan were fixed when it was made.
    const given = file === undefined ? undefined : givenAmong(flags, [...shaping, "var", "varFile"]);
    if (given !== undefined) {
      throw new UsageError(`${given} has no effect on a saved plan: pass it to \`plan --out\``);
    }
    const read = async (own: ApplyFlags) => ({
      ...(await readPlanOptions(own, terminal)),
      ...running,
      service: own,
      format: own.format,
      check: own.check ?? true,
      overwrite: readAddresses("--overwrite", own.overwrite, "all"),
      verify: own.verify === true,
    });
    if (namesSeveral(flags, terminal)) {
      refuseOfOne(flags, [...ofOne, "overwrite"]);
      if (file !== undefined)
        throw new UsageError("a saved plan is not applied to several workspaces", ofDigest);
      const [{ readMembers }, { runSeveral }] = await Promise.all([
        import("../several/members.js"),
        import("../several/apply-several.js"),
      ]);
      const { environment = null, format } = flags;
      const run = {
        ...running,
        environment,
        format,
        color: wantsColor(flags.color, terminal),
        service: flags,
      };
      return await runSeveral(await readMembers(flags, read, terminal), run, terminal);
    }
    const request = await withRemoved(await read(flags), flags);
    if (file === undefined) return await runApply(request, terminal);
    const { readPlanFile } = await import("../files/plan-file.js");
    const saved = readPlanFile(file, terminal.cwd);
    if (!saved.ok) return await refuseApply(saved.diagnostics, request, terminal);
    return await runApply({ ...request, saved: { plan: saved.plan, file } }, terminal);
  },
};
