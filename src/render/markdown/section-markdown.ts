import { shownChange } from "../change/shown-change.js";
import { firstOf } from "../../core/finding/quotation.js";
import { countText } from "../words/count-text.js";
import { headOf } from "../words/cut-text.js";
import { countsOf } from "../words/diagnostics-count.js";
import { asSentence } from "../words/review-words.js";
import { scalarText } from "../words/value-text.js";
import { notJudgedText } from "../view/said-items.js";
import type { PlainItem, SaidItem, SettingItem, StateItem, PlainSection } from "../view/plan-section.js";
import { changesDiff } from "./change-diff.js";
import { code, details, fence, fenceBytes, htmlCode, prose } from "./markdown-text.js";
import type { Rendered, ReviewItem, ReviewSection } from "./review-item.js";

const shownFields = 5;
const longestField = 80;
const mostErrors = 20;
const mostWarnings = 10;
const mostPlaces = 10;
const longestOpen = 12;

/** Lays out a section beside the review: whole, but for many errors, warnings, and the differences of the state. */
export function plainSections({ name, title, meaning, items }: PlainSection): ReviewSection[] {
  const lines = items.map(itemLine);
  const shown = (text: string): ReviewSection => ({
    items: [{ render: () => ({ text, isCut: false }), isKept: true }],
    between: "\n\n",
    leftOut: () => [],
  });
  switch (name) {
    case "state":
      return [
        shown([`**${title}** ${prose(asSentence(meaning ?? ""))}`, "", ...lines].join("\n")),
        stateDifferences(items),
      ];
    case "stateEdits":
      return [stateDifferences(items)];
    case "calls":
      return [shown([`**${title}**`, "", ...lines.map((line) => `- ${line}`)].join("\n"))];
    case "errors":
    case "settings": {
      const most = mostOf(lines, name === "errors" ? mostErrors : Infinity, " error");
      return [shown([`**${title}**`, "", ...most].join("\n"))];
    }
    // They are told where the plan is made, too.
    case "warnings": {
      const told = items.flatMap((item) => Array<PlainItem>(Math.max(1, placesOf(item).length)).fill(item));
      const summary = countsOf(told.flatMap((item) => (item.sort === "said" && item.diagnostic) || []));
      const textOf = (most: number) =>
        [`<details><summary>${summary}</summary>`, "", ...mostOf(lines, most, ""), "", "</details>"].join(
          "\n",
        );
      const render = (bytes: number): Rendered => {
        let most = Math.min(lines.length, mostWarnings);
        const all = most;
        while (most > 0 && Buffer.byteLength(textOf(most)) > bytes) most--;
        return { text: textOf(most), isCut: most < all };
      };
      return [
        {
          items: [{ render }],
          isLeast: true,
          between: "\n\n",
          leftOut: (cut, left) => (left > 0 ? [summary] : cut > 0 ? [`some of ${summary}`] : []),
        },
      ];
    }
    case "notJudged":
      return [shown(`**${title}**: ${prose(notJudgedText(items))}. ${asSentence(meaning ?? "")}`)];
    case "words":
      return [shown(lines.join(" "))];
    default:
      return [shown(`**${title}**: ${lines.join(" ")}`)];
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

function stateLine({ change: { changes, edit }, name, what, lost }: StateItem): string {
  const paths = changes.map(({ path }) => code(headOf(path, longestField)));
  const fields = edit === "changed" ? `: ${firstOf(paths, shownFields)}` : "";
  return `- ${code(name)} (${prose(what)})${fields}${lost === undefined ? "" : `: ${prose(lost)}`}`;
}

function stateDifferences(items: readonly PlainItem[]): ReviewSection {
  return {
    items: items.flatMap((item) => (item.sort === "state" && item.isOpen ? [stateDifference(item)] : [])),
    between: "\n\n",
    isLeast: true,
    leftOut: (cut, left) =>
      cut + left > 0 ? [`the differences of ${countText(cut + left, "edit")} of the state`] : [],
  };
}

function stateDifference({ change: { changes, edit }, name }: StateItem): ReviewItem {
  const about = `${edit} in the state:`;
  const render = (bytes: number): Rendered => {
    const room = bytes - Buffer.byteLength(`${about} ${name}`) - fenceBytes;
    const { lines, isCut } = changesDiff(
      changes.map((each) => shownChange(each)),
      room,
    );
    const text =
      lines.length > longestOpen
        ? details(`${about} ${htmlCode(name)}`, [fence(lines)])
        : `${about} ${code(name)}\n\n${fence(lines)}`;
    return { text, isCut };
  };
  return { render };
}
