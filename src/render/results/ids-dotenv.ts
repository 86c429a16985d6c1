import { refused, type Checked } from "../../core/finding/checked.js";
import { bare, say } from "../../core/finding/said.js";
import { error, type Finding } from "../../core/finding/diagnostic.js";
import type { WorkspaceIds } from "../../core/resources/application-ids.js";
import { deadText } from "../words/log-text.js";
import { nameConstants, type Constant } from "./constant-names.js";

/** Renders IDs as variables that a shell and readers of `.env` files read alike, a line end at the end. */
export function renderIdsDotenv(
  ids: WorkspaceIds,
  header: readonly string[],
): Checked<{ readonly text: string }> {
  const { constants, findings } = nameConstants(ids);
  const unfit = constants.filter(({ id }) => unwritable.test(id)).map(explainUnfit);
  if (findings.length + unfit.length > 0) return refused([...findings, ...unfit]);
  const lines = [
    ...header.map((line) => `# ${line}`),
    ...constants.map(({ name, id }) => `${name}=${quoted(id)}`),
  ];
  return { ok: true, text: `${lines.join("\n")}\n` };
}

// A shell has no escapes for these that every reader knows.
const unwritable = /[\0-\x08\x0b-\x1f\x7f-\x9f\p{Cs}]/u;

function explainUnfit({ address }: Constant): Finding {
  const message = say`the ID of \`${bare({ address })}\` has control characters, which a \`.env\` file cannot hold`;
  return error("output-unfit", undefined, message, "use a different `--format`");
}

// Readers of `.env` files know no escapes that a shell knows too, so a text is in whichever quotes it does not have.
function quoted(text: string): string {
  if (/^[\w./:@%+,-]+$/.test(text)) return text;
  const isPlain = deadText(text) === text;
  if (isPlain && !text.includes("'")) return `'${text}'`;
  if (isPlain && !/["$`\\]/.test(text)) return `"${text}"`;
  // Only a shell reads this, in which quoted pieces are one text; a CI finds no command in them.
  return `'${text.replaceAll("'", "'\\''").replaceAll(/[#\n\u2028\u2029]/g, "$&''")}'`;
}
