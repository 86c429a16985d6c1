import { codes } from "../../generated/codes.js";
import { safeLine } from "./terminal-text.js";

const end = "\x1b]8;;\x1b\\";

const known: ReadonlySet<string> = new Set(codes);

/** Makes the code of a diagnostic a link to its anchor in a page (OSC 8); what is in no table of ours stays a text. */
export function linkedCode(code: string, page: string): string {
  return known.has(code) ? `\x1b]8;;${page}#${code}\x1b\\${code}${end}` : safeLine(code);
}
