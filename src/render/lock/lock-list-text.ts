import type { LockEntry } from "../../core/state/lock.js";
import type { LockVersion } from "../../core/state/lock-store.js";
import { countText } from "../words/count-text.js";
import { paletteOf } from "../words/palette.js";
import { safeLine } from "../words/terminal-text.js";
import { tableLines } from "../words/text-lines.js";
import type { NamedLock } from "./lock-json.js";
import { listResources, listRetired, type ResourceState, type LockWithUsers } from "./lock-view.js";

/** What a person calls the states. */
export const stateWords: Readonly<Record<ResourceState, string>> = {
  managed: "managed",
  unknown: "unknown",
  uncertain: "uncertain",
  "no-id": "no ID",
};

/** Renders what is managed, a line each and aligned, a line end at the end. */
export function renderLockListText(named: NamedLock, { color }: { readonly color: boolean }): string {
  const rows = listResources(named.lock);
  const palette = paletteOf(color);
  const cells = rows.map(({ address, state, entry, unknown }) => {
    return [address, idCell(entry), stateWords[state], entry?.file ?? unknown?.file ?? ""];
  });
  const [head = "", ...lines] = tableLines(["address", "ID", "state", "file"], cells);
  const painted = lines.map((line, at) => (rows[at]?.state === "managed" ? line : palette.grave(line)));
  return listText(`${titleOf(named)}: ${countText(rows.length, "resource")}`, [
    palette.dim(head),
    ...painted,
  ]);
}

function idCell(entry: LockEntry | undefined): string {
  if (!entry?.ids) return entry?.id ?? "";
  const isMapped = entry.tools !== undefined || entry.ids.length === 0;
  return `${countText(entry.ids.length, "tool")}${isMapped ? "" : ", unmapped"}`;
}

/** Renders the ledger, an object a line and aligned, a line end at the end. */
export function renderLockRetiredText(
  named: NamedLock & LockWithUsers,
  { color }: { readonly color: boolean },
): string {
  const cells = listRetired(named).map(({ id, address, operation, reason, delete_sent, used_by }) => {
    const whole = operation === undefined ? address : `${address}/${operation}`;
    const doubt = delete_sent === undefined ? "" : `; delete of ${delete_sent} with unknown outcome`;
    return [id ?? "no ID", whole, `${reason}${doubt}`, used_by.join("; ")];
  });
  const [head = "", ...lines] = tableLines(["ID", "address", "reason", "used by"], cells);
  const title = `${titleOf(named)}: ${countText(cells.length, "object")} left behind`;
  return listText(title, [paletteOf(color).dim(head), ...lines]);
}

/** Renders the versions of a lock, a line each and aligned, a line end at the end. */
export function renderLockHistoryText(source: string, versions: readonly LockVersion[]): string {
  const cells = versions.map(({ serial, at, who = "" }) => [String(serial), at, who]);
  const title = `${safeLine(source)}: ${countText(versions.length, "version")}`;
  return listText(title, tableLines(["serial", "time", "who"], cells));
}

function titleOf({ lock, source }: NamedLock): string {
  return `${safeLine(source)}, serial ${lock.serial}`;
}

// A table without rows is not shown.
function listText(title: string, [head = "", ...lines]: readonly string[]): string {
  return `${[title, ...(lines.length > 0 ? ["", head, ...lines] : [])].join("\n")}\n`;
}
