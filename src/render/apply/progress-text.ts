import prettyMilliseconds from "pretty-ms";
import type { ProgressCounts } from "./progress-tally.js";
import { renderApplyEvent } from "./apply-text.js";
import { cutLine, renderBar } from "./bar-text.js";
import { safeLine } from "../words/terminal-text.js";

/** The room that progress is drawn in, in characters. */
export interface ProgressRoom {
  readonly columns: number;
  readonly rows: number;
  readonly color: boolean;
}

const addressesAtMost = 6;

/** Renders how far an apply is as one line, such as `120 of 1,000 done, 12/s, about 1m 10s left, 8 in flight`. */
export function renderProgressLine(counts: ProgressCounts): string {
  return `${sentence(counts)}, ${numberText(counts.inFlight.length)} in flight`;
}

/** Renders how far an apply is as a bar, and under it what is in flight; no line is wider than the room. */
export function renderProgress(counts: ProgressCounts, room: ProgressRoom): string {
  const { inFlight } = counts;
  // The bar, the line that counts the others, and the one that the cursor is on.
  const shown = inFlight.slice(0, Math.max(0, Math.min(addressesAtMost, room.rows - 3)));
  const addresses = shown.map((event) => {
    const plain = renderApplyEvent(event, { color: false });
    return plain.length < room.columns - 2 ? renderApplyEvent(event, room) : cutLine(plain, room.columns - 2);
  });
  const more = inFlight.length - shown.length;
  return [
    barLine(counts, room),
    ...addresses.map((line) => `  ${line}`),
    ...(more > 0 ? [cutLine(`  … and ${numberText(more)} more`, room.columns)] : []),
  ].join("\n");
}

function barLine(counts: ProgressCounts, room: ProgressRoom): string {
  const { total: whole, done, failed, unknown, skipped } = counts;
  return renderBar({ part: done + failed + unknown + skipped, whole, text: sentence(counts) }, room);
}

function sentence({ total, done, failed, unknown, skipped, rate, left, slowdown }: ProgressCounts): string {
  const others: readonly (readonly [number, string])[] = [
    [failed, "failed"],
    [unknown, "unknown"],
    [skipped, "skipped"],
  ];
  return [
    `${numberText(done)} of ${numberText(total)} done`,
    ...others.filter(([count]) => count > 0).map(([count, what]) => `${numberText(count)} ${what}`),
    ...(rate === undefined ? [] : [rateText(rate)]),
    ...(slowdown ? [`slowed to ${rateText(slowdown.perSecond)} by ${safeLine(slowdown.why)}`] : []),
    ...(left === undefined || left === 0 ? [] : [`about ${durationText(left)} left`]),
  ].join(", ");
}

function rateText(rate: number): string {
  if (rate >= 9.95) return `${numberText(Math.round(rate))}/s`;
  return rate >= 0.95 ? `${rate.toFixed(1)}/s` : `${Math.round(rate * 60)}/min`;
}

function durationText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return prettyMilliseconds(seconds * 1000, { unitCount: 2 });
}

function numberText(count: number): string {
  return count.toLocaleString("en-US");
}
