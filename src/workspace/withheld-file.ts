import { quote } from "../core/finding/quotation.js";
import type { ReadProblem } from "./read-problem.js";

/** Says why a file below a workspace is no part of it: it is git's or agentform's own, or git ignores it. */
export function withheld(name: string, ignored: ReadonlySet<string>): ReadProblem | undefined {
  const segments = name.split("/");
  const owner = segments.map(ownerOf).find((each) => each !== undefined);
  if (owner !== undefined) return refused(`${quote(name)} belongs to ${owner}`);
  // What is ignored is named alone, or with a folder that holds it.
  const isIgnored =
    ignored.size > 0 && segments.some((_, index) => ignored.has(segments.slice(0, index + 1).join("/")));
  return isIgnored ? refused(`${quote(name)} is ignored by git`) : undefined;
}

function refused(message: string): ReadProblem {
  const hint = "name a file that is or can be in a commit; pass a secret as `${env:NAME}`";
  return { code: "file-withheld", message, hint };
}

function ownerOf(segment: string): string | undefined {
  const name = plain(segment);
  if (/^(\.git|git~\d+)$/.test(name)) return "git";
  return /^(\.agentform$|agentform(\..*)?\.lock(\.|$)|agentf~\d)/.test(name) ? "agentform" : undefined;
}

// The spellings by which file systems of macOS and Windows find the same name: upper case, characters that count
// for nothing, dots and blanks at the end, the name of a stream.
function plain(segment: string): string {
  return segment
    .replaceAll(/[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g, "")
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
}
