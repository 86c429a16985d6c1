/** Renders a page of the help as a page of the manual, in the macros of man(7). */

/**
 * Renders a page; `section` is 1 for commands and 7 for topics, `related` are the pages to see also, and `date` is that
 * of the release, so that the same commit gives the same bytes.
 */
export function renderManPage({ name, summary, usage, about, sections }, section, related, date = "") {
  const parts = [
    `.\\" Generated from the help of the command line; do not edit.`,
    `.TH ${escapeCode(pageName(name).toUpperCase())} ${section} "${date}" agentform "agentform manual"`,
    heading("Name"),
    `${escapeCode(pageName(name))} \\- ${renderText(summary)}`,
    ...(usage === undefined ? [] : [heading("Synopsis"), bold(usage)]),
    ...(about.length > 0 ? [heading("Description"), ...renderBlocks(about)] : []),
    ...sections.flatMap(({ title, blocks }) => [heading(title), ...renderBlocks(blocks)]),
    heading("See also"),
    related.map((page) => `${bold(pageName(page.name))}(${page.section})`).join(",\n"),
  ];
  return `${parts.join("\n")}\n`;
}

/** Gives the name of a page of the manual: `agentform-lock-show`. */
export function pageName(name) {
  return name.replaceAll(" ", "-");
}

const heading = (title) => `.SH ${escapeText(title.toUpperCase())}`;
const bold = (text) => `\\fB${escapeCode(text)}\\fR`;

// The first paragraph after a heading needs no macro.
function renderBlocks(blocks) {
  return blocks.flatMap((block, index) => {
    if (typeof block === "string") return [...(index > 0 ? [".PP"] : []), renderText(block)];
    if ("rows" in block) {
      return block.rows.flatMap(([term, meaning]) => [".TP", bold(term), renderText(meaning)]);
    }
    const lines = [".RS 4", ".EX", ...block.lines.map((line) => protect(escapeCode(line))), ".EE", ".RE"];
    return block.file === undefined
      ? lines
      : [...(index > 0 ? [".PP"] : []), `${bold(block.file)}:`, ...lines];
  });
}

/** What is between backticks is bold. */
function renderText(text) {
  const parts = text.split(/`([^`]+)`/);
  return protect(parts.map((part, index) => (index % 2 === 1 ? bold(part) : escapeText(part))).join(""));
}

// A dot or an apostrophe at the start of a line would be a macro.
function protect(line) {
  return /^[.']/.test(line) ? `\\&${line}` : line;
}

// A hyphen is typed again by whoever copies it, so it is a minus everywhere.
function escapeText(text) {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(
      /[^\0-\x7f]/gu,
      (char) => `\\[u${char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`,
    );
}

const typewriter = { "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti" };

function escapeCode(text) {
  return escapeText(text).replaceAll(/['`^~]/g, (char) => typewriter[char]);
}
