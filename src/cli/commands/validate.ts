import { Option } from "commander";
import { hasErrors } from "../../core/diagnostic.js";
import { validate as findAll } from "../../sync.js";
import { defineCommand, type CommonOptions } from "../command.js";
import { exitCode } from "../exit-code.js";
import { readWorkspaceOptions, type WorkspaceRequest } from "../workspace-options.js";

interface ValidateRequest extends WorkspaceRequest {
  readonly format: "text" | "json";
}

export const validate = defineCommand<ValidateRequest>({
  options(command) {
    command.addOption(
      new Option("--format <format>", "the form of the result").choices(["text", "json"]).default("text"),
    );
  },
  build(_args, options: CommonOptions & { format?: "text" | "json" }, terminal) {
    return { ...readWorkspaceOptions(options, terminal), format: options.format ?? "text" };
  },
  async run(request, terminal) {
    const diagnostics = findAll(request);
    if (request.format === "json") {
      const { renderDiagnosticsJson } = await import("../render/diagnostics-json.js");
      terminal.out(renderDiagnosticsJson(diagnostics));
    } else if (diagnostics.length === 0) {
      terminal.out("The workspace is valid.\n");
    } else {
      const { renderDiagnosticsText } = await import("../render/diagnostics-text.js");
      terminal.out(renderDiagnosticsText(diagnostics, request));
    }
    return hasErrors(diagnostics) ? exitCode.invalid : exitCode.fine;
  },
});
