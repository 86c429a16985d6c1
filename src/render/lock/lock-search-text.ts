import type { ObjectCandidate, CandidateSearch } from "../../core/import/search-unknown.js";
import { kindOfAddress } from "../../core/kind/kinds.js";
import { adoptionForm } from "../../core/plan/tool-ids.js";
import { firstOf } from "../../core/finding/quotation.js";
import { countText } from "../words/count-text.js";
import { resolveCommand, type StateChoice } from "../../core/state/state-choice.js";
import { safeLine } from "../words/terminal-text.js";

const mostCandidates = 10;

/** Renders what a search for the outcome of a create found, and how the outcome can be told. */
export function renderSearch(
  address: string,
  { candidates, looked, sure }: CandidateSearch,
  choice: StateChoice,
): string {
  const command = resolveCommand(address, choice);
  const form = adoptionForm(kindOfAddress(address));
  const among = countText(looked, "object");
  if (candidates.length === 0) {
    return lines([
      `${address}: not found among ${among}; it stays unknown.`,
      `If nothing was created: ${command} --not-created`,
    ]);
  }
  const shown = candidates.slice(0, mostCandidates);
  const more = candidates.length - shown.length;
  return lines([
    `${address}: ${countText(candidates.length, "candidate")} among ${among}`,
    ...shown.map(candidateLine),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(sure ? [] : [`None is certain. Say which: ${command} --adopt ${form} | --not-created`]),
  ]);
}

function candidateLine({ ids, name, createdAt, fields, problem }: ObjectCandidate): string {
  const made = createdAt === undefined ? "" : `, created ${createdAt}`;
  const what = fields.length === 0 ? "equal to what was sent" : `differs in ${firstOf(fields, 5)}`;
  const but = problem === undefined ? "" : `, but ${problem}`;
  return `  ${firstOf(ids, 3)} ${JSON.stringify(name)}${made}: ${what}${but}`;
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${safeLine(line)}\n`).join("");
}
