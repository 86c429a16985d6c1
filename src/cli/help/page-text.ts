import { Help } from "commander";
import type { HelpBlock, Page, HelpRow, HelpSection } from "./page.js";

const widest = 80;
const narrowest = 30;

/** Renders a page for a terminal of so many columns; 80 if they are unknown, and at most. */
export function renderPageText(page: Page, columns: number = widest): string {
  const width = Math.max(narrowest, Math.min(widest, columns));
  const parts = [
    ...(page.usage === undefined ? [] : [wrapped(`Usage: ${page.usage}`, 0, width)]),
    wrapped(sentence(page.summary), 0, width),
    ...page.about.map((block) => renderBlock(block, 0, width)),
    ...page.sections.map((section) => renderSection(section, width)),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Makes a sentence of a summary. */
export function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function renderSection({ title, blocks }: HelpSection, width: number): string {
  const rendered = blocks.map((block, index) => {
    const isApart = index > 0 && typeof block !== typeof blocks[index - 1];
    return `${isApart ? "\n" : ""}${renderBlock(block, 2, width)}`;
  });
  return [wrapped(`${title}:`, 0, width), ...rendered].join("\n");
}

function renderBlock(block: HelpBlock, indent: number, width: number): string {
  if (typeof block === "string") return wrapped(block, indent, width);
  if ("rows" in block) return renderRows(block.rows, width);
  const lines = indented(block.lines.join("\n"), indent + 2);
  return block.file === undefined ? lines : `${indented(`${block.file}:`, indent)}\n${lines}`;
}

// Where there is no room for two columns, the meaning is below the term.
function renderRows(rows: readonly HelpRow[], width: number): string {
  const help = new Help();
  help.helpWidth = width;
  const termWidth = Math.max(...rows.map(([term]) => term.length));
  const isRoomy = width - termWidth >= help.minWidthToWrap + 4;
  const lines = rows.map(([term, meaning]) =>
    isRoomy ? help.formatItem(term, termWidth, meaning, help) : `  ${term}\n${wrapped(meaning, 6, width)}`,
  );
  return lines.join("\n");
}

function wrapped(text: string, indent: number, width: number): string {
  const help = new Help();
  help.minWidthToWrap = 1;
  return indented(help.boxWrap(text, width - indent), indent);
}

function indented(text: string, by: number): string {
  return text.replaceAll(/^(?=.)/gm, " ".repeat(by));
}
