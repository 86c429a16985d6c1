import { unlockCommand } from "../../core/state/state-choice.js";
import prettyMilliseconds from "pretty-ms";
import { progressText } from "../../core/state/journal-progress.js";
import { storeText } from "../../core/state/lock-move.js";
import { holderName } from "../../core/state/lock-store.js";
import type { LockStatus } from "../../core/state/lock-status.js";
import { countText } from "../words/count-text.js";
import { safeLine } from "../words/terminal-text.js";

/** Renders who holds a state and what was done, a line each, a line end at the end; `now` is in milliseconds. */
export function renderLockStatusText(status: LockStatus, now: number): string {
  const seal = status.seal === undefined ? [] : [sealWords[status.seal]];
  const lines = [headLine(status), ...seal, ...holderLines(status, now)];
  return `${lines.map(safeLine).join("\n")}\n`;
}

const sealWords: Readonly<Record<NonNullable<LockStatus["seal"]>, string>> = {
  right: "sealed, and verified",
  unverified: "sealed; not verified, because the key is not set",
  missing: "not sealed, although the manifest asks for it",
  wrong: "not what was sealed",
};

function headLine({ source, lock, isUsable, progress, movedTo, movingFrom }: LockStatus): string {
  if (movedTo) return `${source}: the state has moved to ${storeText(movedTo)}`;
  if (movingFrom) return `${source}: the state is on its way here from ${storeText(movingFrom)}`;
  if (!isUsable) return `${source}: cannot be used`;
  if (!lock) return `${source}: ${progress ? "no apply has ended yet" : "nothing was applied"}`;
  const unknown = lock.unknown > 0 ? `, ${lock.unknown} of unknown outcome` : "";
  return `${source}, serial ${lock.serial}: ${countText(lock.resources, "resource")}${unknown}`;
}

function holderLines({ holder, progress, choice }: LockStatus, now: number): string[] {
  const done = progress && progressText(progress);
  const open = progress && progress.open > 0 ? `, ${progress.open} without an outcome yet` : "";
  if (!holder) {
    if (done === undefined) return ["not held"];
    return [`not held; an apply did not end: ${done}${open}`, "the next apply records what it did"];
  }
  const { nonce, since, seen, life } = holder;
  const unlock = unlockCommand(nonce, choice);
  return [
    `held by ${holderName(holder)} since ${timeText(since, now)}`,
    ...(seen === undefined ? [] : [`last sign of life ${timeText(seen, now)}`]),
    ...(done === undefined ? [] : [`${done}${open}`]),
    life === "dead"
      ? `its process is gone: the next apply in the same folder takes over; for any other: ${unlock}`
      : `if it is certainly dead: ${unlock}`,
  ];
}

function timeText(time: string, now: number): string {
  const ago = now - Date.parse(time);
  if (!(ago >= 0)) return time;
  return ago < 1000
    ? `${time} (now)`
    : `${time} (${prettyMilliseconds(ago, { unitCount: 2, secondsDecimalDigits: 0 })} ago)`;
}
