import { differingRuns } from "../review/differing-runs.js";

/**
 * Gives a text as it was found, with what services change by themselves as it was sent: line ends, composed characters,
 * and white space behind it that is gone. Lines that are the same but for these stay as they were. What is before a text
 * means something in Markdown.
 */
export function keptText(sent: string, found: string): string {
  const [before = ""] = /^\s*/.exec(found) ?? [];
  const [after = ""] = /\s+$/.exec(found) ?? /\s*$/.exec(sent) ?? [];
  const lineEnd = sent.includes("\r\n") ? "\r\n" : "\n";
  const own = sent.trim().split(/\r?\n/);
  const seen = found.trim().split(/\r?\n/);
  if (sent.trim() === "") return found;
  const runs = differingRuns(own.map(normal), seen.map(normal));
  const lines = runs ? own : seen;
  for (const run of runs?.toReversed() ?? []) {
    lines.splice(run.before[0], run.before[1] - run.before[0], ...seen.slice(...run.after));
  }
  return `${before}${lines.join(lineEnd)}${after}`;
}

/** Gives a text without what services change by themselves. */
export function normalText(text: string): string {
  return normal(text.replaceAll("\r\n", "\n").trim());
}

function normal(line: string): string {
  return line.normalize("NFC");
}
