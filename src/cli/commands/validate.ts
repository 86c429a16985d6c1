import { hasErrors, type Diagnostic } from "../../core/finding/diagnostic.js";
import { locate } from "../../core/position/position.js";
import { validate as findAll } from "../../sync/validate.js";
import { addFormat, type RunnableCommand } from "../command.js";
import { startStages } from "../output/detail.js";
import { withoutTold } from "../output/told.js";
import { exitCode } from "../exit-code.js";
import { addRuleOptions, readRuleOptions, type RuleFlags } from "../options/rule-options.js";
import { readWorkspaceOptions } from "../options/workspace-options.js";
import { countText } from "../../render/words/count-text.js";
import { warnOfRemoved, withRemoved } from "../several/removed-ones.js";
import { addAllOption, namesSeveral, type SeveralFlags } from "../several/several-options.js";
import { codePageFor, wantsColor, type Terminal } from "../terminal/terminal.js";

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

interface ValidateFlags extends SeveralFlags, RuleFlags {
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
    addAllOption(command);
  },
  async run(_args, { format, ...flags }: ValidateFlags, terminal) {
    const stages = startStages(terminal);
    const { diagnostics, folder, valid, isSeveral = false } = await findIn(flags, terminal);
    stages.lap("read and check");
    if (format === "text") {
      const color = wantsColor(flags.color, terminal);
      const shown = withoutTold(diagnostics, terminal);
      if (shown.length > 0) terminal.out(await textOf(shown, color, terminal));
      // Of one, what there is says it.
      if (shown.length === 0 || (isSeveral && !hasErrors(diagnostics))) terminal.out(`${valid}\n`);
    } else {
      const render: Render = await renderers[format]();
      const write = format === "github" ? terminal.command : terminal.out;
      const shown = format === "github" ? withoutTold(diagnostics, terminal) : diagnostics;
      write(render(shown, { folder }));
    }
    return hasErrors(diagnostics) ? exitCode.invalid : exitCode.fine;
  },
};

interface Found {
  readonly diagnostics: readonly Diagnostic[];
  /** Where their files are named from, as seen from the top of the repository. */
  readonly folder: string;
  /** What is said where there are none, and of several where there is no error. */
  readonly valid: string;
  readonly isSeveral?: boolean;
}

async function findIn(flags: Omit<ValidateFlags, "format">, terminal: Terminal): Promise<Found> {
  const read = async (own: Omit<ValidateFlags, "format">) => {
    const workspace = readWorkspaceOptions(own, terminal);
    return { ...workspace, ...(await readRuleOptions(own, workspace.directory, terminal)) };
  };
  if (!namesSeveral(flags, terminal)) {
    const { repositoryFolder } = await import("../../git/repository.js");
    const request = await withRemoved(await read(flags), flags);
    const folder = repositoryFolder(request.directory);
    return { diagnostics: await findAll(request), folder, valid: "The workspace is valid." };
  }
  const [{ readMembers }, { validateInOrder }] = await Promise.all([
    import("../several/members.js"),
    import("../../sync/several.js"),
  ]);
  const { members, leftOut, refusals } = await readMembers(flags, read, terminal);
  const found = await validateInOrder(members);
  const others = refusals.length > 0 ? found.filter(({ code }) => code !== "uses-cycle") : found;
  const without = leftOut.filter(({ why }) => why === "environment").length;
  const left = without > 0 ? `; ${countText(without, "other")} without the environment` : "";
  const valid =
    members.length === 1 ? "The workspace is valid" : `The ${members.length} workspaces are valid`;
  const gone = leftOut.flatMap(({ folder, why }) => (why === "removed" ? [folder] : []));
  const removed = locate(warnOfRemoved(gone, flags));
  return {
    diagnostics: [...refusals, ...removed, ...others],
    folder: "",
    valid: `${valid}${left}.`,
    isSeveral: true,
  };
}

async function textOf(diagnostics: readonly Diagnostic[], color: boolean, terminal: Terminal) {
  const { renderDiagnosticsText } = await import("../../render/diagnostics/diagnostics-text.js");
  return renderDiagnosticsText(diagnostics, { color, codePage: await codePageFor("out", color, terminal) });
}
