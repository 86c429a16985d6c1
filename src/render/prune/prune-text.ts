import type { PruneEvent, PruneSummary } from "../../core/prune/prune-event.js";
import type { Pruning } from "../../core/prune/pruning.js";
import { tableLines } from "../lock/lock-table.js";
import { countText, countsTexts } from "../words/count-text.js";
import { headOf } from "../words/cut-text.js";
import { paletteOf } from "../words/palette.js";
import { safeLine } from "../words/terminal-text.js";

interface TextOptions {
  readonly color: boolean;
}

/** Renders what a prune deletes, and what it leaves and why, as tables; a line end at the end. */
export function renderPruning(
  { rows, undeletable, deletions, unseen }: Pruning,
  source: string,
  { color }: TextOptions,
): string {
  const { dim, removed } = paletteOf(color);
  const cells = rows.map(({ id, address, operation, reason, delete_sent, kept }) => {
    const whole = operation === undefined ? address : `${address}/${operation}`;
    const doubt = delete_sent === undefined ? "" : `, delete of ${delete_sent} with unknown outcome`;
    return [whole, id ?? "no ID", `${reason}${doubt}`, kept === undefined ? "delete" : `keep: ${kept}`];
  });
  const [head = "", ...lines] = tableLines(["address", "ID", "reason", "what"], cells);
  const shown = lines.map((line, index) => (rows[index]?.kept === undefined ? removed(line) : line));
  const kept = rows.length - deletions.length;
  const count = countsTexts([
    [deletions.length, "to delete"],
    [kept, "to keep"],
  ]);
  const others = undeletable.map(
    ({ setting, count: number }) =>
      `${countText(number, "object stays", "objects stay")}, because \`${setting}\` is not set.`,
  );
  if (unseen.length > 0) {
    const settings = unseen.map((setting) => `\`${setting}\``).join(", ");
    const verb = unseen.length === 1 ? "is" : "are";
    others.push(`Objects made by hand may use these and are not seen, because ${settings} ${verb} not set.`);
  }
  const title = `${safeLine(source)}: ${count.length > 0 ? count.join(", ") : "nothing to delete"}`;
  return `${[title, ...(rows.length > 0 ? ["", dim(head), ...shown] : []), ...(others.length > 0 ? ["", ...others] : [])].join("\n")}\n`;
}

/** What a prune asks about. */
export interface PruneQuestion {
  readonly count: number;
  readonly workspace: string;
  readonly environment: string | null;
  /** The address of the service, or what else it is called. */
  readonly service: string;
}

/** Renders the question before objects are deleted, as one line. */
export function renderPruneQuestion({ count, workspace, environment, service }: PruneQuestion): string {
  const where = environment === null ? workspace : `${environment} of ${workspace}`;
  return safeLine(`Delete ${countText(count, "object")} of ${where} at ${service}? This cannot be undone.`);
}

/** Renders one event of a prune as one line, without a line end; nothing for a start. */
export function renderPruneEvent(event: PruneEvent, { color }: TextOptions): string | undefined {
  const palette = paletteOf(color);
  const object = safeLine(`${event.address} (${event.id})`);
  switch (event.type) {
    case "start":
      return undefined;
    case "deleted":
      return `${object}: ${palette.removed("deleted")}`;
    case "skipped":
      return `${object}: ${palette.changed("kept")}, because ${safeLine(event.because)}`;
    default: {
      const what = event.type === "failed" ? "not deleted" : "not known whether it was deleted";
      return `${object}: ${palette.grave(what)}: ${safeLine(failureText(event))}`;
    }
  }
}

type Failed = Extract<PruneEvent, { readonly type: "failed" | "unknown" }>;

function failureText({ method, path, status, message, answer, requestId, hint, type }: Failed): string {
  const answered = status === undefined ? "" : ` answered ${status}`;
  const said = answer ? `; it said: ${headOf(answer.replaceAll(/\s+/g, " ").trim(), 300)}` : "";
  const request = requestId === undefined ? "" : ` [request ${requestId}]`;
  const next = type === "unknown" ? "; the next prune sends it again" : "";
  return `${method} ${path}${answered}: ${message}${said}${request}${hint === undefined ? "" : `; ${hint}`}${next}`;
}

/** Renders how a prune ended as one line, without a line end; one that could not be saved is not whole. */
export function renderPruneSummary(
  summary: PruneSummary,
  { color, isWhole }: TextOptions & { readonly isWhole: boolean },
): string {
  const { deleted, failed, unknown, skipped } = summary;
  const palette = paletteOf(color);
  const others = countsTexts([
    [failed, "failed"],
    [unknown, "unknown"],
    [skipped, "kept"],
  ]);
  const all = [`${deleted} deleted`, ...others].join(", ");
  return others.length > 0 || !isWhole
    ? `${palette.removed("Prune incomplete")}: ${all}.`
    : `${palette.added("Prune complete")}: ${all}.`;
}
