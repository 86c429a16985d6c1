import { Option } from "commander";
import { hasErrors, type Diagnostic } from "../../core/finding/diagnostic.js";
import { validate as findAll } from "../../sync/validate.js";
import { defineCommand, type CommonOptions } from "../command.js";
import { startStages } from "../output/detail.js";
import { exitCode } from "../exit-code.js";
import { readWorkspaceOptions, type WorkspaceRequest } from "../options/workspace-options.js";
import { codePageFor, type Terminal } from "../terminal/terminal.js";

const formats = ["text", "json", "github", "sarif", "gitlab"] as const;
type ValidateFormat = (typeof formats)[number];

interface ValidateRequest extends WorkspaceRequest {
  readonly format: ValidateFormat;
}

export const validate = defineCommand<ValidateRequest>({
  about:
    "Needs no network, no secret and no state. Without `-e` it checks the default environment and every other.",
  examples: [
    ["agentform validate", "check the workspace of this folder"],
    ["agentform validate -e production", "one environment"],
    ["agentform validate --format github", "in a job, with notes at the lines"],
  ],
  documents: ["diagnostics.md", "documents.md"],
  options(command) {
    command.addOption(
      new Option("--format <format>", "the form of the result").choices([...formats]).default("text"),
    );
  },
  build(_args, options: CommonOptions & { format?: ValidateFormat }, terminal) {
    return { ...readWorkspaceOptions(options, terminal), format: options.format ?? "text" };
  },
  async run(request, terminal) {
    const stages = startStages(terminal);
    const diagnostics = findAll(request);
    stages.lap("read and check");
    const write = request.format === "github" ? terminal.command : terminal.out;
    write(await render(diagnostics, request, terminal));
    return hasErrors(diagnostics) ? exitCode.invalid : exitCode.fine;
  },
});

async function render(
  diagnostics: readonly Diagnostic[],
  request: ValidateRequest,
  terminal: Terminal,
): Promise<string> {
  switch (request.format) {
    case "text": {
      if (diagnostics.length === 0) return "The workspace is valid.\n";
      const { renderDiagnosticsText } = await import("../../render/diagnostics/diagnostics-text.js");
      const codePage = await codePageFor("out", request.color, terminal);
      return renderDiagnosticsText(diagnostics, { color: request.color, codePage });
    }
    case "json": {
      const { renderDiagnosticsJson } = await import("../../render/diagnostics/diagnostics-json.js");
      return renderDiagnosticsJson(diagnostics);
    }
    case "github": {
      const { renderDiagnosticsGithub } = await import("../../render/diagnostics/diagnostics-github.js");
      return renderDiagnosticsGithub(diagnostics, await placeOf(request));
    }
    case "sarif": {
      const { renderDiagnosticsSarif } = await import("../../render/diagnostics/diagnostics-sarif.js");
      return renderDiagnosticsSarif(diagnostics, await placeOf(request));
    }
    case "gitlab": {
      const { renderDiagnosticsGitlab } = await import("../../render/diagnostics/diagnostics-gitlab.js");
      return renderDiagnosticsGitlab(diagnostics, await placeOf(request));
    }
  }
}

async function placeOf({ directory }: ValidateRequest) {
  const { repositoryFolder } = await import("../../git/repository.js");
  return { folder: repositoryFolder(directory) };
}
