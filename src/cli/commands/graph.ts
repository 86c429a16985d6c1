import { graphWithUsed } from "../../core/resources/used.js";
import { error, hasErrors, type Diagnostic } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import { nearAmong } from "../../core/kind/near-address.js";
import type { Plan } from "../../core/plan/plan.js";
import { ownerOf } from "../../core/state/lock.js";
import { explainAbsent } from "../../core/resources/absence.js";
import { loadWorkspace, type LoadedWorkspace } from "../../workspace/load-workspace.js";
import { addFormat, type CommonOptions, type RunnableCommand } from "../command.js";
import { exitCode } from "../exit-code.js";
import { readAddresses } from "../options/plan-options.js";
import { fail, printDiagnostics } from "../output/print-diagnostics.js";
import { buildGraphView } from "../../render/results/graph-view.js";
import { readWorkspaceOptions } from "../options/workspace-options.js";

const renderers = {
  mermaid: async () => (await import("../../render/results/graph-mermaid.js")).renderGraphMermaid,
  dot: async () => (await import("../../render/results/graph-dot.js")).renderGraphDot,
  json: async () => (await import("../../render/results/graph-json.js")).renderGraphJson,
};

interface GraphFlags extends CommonOptions {
  readonly format: keyof typeof renderers;
  readonly around?: string;
  readonly plan?: string;
}

export const graph: RunnableCommand = {
  about: "Prints a graph for Mermaid, which GitHub and GitLab draw in Markdown, or for Graphviz.",
  examples: [
    ["agentform graph", "the whole workspace, for Mermaid"],
    ["agentform graph --around policy:strict", "who uses a policy"],
    ["agentform graph --format dot --plan plan.json", "for Graphviz, with the actions of a plan"],
  ],
  documents: ["how-to/share-a-policy.md"],
  options(command) {
    addFormat(command, Object.keys(renderers));
    command
      .option("--around <addr>", "only this resource, its dependencies and its dependents")
      .option("--plan <file>", "mark the actions of a saved plan");
  },
  async run(_args, flags: GraphFlags, terminal) {
    const { around, plan: planFile } = flags;
    if (around !== undefined) readAddresses("--around", [around]);
    const request = readWorkspaceOptions(flags, terminal);
    const read = planFile === undefined ? undefined : await readPlan(planFile, terminal.cwd);
    const loaded = loadWorkspace(request);
    const own = [
      ...(read?.ok === false ? read.diagnostics : []),
      ...(read?.ok ? await foreign(read.plan, planFile ?? "", loaded) : []),
      ...missing(around, loaded),
    ];
    const diagnostics = [...loaded.diagnostics, ...own];
    if (!loaded.fleet || hasErrors(own)) {
      return await fail(diagnostics, { ...request, format: flags.format }, terminal);
    }
    await printDiagnostics(diagnostics, request, terminal);
    const view = buildGraphView(graphWithUsed(loaded.fleet.resources), {
      ...(around !== undefined && { around }),
      ...(read?.ok && { plan: read.plan }),
    });
    const render = await renderers[flags.format]();
    terminal.out(render(view, diagnostics));
    // A workspace with errors is drawn too: a circle of references is easiest to see in a drawing.
    return hasErrors(loaded.diagnostics) ? exitCode.invalid : exitCode.fine;
  },
};

async function readPlan(planFile: string, cwd: string) {
  const { readPlanFile } = await import("../files/plan-file.js");
  return readPlanFile(planFile, cwd);
}

async function foreign(
  plan: Plan,
  file: string,
  { fleet, locate }: LoadedWorkspace,
): Promise<readonly Diagnostic[]> {
  if (!fleet) return [];
  const { checkOwner } = await import("../../core/review/saved-plan-check.js");
  return locate(checkOwner(plan, ownerOf(fleet.settings), plan.options.emulator === true, file));
}

function missing(around: string | undefined, { fleet, locate }: LoadedWorkspace): readonly Diagnostic[] {
  if (around === undefined || !fleet || fleet.resources.has(around)) return [];
  const there = fleet.absent.get(around);
  if (there) return locate([explainAbsent(there, fleet.settings.environment)]);
  const message = say`\`--around ${bare({ address: around })}\` is not a resource of this workspace`;
  const hint = nearAmong(fleet.resources.keys())(around) ?? "`agentform render` gives all resources";
  return locate([error("option-unknown-address", undefined, message, hint)]);
}
