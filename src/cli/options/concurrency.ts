import { UsageError } from "../exit-code.js";

/** Reads the maximum number of requests in flight; throws UsageError. */
export function readConcurrency(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 1000) {
    throw new UsageError(`--concurrency must be a whole number from 1 to 1000, not \`${text}\``);
  }
  return number;
}
