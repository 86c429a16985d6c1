import { hasErrors, type Diagnostic } from "../../core/finding/diagnostic.js";
import { validate as findAll } from "../../sync/validate.js";
import { addFormat, type CommonOptions, type RunnableCommand } from "../command.js";
import { startStages } from "../output/detail.js";
import { withoutTold } from "../output/told.js";
import { exitCode } from "../exit-code.js";
import { addRuleOptions, readRuleOptions, type RuleFlags } from "../options/rule-options.js";
import { readWorkspaceOptions } from "../options/workspace-options.js";
import { codePageFor, type Terminal } from "../terminal/terminal.js";

type Render = (diagnostics: readonly Diagnostic[], place: { readonly folder: string }) => string;

// All but the text, which goes to a terminal.
const renderers = {
  json: async () => (await import("../../render/diagnostics/diagnostics-json.js")).renderDiagnosticsJson,
  github: async () =>
    (await import("../../render/diagnostics/diagnostics-github.js")).renderDiagnosticsGithub,
  sarif: async () => (await import("../../render/diagnostics/diagnostics-sarif.js")).renderDiagnosticsSarif,
  gitlab: async () =>
    (await import("../../render/diagnostics/diagnostics-gitlab.js")).renderDiagnosticsGitlab,
} satisfies Record<string, () => Promise<Render>>;

interface ValidateFlags extends CommonOptions, RuleFlags {
  readonly format: "text" | keyof typeof renderers;
}

export const validate: RunnableCommand = {
  about: "Needs no network, no secret and no state. Without `-e` it checks every environment.",
  examples: [
    ["agentform validate", "check the workspace of this folder"],
    ["agentform validate -e production", "one environment"],
    ["agentform validate --format github", "in a job, with notes at the lines"],
  ],
  documents: ["reference/diagnostics.md", "reference/documents.md"],
  options(command) {
    addFormat(command, ["text", ...Object.keys(renderers)]);
    addRuleOptions(command);
  },
  async run(_args, { format, ...flags }: ValidateFlags, terminal) {
    const workspace = readWorkspaceOptions(flags, terminal);
    const request = { ...workspace, ...(await readRuleOptions(flags, workspace.directory, terminal)) };
    const stages = startStages(terminal);
    const diagnostics = await findAll(request);
    stages.lap("read and check");
    if (format === "text")
      terminal.out(await textOf(withoutTold(diagnostics, terminal), request.color, terminal));
    else {
      const { repositoryFolder } = await import("../../git/repository.js");
      const render: Render = await renderers[format]();
      const write = format === "github" ? terminal.command : terminal.out;
      const shown = format === "github" ? withoutTold(diagnostics, terminal) : diagnostics;
      write(render(shown, { folder: repositoryFolder(request.directory) }));
    }
    return hasErrors(diagnostics) ? exitCode.invalid : exitCode.fine;
  },
};

async function textOf(diagnostics: readonly Diagnostic[], color: boolean, terminal: Terminal) {
  if (diagnostics.length === 0) return "The workspace is valid.\n";
  const { renderDiagnosticsText } = await import("../../render/diagnostics/diagnostics-text.js");
  return renderDiagnosticsText(diagnostics, { color, codePage: await codePageFor("out", color, terminal) });
}
