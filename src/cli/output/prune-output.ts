import type { PruneEvent, PruneSummary } from "../../core/prune/prune-event.js";
import type { Pruning } from "../../core/prune/pruning.js";
import type { Settings } from "../../core/resources/manifest.js";
import type { PruneResult } from "../../sync/prune.js";
import { version } from "../../version.js";
import type { Terminal } from "../terminal/terminal.js";
import { printDiagnostics } from "./print-diagnostics.js";

/** Shows a prune: what it deletes, its progress, and how it ended. */
export interface PruneOutput {
  show(pruning: Pruning, settings: Settings): void;
  event(event: PruneEvent): void;
  end(result: PruneResult): Promise<void>;
}

const nothingDone: PruneSummary = { deleted: 0, failed: 0, unknown: 0, skipped: 0 };

/** Opens the output in a format. */
export async function openPruneOutput(
  { format, color }: { readonly format: "text" | "json"; readonly color: boolean },
  terminal: Terminal,
): Promise<PruneOutput> {
  return format === "json" ? await jsonOutput(color, terminal) : await textOutput(color, terminal);
}

async function jsonOutput(color: boolean, terminal: Terminal): Promise<PruneOutput> {
  const json = await import("../../render/prune/prune-json.js");
  terminal.out(json.renderPruneVersionLine(version));
  return {
    show: (pruning) => terminal.out(json.renderPruningLine(pruning)),
    event: (event) => terminal.out(json.renderPruneEventLine(event)),
    async end({ summary = nothingDone, diagnostics }) {
      await printDiagnostics(diagnostics, { color }, terminal);
      if (diagnostics.length > 0) terminal.out(json.renderPruneDiagnosticsLine(diagnostics));
      terminal.out(json.renderPruneSummaryLine(summary));
    },
  };
}

async function textOutput(color: boolean, terminal: Terminal): Promise<PruneOutput> {
  const text = await import("../../render/prune/prune-text.js");
  return {
    show(pruning, { name, environment }) {
      const where = environment === null ? name : `${environment} of ${name}`;
      terminal.out(text.renderPruning(pruning, where, { color }));
    },
    event(event) {
      const line = text.renderPruneEvent(event, { color });
      if (line !== undefined) terminal.err(`${line}\n`);
    },
    async end({ status, summary, diagnostics }) {
      await printDiagnostics(diagnostics, { color }, terminal);
      if (status === "declined") terminal.err("Nothing was deleted.\n");
      if (summary)
        terminal.out(`${text.renderPruneSummary(summary, { color, isWhole: status === "done" })}\n`);
    },
  };
}
