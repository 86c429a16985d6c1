import type { LockVersion } from "../../core/state/lock-store.js";
import { countText } from "../words/count-text.js";
import { safeLine } from "../words/terminal-text.js";
import { tableLines } from "./lock-table.js";

/** Renders the versions of a lock, a line each and aligned, a line end at the end. */
export function renderLockHistoryText(source: string, versions: readonly LockVersion[]): string {
  const cells = versions.map(({ serial, at, who = "" }) => [String(serial), at, who]);
  const head = `${safeLine(source)}: ${countText(versions.length, "version")}`;
  const lines = versions.length > 0 ? ["", ...tableLines(["serial", "time", "who"], cells)] : [];
  return `${[head, ...lines].join("\n")}\n`;
}
