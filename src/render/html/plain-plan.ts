import { firstOf, inCode } from "../../core/finding/quotation.js";
import type { Action, Plan } from "../../generated/plan.js";
import { isConsequence } from "../../core/plan/difference.js";
import { reviewOf, type ReviewNote } from "../../core/review/review.js";
import {
  editsLines,
  itemLines,
  type ItemStyle,
  memberLines,
  notedLines,
  pointLines,
} from "../plan/item-text.js";
import { asIs } from "../change/shown-change.js";
import { countText } from "../words/count-text.js";
import { cutText } from "../words/cut-text.js";
import { paletteOf } from "../words/palette.js";
import { asSentence } from "../words/review-words.js";
import { safeLine } from "../words/terminal-text.js";
import { groupTitle, otherLines } from "../view/group-title.js";
import { kinText, kinWords } from "../view/kin.js";
import { mostNamedWhole, noteSubject } from "../view/note-subject.js";
import { graveParts, headLines, summaryText } from "../view/plan-head.js";
import { editCount } from "../view/plan-review.js";
import { editItem } from "../view/edit-item.js";
import type { EditItem, GroupItem, Item, KinItem, SaidItem, PlanSection } from "../view/plan-section.js";
import { escapeHtml } from "./html-text.js";

// Characters of differences and details for a viewer that runs no scripts; what is beyond is named without them.
const mostDetails = 600_000;
const leastDetails = 1000;
const cutWords =
  "Not all differences have room here: where scripts run, this page shows them, and so does the plan as text.";
// Addresses that are shown unfolded.
const mostPlaces = 20;

/** Renders a plan as HTML that needs no script. */
export function renderPlainPlan(plan: Plan, sections: readonly PlanSection[]): string {
  const [title = "", ...compared] = headLines(plan);
  const review = reviewOf(plan);
  const grave = graveParts(plan).join(", ");
  const page = new PlainItems();
  const shown = sections.flatMap((section) => renderSection(section, page));
  return [
    `<h1>${escapeHtml(title)}</h1>`,
    ...compared.map((line) => `<p>${escapeHtml(line)}</p>`),
    ...(grave === "" ? [] : [`<p><strong>${escaped(asSentence(grave))}</strong></p>`]),
    `<p><strong>${escapeHtml([summaryText(plan), ...editCount(review).map(asSentence)].join(" "))}</strong></p>`,
    `<p>Digest: ${codeOf(plan.digest)}</p>`,
    ...(page.isCut ? [`<p><strong>${escaped(cutWords)}</strong></p>`] : []),
    ...shown,
  ].join("\n");
}

function renderSection({ name, title, meaning, items }: PlanSection, page: PlainItems): string[] {
  const list = [
    "<ul>",
    ...items.flatMap((item) => page.render(item)).map((item) => `<li>${item}</li>`),
    "</ul>",
  ];
  const count = items.reduce((sum, item) => sum + (item.sort === "alike" ? item.actions.length : 1), 0);
  const isFolded = name === "consequences";
  return [
    `<h2>${title}</h2>`,
    ...(meaning === undefined ? [] : [`<p>${escapeHtml(asSentence(meaning))}</p>`]),
    ...(isFolded ? [folded(countText(count, "resource"), list.join("\n"))] : list),
  ];
}

class PlainItems {
  readonly #style: ItemStyle = {
    palette: paletteOf(false),
    isBounded: false,
  };
  readonly #told = new Set<Action>();
  #room = mostDetails;
  /** Whether some difference is not shown to its end. */
  isCut = false;

  render(item: Item): string[] {
    switch (item.sort) {
      case "state":
      case "setting":
        return [this.#block(() => itemLines(item, this.#style))];
      case "note": {
        const { effect, message, code } = item.note;
        const change = this.#block(() => notedLines(item, this.#style));
        return [
          `<strong>${effect}</strong> ${named(item.note)}: ${escaped(`${message} [${code}]`)}${change}`,
        ];
      }
      case "edit":
        return [this.#edit(item)];
      case "kin":
        return [this.#kin(item)];
      case "group":
        return [this.#group(item)];
      case "alike":
        return item.actions.map((action) => `${headOf(action)}${this.#around(action)}`);
      case "said":
        return [saidOf(item)];
    }
  }

  #edit(item: EditItem): string {
    const { action, judged, isHeld } = item;
    const head = [headOf(action), ...judged.map(escaped)].join(" ");
    if (isHeld) return `${head}${this.#block(() => pointLines(item, this.#style))}`;
    const edits = { ...item, reasons: [], follows: [] };
    return `${head}${this.#block(() => pointLines(edits, this.#style))}${this.#around(action)}`;
  }

  #kin({ first, others }: KinItem): string {
    const members = this.#block(() =>
      others.flatMap((each) => memberLines(kinWords(each, asIs), this.#style)),
    );
    return `${this.#edit(first)}<p>${escaped(kinText(others))}</p>${members}`;
  }

  #group(item: GroupItem): string {
    const { group, edits } = item;
    const { head, words } = groupTitle(item, inCode);
    const difference = this.#block(() => [
      ...editsLines(item, this.#style),
      ...edits.flatMap((each) => otherLines(each, asIs)).flatMap((each) => memberLines(each, this.#style)),
    ]);
    const members = group.actions.map((action) => `<li>${headOf(action)}${this.#around(action)}</li>`);
    const list = folded(countText(group.actions.length, "resource"), `<ul>${members.join("")}</ul>`);
    return `<p><strong>${escaped(head)}</strong>: ${escaped(words)}</p>${difference}${list}`;
  }

  // Why, and what follows, once for all edits of a resource.
  #around(action: Action): string {
    if (this.#told.has(action)) return "";
    this.#told.add(action);
    const item = editItem(action, action.changes.filter(isConsequence));
    return this.#block(() => [...pointLines(item, this.#style), ...item.leaves]);
  }

  // No block takes all of the room that those before it left.
  #block(lines: () => readonly string[]): string {
    if (this.#room < leastDetails) {
      this.isCut = true;
      return "";
    }
    const whole = lines().join("\n");
    const most = Math.floor(Math.max(this.#room / 2, this.#room - mostDetails / 4));
    const text = cutText(whole, most);
    this.isCut ||= whole.length > most;
    this.#room -= text.length;
    return text === "" ? "" : `<pre>${escapeHtml(text)}</pre>`;
  }
}

function saidOf({ field, word, text, diagnostic }: SaidItem): string {
  if (!diagnostic)
    return `${field === undefined ? "" : `${codeOf(field)} of `}${escaped(word === undefined ? text : `${word}: ${text}`)}`;
  const { severity, code, hint, places } = diagnostic;
  const where = places.length > 0 ? ` ${firstOf(places, mostPlaces)}` : "";
  const way = hint === undefined ? "" : ` · hint: ${hint}`;
  return `<strong>${severity}</strong> ${escaped(`${text} [${code}]${where}${way}`)}`;
}

function headOf({ address, action, file }: Action): string {
  const place = file === undefined ? "" : ` <small>${escaped(file)}</small>`;
  return `<strong>${action}</strong> ${codeOf(address)}${place}`;
}

function named(note: ReviewNote): string {
  const { addresses } = note;
  const subject = noteSubject(note, codeOf);
  return addresses.length > mostNamedWhole ? folded(subject, addresses.map(codeOf).join(" ")) : subject;
}

function folded(summary: string, text: string): string {
  return `<details><summary>${summary}</summary>${text}</details>`;
}

function codeOf(text: string): string {
  return `<code>${escaped(text)}</code>`;
}

function escaped(text: string): string {
  return escapeHtml(safeLine(text));
}
