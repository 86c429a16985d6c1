import { UsageError } from "../exit-code.js";

const milliseconds: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Parses a time such as `90s`, `5m` or `1h` to milliseconds; at most a day.
 * @throws UsageError
 */
export function readDuration(option: string, text: string): number {
  const [, digits = "", unit = ""] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const time = Number(digits) * (milliseconds[unit] ?? Number.NaN);
  if (time <= 24 * 3_600_000) return time;
  throw new UsageError(`${option} must be a time such as 90s, 5m or 1h, at most 24h, not \`${text}\``);
}
