import type { StateChange } from "../../generated/plan.js";
import { shownChange } from "../change/shown-change.js";
import { countText, firstOf } from "../words/count-text.js";
import { headOf } from "../words/cut-text.js";
import { asSentence } from "../words/review-words.js";
import { scalarText } from "../words/value-text.js";
import { notJudgedText } from "../view/plan-view.js";
import type { PlainItem, SaidItem, SettingItem, StateItem, PlainSection } from "../view/plan-section.js";
import { changeRoom, renderChangeDiff } from "./change-diff.js";
import { code, details, fence, htmlCode, prose } from "./markdown-text.js";

const shownFields = 5;
const longestField = 80;
const mostErrors = 20;
const mostWarnings = 10;
const mostPlaces = 10;
// Few and short edits are seen at once.
const openEdits = 3;
const openLines = 12;

/** What of the sections beside the review is shown. */
export interface SectionDetail {
  readonly hasWarnings: boolean;
  /** Whether the edits of the state have their differences. */
  readonly hasStateLines: boolean;
}

/** Renders a section that is shown whole, as blocks. */
export function renderSection(
  section: PlainSection,
  { hasWarnings, hasStateLines }: SectionDetail,
): string[] {
  const { name, title, meaning, items } = section;
  const lines = items.map(itemLine);
  switch (name) {
    case "state": {
      const list = [`**${title}** ${prose(asSentence(meaning ?? ""))}`, "", ...lines].join("\n");
      return hasStateLines ? [list, ...items.flatMap(stateDetails)] : [list];
    }
    case "errors":
    case "settings":
      return [
        [`**${title}**`, "", ...mostOf(lines, name === "errors" ? mostErrors : Infinity, " error")].join(
          "\n",
        ),
      ];
    case "calls":
      return [[`**${title}**`, "", ...lines.map((line) => `- ${line}`)].join("\n")];
    case "warnings": {
      const count = items.reduce((sum, item) => sum + Math.max(1, placesOf(item).length), 0);
      const summary = countText(count, "warning");
      const list = ["", ...mostOf(lines, mostWarnings, ""), "", "</details>"];
      return hasWarnings ? [[`<details><summary>${summary}</summary>`, ...list].join("\n")] : [];
    }
    case "notJudged":
      return [`**${title}**: ${prose(notJudgedText(items))} (${meaning}).`];
    case "words":
      return [lines.join(" ")];
    default:
      return [`**${title}**: ${lines.join(" ")}`];
  }
}

function mostOf(lines: readonly string[], most: number, noun: string): string[] {
  const left = lines.length - most;
  return [
    ...lines.slice(0, most),
    ...(left > 0 ? [`- and ${left} more${noun === "" ? "" : `${noun}${left === 1 ? "" : "s"}`}`] : []),
  ];
}

function itemLine(item: PlainItem): string {
  if (item.sort === "state") return stateLine(item);
  return item.sort === "setting" ? settingLine(item) : saidLine(item);
}

function saidLine({ word, text, diagnostic }: SaidItem): string {
  if (!diagnostic) return word === undefined ? prose(text) : `**${word}**: ${text}.`;
  const { hint, places } = diagnostic;
  const where = places.length > 0 ? `${firstOf(places.map(code), mostPlaces)}: ` : "";
  return `- ${where}${prose(text)} (${code(diagnostic.code)})${hint === undefined ? "" : ` · hint: ${prose(hint)}`}`;
}

function placesOf(item: PlainItem): readonly string[] {
  return item.sort === "said" ? (item.diagnostic?.places ?? []) : [];
}

// Whole, for a host shows who owns it at its end.
function settingLine({ change: { path, before, after }, note }: SettingItem): string {
  if (note) return `- **${note.effect}**: ${prose(note.message)} (${code(note.code)})`;
  const values = [before, after].flatMap((value) => (value === undefined ? [] : [code(scalarText(value))]));
  return `- ${code(path)}: ${values.join(" → ")}`;
}

function stateLine({ change: { changes, edit }, name, what }: StateItem): string {
  const paths = changes.map(({ path }) => code(headOf(path, longestField)));
  const fields = edit === "changed" ? `: ${firstOf(paths, shownFields)}` : "";
  return `- ${code(name)} (${prose(what)})${fields}`;
}

function stateDetails(item: PlainItem, at: number): string[] {
  if (item.sort !== "state") return [];
  const lines = stateDifference(item.change);
  const about = `${item.change.edit} in the state:`;
  if (at < openEdits && lines.length <= openLines)
    return [`${about} ${code(item.name)}\n\n${fence(lines, "diff")}`];
  return [details(`${about} ${htmlCode(item.name)}`, [fence(lines, "diff")])];
}

function stateDifference({ changes, edit }: StateChange): string[] {
  const detail = edit === "changed" ? "head" : "few";
  return changes.flatMap((each) => renderChangeDiff(shownChange(each, changeRoom), detail));
}
