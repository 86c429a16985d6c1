import { Option } from "commander";
import { error, type Finding } from "../../core/finding/diagnostic.js";
import { didYouMeanAmong } from "../../core/finding/nearest.js";
import { explainAbsent } from "../../core/resources/absence.js";
import type { Fleet } from "../../core/resources/fleet.js";
import type { Resource } from "../../core/resources/resource.js";
import { checkSelector, matcherOf, type Selector } from "../../core/resources/selector.js";
import { sourcesOf, writtenDocument } from "../../core/resources/written-document.js";
import { isSound, loadWorkspace, type LoadedWorkspace } from "../../workspace/load-workspace.js";
import { defineCommand, type CommonOptions } from "../command.js";
import { exitCode, UsageError } from "../exit-code.js";
import { readAddress } from "../options/lock-options.js";
import { addSelectorOption, readSelector } from "../options/selector-option.js";
import { readWorkspaceOptions, type WorkspaceRequest } from "../options/workspace-options.js";
import { startStages } from "../output/detail.js";
import { printDiagnostics, printFailure } from "../output/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";

const formats = ["yaml", "json"] as const;
type RenderFormat = (typeof formats)[number];

interface RenderFlags extends CommonOptions {
  readonly format?: RenderFormat;
  readonly layers?: boolean;
  readonly selector?: string[];
}

interface RenderRequest extends WorkspaceRequest {
  readonly addresses: readonly string[];
  readonly selector: Selector;
  readonly format: RenderFormat;
  readonly areLayersShown: boolean;
}

export const render = defineCommand<RenderRequest>({
  about:
    "Replaces variables, files, templates and defaults; references to other resources and secrets stay as they are written.",
  examples: [
    ["agentform render", "every document as it would be sent"],
    [
      "agentform render agent:support -e production --layers",
      "one of them, with the file and line of each value",
    ],
    ["agentform render --format json | jq '.documents[].spec.model'", "as JSON, for a script"],
  ],
  documents: ["render.md"],
  options(command) {
    command
      .argument("[addr...]", "only these resources; all of them if left out")
      .addOption(
        new Option("--format <format>", "the form of the result").choices([...formats]).default("yaml"),
      )
      .option("--layers", "say in comments from which file and line each value came");
    addSelectorOption(command);
  },
  build(args, flags: RenderFlags, terminal) {
    const { format = "yaml", layers = false } = flags;
    if (layers && format === "json")
      throw new UsageError("--layers writes comments, which JSON does not have");
    return {
      ...readWorkspaceOptions(flags, terminal),
      addresses: args.map(readAddress),
      selector: readSelector(flags.selector),
      format,
      areLayersShown: layers,
    };
  },
  async run(request, terminal) {
    const stages = startStages(terminal);
    const loaded = loadWorkspace(request);
    stages.lap("read and check");
    if (!isSound(loaded)) {
      await printFailure(loaded.diagnostics, request, terminal);
      return exitCode.invalid;
    }
    const { resources } = loaded.fleet;
    const problems = loaded.locate(explainMissing(request, loaded.fleet));
    if (problems.length > 0) {
      await printFailure([...loaded.diagnostics, ...problems], request, terminal);
      return exitCode.invalid;
    }
    await printDiagnostics(loaded.diagnostics, request, terminal);
    await print(chosen(request, resources), loaded, request, terminal);
    return exitCode.fine;
  },
});

function explainMissing(
  { addresses, selector, environment = null }: RenderRequest,
  { resources, absent }: Fleet,
): Finding[] {
  const didYouMean = didYouMeanAmong([...resources.keys()]);
  const unknown = addresses.filter((address) => !resources.has(address));
  const findings = unknown.map((address) => {
    const there = absent.get(address);
    if (there) return explainAbsent(there, environment);
    const hint = didYouMean(address) ?? "`agentform render` without an address gives all resources";
    return error("option-unknown-address", undefined, `${address} is not a resource of this workspace`, hint);
  });
  return [...findings, ...checkSelector(selector, resources.values())];
}

function chosen(
  { addresses, selector }: RenderRequest,
  resources: ReadonlyMap<string, Resource>,
): readonly Resource[] {
  const all = [...resources.values()];
  const isSelected = matcherOf(selector);
  if (addresses.length === 0) return all.filter(({ labels }) => isSelected(labels));
  const named = new Set(addresses);
  return all.filter((each) => {
    return named.has(each.address) || (selector.size > 0 && isSelected(each.labels));
  });
}

async function print(
  resources: readonly Resource[],
  { fleet, lines: linesOf }: LoadedWorkspace,
  { format, environment = null, areLayersShown }: RenderRequest,
  terminal: Terminal,
): Promise<void> {
  if (format === "json") {
    const { renderDocumentsJson } = await import("../../render/documents/documents-json.js");
    const documents = resources.map(writtenDocument);
    const workspace = fleet?.settings.name ?? "";
    terminal.out(renderDocumentsJson({ workspace, environment, documents }));
    return;
  }
  const { renderDocumentYaml } = await import("../../render/documents/documents-yaml.js");
  const written = resources.map((resource) => [resource, writtenDocument(resource)] as const);
  const sources = written.map((each) => (areLayersShown ? sourcesOf(...each) : []));
  // Together, because the files of places are parsed for this.
  const lines = linesOf(sources.flat().map(({ place }) => place)).values();
  for (const [index, [, document]] of written.entries()) {
    const located = (sources[index] ?? []).map((source) => ({ ...source, line: lines.next().value }));
    terminal.out(renderDocumentYaml(document, located));
  }
}
