import { error, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import { nearAmong } from "../../core/kind/near-address.js";
import { explainAbsent } from "../../core/resources/absence.js";
import type { Fleet } from "../../core/resources/fleet.js";
import type { Resource } from "../../core/resources/resource.js";
import { checkSelector, matcherOf, type Selector } from "../../core/resources/selector.js";
import { sourcesOf } from "../../core/resources/field-origin.js";
import { writtenDocument } from "../../core/resources/written-document.js";
import { isSound, loadWorkspace, type SoundWorkspace } from "../../workspace/load-workspace.js";
import { addFormat, type CommonOptions, type RunnableCommand } from "../command.js";
import { exitCode, UsageError } from "../exit-code.js";
import { readAddress } from "../options/lock-options.js";
import { addSelectorOption, readSelector } from "../options/plan-options.js";
import { readWorkspaceOptions, type WorkspaceRequest } from "../options/workspace-options.js";
import { startStages } from "../output/detail.js";
import { fail, printDiagnostics } from "../output/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";

const formats = ["yaml", "json"] as const;

interface RenderFlags extends CommonOptions {
  readonly format: (typeof formats)[number];
  readonly layers?: boolean;
  readonly selector?: string[];
}

interface RenderRequest extends WorkspaceRequest {
  readonly addresses: readonly string[];
  readonly selector: Selector;
}

export const render: RunnableCommand = {
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
  documents: ["reference/render.md"],
  options(command) {
    command.argument("[addr...]", "only these resources; all of them if left out");
    addFormat(command, formats);
    command.option("--layers", "say in comments from which file and line each value came");
    addSelectorOption(command);
  },
  async run(args, flags: RenderFlags, terminal) {
    const { format, layers } = flags;
    if (layers && format === "json")
      throw new UsageError("--layers writes comments, which JSON does not have");
    const request = {
      ...readWorkspaceOptions(flags, terminal),
      addresses: args.map(readAddress),
      selector: readSelector(flags.selector),
      format,
    };
    const stages = startStages(terminal);
    const loaded = loadWorkspace(request);
    stages.lap("read and check");
    if (!isSound(loaded)) return await fail(loaded.diagnostics, request, terminal);
    const problems = loaded.locate(explainMissing(request, loaded.fleet));
    if (problems.length > 0) return await fail([...loaded.diagnostics, ...problems], request, terminal);
    await printDiagnostics(loaded.diagnostics, request, terminal);
    await print(chosen(request, loaded.fleet.resources), loaded, flags, terminal);
    return exitCode.fine;
  },
};

function explainMissing(
  { addresses, selector }: RenderRequest,
  { resources, absent, settings }: Fleet,
): Finding[] {
  const near = nearAmong(resources.keys());
  const unknown = addresses.filter((address) => !resources.has(address));
  const findings = unknown.map((address) => {
    const there = absent.get(address);
    if (there) return explainAbsent(there, settings.environment);
    const hint = near(address) ?? "`agentform render` without an address gives all resources";
    return error(
      "option-unknown-address",
      undefined,
      say`${bare({ address })} is not a resource of this workspace`,
      hint,
    );
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
  return all.filter((each) => named.has(each.address) || (selector.size > 0 && isSelected(each.labels)));
}

async function print(
  resources: readonly Resource[],
  { fleet, lines: linesOf }: SoundWorkspace,
  { format, layers }: RenderFlags,
  terminal: Terminal,
): Promise<void> {
  if (format === "json") {
    const { jsonText } = await import("../../render/words/json-text.js");
    const documents = resources.map(writtenDocument);
    const { name: workspace, environment } = fleet.settings;
    terminal.out(jsonText({ format: "agentform/documents/v1", workspace, environment, documents }));
    return;
  }
  const { renderDocumentYaml } = await import("../../render/results/documents-yaml.js");
  const written = resources.map((resource) => [resource, writtenDocument(resource)] as const);
  const sources = written.map((each) => (layers ? sourcesOf(...each) : []));
  // Together, because the files of places are parsed for this.
  const lines = linesOf(sources.flat().map(({ place }) => place)).values();
  for (const [index, [, document]] of written.entries()) {
    const located = (sources[index] ?? []).map((source) => ({ ...source, line: lines.next().value }));
    terminal.out(renderDocumentYaml(document, located));
  }
}
