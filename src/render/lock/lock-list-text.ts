import type { LockEntry } from "../../core/state/lock.js";
import { countText } from "../words/count-text.js";
import type { NamedLock } from "./lock-json.js";
import { listResources, type ResourceState } from "./lock-view.js";
import { paletteOf } from "../words/palette.js";
import { tableLines } from "./lock-table.js";
import { safeLine } from "../words/terminal-text.js";

/** What a person calls the states. */
export const stateWords: Readonly<Record<ResourceState, string>> = {
  managed: "managed",
  unknown: "unknown",
  uncertain: "uncertain",
  "no-id": "no ID",
};

/** Renders what is managed, a line each and aligned, a line end at the end. */
export function renderLockListText(
  { lock, source }: NamedLock,
  { color }: { readonly color: boolean },
): string {
  const rows = listResources(lock);
  const palette = paletteOf(color);
  const cells = rows.map(({ address, state, entry, unknown }) => {
    return [address, idCell(entry), stateWords[state], entry?.file ?? unknown?.file ?? ""];
  });
  const lines = tableLines(["address", "ID", "state", "file"], cells).map((line, index) => {
    const state = rows[index - 1]?.state ?? "managed";
    return index === 0 ? palette.dim(line) : state === "managed" ? line : palette.grave(line);
  });
  const head = `${safeLine(source)}, serial ${lock.serial}: ${countText(rows.length, "resource")}`;
  return `${[head, ...(rows.length > 0 ? ["", ...lines] : [])].join("\n")}\n`;
}

function idCell(entry: LockEntry | undefined): string {
  if (!entry?.ids) return entry?.id ?? "";
  const isMapped = entry.tools !== undefined || entry.ids.length === 0;
  return `${countText(entry.ids.length, "tool")}${isMapped ? "" : ", unmapped"}`;
}
