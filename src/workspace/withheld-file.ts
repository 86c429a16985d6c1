import { quote } from "../core/finding/quotation.js";
import type { ReadProblem } from "../core/expression/included-data.js";

/** Says why a file below a workspace is not part of it: it belongs to git or agentform, or git ignores it. */
export function withheld(name: string, ignored: ReadonlySet<string>): ReadProblem | undefined {
  const owner = mayHaveOwner.test(name)
    ? name
        .split("/")
        .map(ownerOf)
        .find((each) => each !== undefined)
    : undefined;
  if (owner !== undefined) return refused(`${quote(name)} belongs to ${owner}`);
  return isIgnored(name, ignored) ? refused(`${quote(name)} is ignored by git`) : undefined;
}

// Of ten thousand names few have these letters, with or without ignorable characters between them.
const mayHaveOwner = /git|agentf|[^ -~]/i;

// An ignored file is listed itself, or through a folder that contains it.
function isIgnored(name: string, ignored: ReadonlySet<string>): boolean {
  if (ignored.size === 0) return false;
  for (let end = name.indexOf("/"); end !== -1; end = name.indexOf("/", end + 1)) {
    if (ignored.has(name.slice(0, end))) return true;
  }
  return ignored.has(name);
}

function refused(message: string): ReadProblem {
  const hint =
    "use a file that git does not ignore and that can be committed; pass a secret as `${env:NAME}`";
  return { code: "file-withheld", message, hint };
}

function ownerOf(segment: string): string | undefined {
  // Most names begin with a letter with which none of theirs does.
  if (/^[b-fh-z0-9_]/i.test(segment)) return undefined;
  const name = plain(segment);
  if (/^(\.git|git~\d+)$/.test(name)) return "git";
  return /^(\.agentform$|agentform(\..*)?\.lock(\.|$)|agentf~\d)/.test(name) ? "agentform" : undefined;
}

// Spellings under which file systems of macOS and Windows find the same name: upper case, ignorable characters,
// dots and spaces at the end, the name of a stream.
function plain(segment: string): string {
  return segment
    .replaceAll(/[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g, "")
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
}
