import { countText } from "../words/count-text.js";
import type { NamedLock } from "./lock-json.js";
import { tableLines } from "./lock-table.js";
import { listRetired } from "./lock-view.js";
import { paletteOf } from "../words/palette.js";
import { safeLine } from "../words/terminal-text.js";

/** Renders the ledger, an object a line and aligned, a line end at the end. */
export function renderLockRetiredText(
  { lock, source }: NamedLock,
  { color }: { readonly color: boolean },
): string {
  const rows = listRetired(lock);
  const cells = rows.map(({ id, address, operation, reason, delete_sent, used_by = [] }) => {
    const whole = operation === undefined ? address : `${address}/${operation}`;
    const doubt = delete_sent === undefined ? "" : `; delete of ${delete_sent} with unknown outcome`;
    return [id ?? "no ID", whole, `${reason}${doubt}`, used_by.join(", ")];
  });
  const [head = "", ...lines] = tableLines(["ID", "address", "reason", "used by"], cells);
  const count = `${safeLine(source)}, serial ${lock.serial}: ${countText(rows.length, "object")} left behind`;
  return `${[count, ...(rows.length > 0 ? ["", paletteOf(color).dim(head), ...lines] : [])].join("\n")}\n`;
}
