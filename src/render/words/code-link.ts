import { codes } from "../../core/finding/diagnostic.js";
import { safeLine } from "./terminal-text.js";

const end = "\x1b]8;;\x1b\\";

/** Makes the code of a diagnostic a link to its anchor in a page (OSC 8); what is in no table of ours stays a text. */
export function linkedCode(code: string, page: string): string {
  return Object.hasOwn(codes, code) ? `\x1b]8;;${page}#${code}\x1b\\${code}${end}` : safeLine(code);
}
