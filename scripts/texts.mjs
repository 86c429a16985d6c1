/** Makes modules of the texts that the command line shows, from the Markdown in which they are written. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

const topicFolder = "src/cli/help/topics";
const otherToolsFile = "src/cli/help/other-tools.md";
const topicOrder = ["documents", "references", "environments", "agents", "exit-codes"];

/** The folders of which every file is taken as it is, with what they hold, by the names of their modules. */
const plain = {
  scripts: ["src/cli/completion/scripts", "The scripts that complete lines, by their names."],
  templates: ["src/cli/init/templates", "The files that `init` writes, before they are filled, by path."],
};

/** The folders and files with texts. */
export const textSources = [
  "docs/reference/diagnostics.md",
  topicFolder,
  otherToolsFile,
  ...Object.values(plain).map(([folder]) => folder),
];

/** Renders the modules of `src/generated` that have texts, by name. */
export async function renderTexts(root) {
  const explained = readExplanations(await readFile(join(root, "docs/reference/diagnostics.md"), "utf8"));
  return [
    ["codes.ts", renderCodes(explained)],
    ["explanations.ts", renderExplanations(explained)],
    ["other-tools.ts", renderOtherTools(await readFile(join(root, otherToolsFile), "utf8"))],
    ["topics.ts", renderTopics(await readTopics(join(root, topicFolder)))],
    ...(await Promise.all(Object.keys(plain).map((name) => renderFolder(root, name)))),
  ];
}

const constant = (about, name, type, value) =>
  `/** ${about} */\nexport const ${name}${type} = ${JSON.stringify(value, null, 2)}`;

/** Whether the explanation of a code says how a manifest ignores it. */
const isSilenced = ({ code, fix }) => fix.includes(`\`ignore: [${code}]\``);

function renderCodes({ diagnostics, notes }) {
  const codesOf = (list) => list.map(({ code }) => code);
  return `// Generated from docs/reference/diagnostics.md; do not edit.

${constant("The codes of diagnostics, in the order of their explanations.", "codes", "", codesOf(diagnostics))} as const;

/** The code of a diagnostic. */
export type Code = (typeof codes)[number];

${constant("The codes of the notes that a plan begins with, by rank.", "noteCodes", "", codesOf(notes))} as const;

/** The code of a note that a plan begins with. */
export type NoteCode = (typeof noteCodes)[number];

${constant("The codes that a manifest can ignore, of warnings and notes; an error may have one of them, too.", "warningCodes", "", codesOf(diagnostics.filter(isSilenced)))} as const;
`;
}

function renderExplanations({ workspace, diagnostics, notes }) {
  const shown = (explained) => explained.map((each) => ({ ...each, marks: undefined }));
  const list = ": readonly ExplainedCode[]";
  return `// Generated from docs/reference/diagnostics.md; do not edit.

import type { ExplainAnswer } from "./explain.js";

/** What is said about a code of a diagnostic, or of a note that a plan begins with, in Markdown. */
export type ExplainedCode = NonNullable<ExplainAnswer["code"]>;

${constant("The codes of diagnostics.", "explainedDiagnostics", list, shown(diagnostics))};

${constant("The codes of the notes of a plan, by rank.", "explainedNotes", list, shown(notes))};

${constant("The files of the workspace of the examples, as lines.", "exampleWorkspace", ": readonly string[]", workspace)};
`;
}

/** The parts of a Markdown text in which each heading, paragraph, table and fence stands apart. */
function blocksOf(text) {
  const blocks = [];
  for (const [block, fence, heading] of text.matchAll(
    /^```(?:[^]*?)\n([^]*?)^```$|^(#+ .*)$|^(?!```|#)\S.*(?:\n(?!\n).+)*/gm,
  )) {
    if (fence !== undefined) blocks.push({ type: "lines", lines: fence.trimEnd().split("\n") });
    else if (heading !== undefined) {
      const [, marks, title] = /^(#+) (.*)$/.exec(heading);
      blocks.push({ type: "heading", level: marks.length, title });
    } else if (block.startsWith("|")) blocks.push({ type: "rows", rows: rowsOf(block) });
    else blocks.push({ type: "text", text: block.replaceAll("\n", " ") });
  }
  return blocks;
}

/** Renders the module with the texts of the files in a folder and in those below it, by path. */
async function renderFolder(root, name) {
  const [folder, about] = plain[name];
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(root, folder), join(entry.parentPath, entry.name)).replaceAll(sep, "/"));
  const texts = files
    .toSorted()
    .map(async (file) => [file, await readFile(join(root, folder, file), "utf8")]);
  const all = Object.fromEntries(await Promise.all(texts));
  return [
    `${name}.ts`,
    `// Generated from ${folder}; do not edit.\n\n${constant(about, name, "", all)} as const;\n`,
  ];
}

/** The rows of a table with two columns, of which the first may be code. */
function rowsOf(table) {
  const lines = table.split("\n").slice(2);
  return lines.map((line) => /^\| `?(.*?)`? \| (.*) \|$/.exec(line).slice(1));
}

/** Renders the words of other tools, each row with what to type in their place. */
function renderOtherTools(text) {
  const { rows } = blocksOf(text).find((block) => block.rows);
  const answers = rows.map(([words, answer]) => [words.split(/`, `/), answer]);
  const type = ": readonly (readonly [words: readonly string[], answer: string])[]";
  const about =
    "Words of other tools, such as a command or an option with its dashes, and what to type here.";
  return `// Generated from ${otherToolsFile}; do not edit.\n\n${constant(about, "otherTools", type, answers)};\n`;
}

async function readTopics(folder) {
  const names = (await readdir(folder)).map((file) => file.replace(/\.md$/, ""));
  const others = names.filter((name) => !topicOrder.includes(name));
  if (others.length > 0)
    throw new Error(`say in scripts/texts.mjs where the help lists ${others.join(", ")}`);
  return await Promise.all(
    topicOrder.map(async (name) => readTopic(name, await readFile(join(folder, `${name}.md`), "utf8"))),
  );
}

/** Reads a topic of the help: its summary, its sections, and which files of `docs` say more. */
function readTopic(name, text) {
  const topic = { name, summary: "", about: [], sections: [], documents: [] };
  let blocks = topic.about;
  for (const block of blocksOf(text)) {
    if (block.type === "heading" && block.level === 1) topic.summary = block.title.replace(/^.*?: /, "");
    else if (block.type === "heading") {
      blocks = [];
      topic.sections.push({ title: block.title, blocks });
    } else blocks.push(block);
  }
  const more = topic.sections.pop();
  if (topic.summary === "" || more?.title !== "Learn more") {
    throw new Error(`${topicFolder}/${name}.md has no summary, or does not end with "Learn more"`);
  }
  topic.documents = more.blocks.flatMap(({ text }) =>
    [...text.matchAll(/\/docs\/([^)]+)\)/g)].map(([, file]) => file),
  );
  const shown = (list) => list.flatMap((block, index) => shownBlock(block, list[index - 1], list[index + 1]));
  const sections = topic.sections.map(({ title, blocks }) => ({ title, blocks: shown(blocks) }));
  return { ...topic, about: shown(topic.about), sections };
}

const fileName = /^`([^`]+)`:$/;

/** A block as a page of the help has it: the name of a file belongs to the lines after it. */
function shownBlock({ lines, rows, text }, before, after) {
  if (rows) return [{ rows }];
  if (!lines) return fileName.test(text) && after?.lines ? [] : [text];
  const [, file] = fileName.exec(before?.text ?? "") ?? [];
  return [{ lines, ...(file !== undefined && { file }) }];
}

function renderTopics(topics) {
  return `// Generated from ${topicFolder}; do not edit.

${constant("The topics of the help, in its order.", "topicTexts", "", topics)} as const;
`;
}

const workspaceTitle = "The workspace of the examples";
const notesTitle = "The notes of a plan";
const advice = "**What to do:** ";

/**
 * Reads docs/reference/diagnostics.md: the lines of the workspace of the examples, and what is said about each code.
 * @throws Error that names a code without a text
 */
export function readExplanations(text) {
  const explained = { workspace: [], diagnostics: [], notes: [] };
  let title;
  let section;
  for (const block of blocksOf(text)) {
    if (block.type === "heading") {
      section = undefined;
      if (block.level === 2) title = block.title;
      const [, code] = /^`([a-z-]+)`$/.exec(block.title) ?? [];
      if (block.level !== 3 || code === undefined) continue;
      section = { code, blocks: [] };
      explained[title === notesTitle ? "notes" : "diagnostics"].push(section);
    } else if (section) section.blocks.push(block);
    else if (title === workspaceTitle && block.type === "lines") explained.workspace = block.lines;
  }
  const { workspace, diagnostics, notes } = explained;
  const seen = new Set();
  for (const { code } of [...diagnostics, ...notes]) {
    if (seen.has(code)) throw new Error(`docs/reference/diagnostics.md explains \`${code}\` twice`);
    seen.add(code);
  }
  return { workspace, diagnostics: diagnostics.map(explanationOf), notes: notes.map(explanationOf) };
}

function explanationOf({ code, blocks }) {
  const at = blocks.findIndex(({ text }) => text?.startsWith(advice));
  if (at < 1)
    throw new Error(`docs/reference/diagnostics.md does not say what \`${code}\` means, or what to do`);
  const [first, ...more] = blocks.slice(0, at).map(({ text }) => text);
  const [, effect, meaning] = /^(?:\((\w+)\) )?(.*)$/.exec(first);
  const rest = blocks.slice(at + 1);
  const marks = rest.filter(({ text }) => text?.startsWith("<!--")).map(({ text }) => text);
  const parts = rest.flatMap(({ lines }, index) =>
    lines ? [{ label: rest[index - 1]?.text?.slice(0, -1), lines }] : [],
  );
  if (parts.length * 2 + marks.length !== rest.length) {
    throw new Error(
      `docs/reference/diagnostics.md has something other than labelled files in the example of \`${code}\``,
    );
  }
  return {
    code,
    ...(effect !== undefined && { effect }),
    meaning,
    ...(more.length > 0 && { about: more.join(" ") }),
    fix: blocks[at].text.slice(advice.length),
    parts,
    marks: marks.join(" "),
  };
}
