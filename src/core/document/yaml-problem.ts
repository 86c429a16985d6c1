import { isCollection, isScalar, visit, type Document, type ErrorCode } from "yaml";
import { error, type Code, type Finding } from "../finding/diagnostic.js";
import { depthLimit } from "../../json/json.js";
import { explainMistake, troubleAt } from "./yaml-mistake.js";
import { hintForTag } from "./yaml-tag.js";
import { repeatedKeys } from "./yaml-keys.js";

/** One problem of a document, as reported by the library. */
interface LibraryProblem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly pos: readonly [from: number, to: number];
  /** Where the first of the same keys is. */
  readonly first?: number;
}

// Problems of a document that could be read otherwise, so each can be reported beside any other.
const independent: readonly ErrorCode[] = ["DUPLICATE_KEY", "TAG_RESOLVE_FAILED"];
const unclosedQuote = /^Missing closing/;
const unclosedBracket = /end with a [\]}]$/;

/** Explains an alias without an anchor before it in its document. */
export function explainAlias(text: string, offset: number): readonly [message: string, hint: string] {
  const name = /^\*([^\s,[\]{}]{1,100})/.exec(text.slice(offset, offset + 102))?.[1];
  const anchored = name === undefined ? -1 : anchorIn(text, name);
  if (anchored === -1) {
    return [
      "the alias refers to an anchor that is not defined before it",
      "put the value in quotes if it is a text that begins with `*`",
    ];
  }
  const isAbove = anchored < offset;
  return isAbove
    ? [
        "the alias refers to an anchor of a different document: an anchor is known in its own document only",
        "repeat the value, or give it to both with `${var:NAME}` or `${file:PATH}`",
      ]
    : [
        "the alias refers to an anchor that is defined after it",
        "define the anchor where the value is used first",
      ];
}

function anchorIn(text: string, name: string): number {
  for (let at = text.indexOf(`&${name}`); at !== -1; at = text.indexOf(`&${name}`, at + 1)) {
    const next = text[at + 1 + name.length];
    if ((at === 0 || /[\s,[{:-]/.test(text[at - 1] ?? "")) && (next === undefined || /[\s,\]}]/.test(next)))
      return at;
  }
  return -1;
}

/** Explains a document's independent problems and its first syntax error, which mostly causes the later ones. */
export function explainYaml(file: string, text: string, document: Document, isQuotable: boolean): Finding[] {
  const repeated = repeatedKeys(document).map(([offset, first]): LibraryProblem => {
    return { code: "DUPLICATE_KEY", message: "", pos: [offset, offset], first };
  });
  const found: readonly LibraryProblem[] = [...document.errors, ...document.warnings, ...repeated];
  const problems = found.toSorted((a, b) => a.pos[0] - b.pos[0]);
  const firstBreak = problems.findIndex(({ code }) => !independent.includes(code));
  const told = firstBreak === -1 ? problems : problems.slice(0, firstBreak + 1);
  // Where a line between two documents is missing, all fields of the second are there twice.
  const fieldOf = ({ code, pos: [at] }: LibraryProblem) =>
    code === "DUPLICATE_KEY" && isDocument(text, at) ? keyAt(text, at) : undefined;
  const first = told.map(fieldOf).find((field) => field !== undefined);
  const once = told.filter((problem) => [undefined, first].includes(fieldOf(problem)));
  return once.slice(0, 20).map((problem) => {
    const offset = offsetOf(problem, document);
    const [code, message, hint] = explain(problem, text, isQuotable);
    // An opening bracket or quote says more than what follows where it should be closed.
    const isOpening = offset !== problem.pos[0];
    const trouble =
      code === "yaml-syntax" && !isOpening ? troubleAt(text, offset, problem.code, isQuotable) : undefined;
    const told = trouble && explainMistake(trouble);
    const { first } = problem;
    return {
      ...error(code, { file, offset }, ...(told ?? ([message, hint] as const))),
      ...(first !== undefined && { related: [{ message: "the first", place: { file, offset: first } }] }),
    };
  });
}

// An unclosed bracket is reported where the text or the line ends, but the place to look at is where it opens.
function offsetOf({ message, pos: [offset] }: LibraryProblem, document: Document): number {
  const isQuote = unclosedQuote.test(message);
  if (!isQuote && !unclosedBracket.test(message)) return offset;
  let opened = offset;
  visit(document, {
    Node(_, node) {
      const isOpen = isScalar(node)
        ? isQuote && node.type?.startsWith("QUOTE")
        : isCollection(node) && node.flow;
      if (isOpen && node.range && node.range[0] < offset && node.range[1] >= offset) opened = node.range[0];
    },
  });
  return opened;
}

// The library's own messages may quote the source, so each of its codes has a message of our own.
const messages: Partial<Readonly<Record<ErrorCode, readonly [message: string, hint: string]>>> = {
  BAD_INDENT: ["the indentation does not match the lines around it", "align it with the lines around it"],
  TAB_AS_INDENT: ["tabs must not be used for indentation", "indent with spaces"],
  MISSING_CHAR: ["missing character: a colon, a comma or a space", "compare it with the lines around it"],
  MULTILINE_IMPLICIT_KEY: ["a key must not span several lines", "add the missing colon, or close the quote"],
  BLOCK_AS_IMPLICIT_KEY: [
    "a mapping must not start inside a value",
    "quote the value if it contains `: `, and align the lines below it",
  ],
  BAD_ALIAS: [
    "an alias or anchor without a name",
    "put the value in quotes if it is a text that begins with `*` or `&`",
  ],
  BAD_DQ_ESCAPE: ["unknown escape sequence", "use single quotes, or double the backslash"],
  BAD_SCALAR_START: ["a value without quotes must not begin with this character", "quote the value"],
};

// The fields that every document has, at the beginning of a line.
const startsDocument = /^\n(?:apiVersion|kind|metadata|spec):/;

function isDocument(text: string, offset: number): boolean {
  return startsDocument.test(text.slice(Math.max(0, offset - 1), offset + 12));
}

function explain(
  problem: LibraryProblem,
  text: string,
  isQuotable: boolean,
): readonly [Code, string, string] {
  if (unclosedQuote.test(problem.message)) {
    return ["yaml-syntax", "unclosed quote", "add the closing quote"];
  }
  if (unclosedBracket.test(problem.message)) {
    return ["yaml-syntax", "unclosed bracket or brace", "close it, or indent its content"];
  }
  switch (problem.code) {
    case "DUPLICATE_KEY": {
      const name = isQuotable ? keyAt(text, problem.pos[0]) : undefined;
      const key = name === undefined ? "key" : `key \`${name}\``;
      const hint = isDocument(text, problem.pos[0])
        ? "write `---` on a line of its own between two documents, or remove one of them"
        : "remove one of them";
      return ["yaml-duplicate-key", `duplicate ${key} in this mapping`, hint];
    }
    case "TAG_RESOLVE_FAILED": {
      const hint = hintForTag(text.slice(problem.pos[0], problem.pos[0] + 30));
      return ["yaml-tag", "unknown tag: only the tags of YAML's core schema are supported", hint];
    }
    case "RESOURCE_EXHAUSTION": {
      const message = `collections are nested deeper than ${depthLimit}`;
      return ["too-deep", message, "use fewer levels of nesting"];
    }
    default: {
      const code = problem.code.toLowerCase().replaceAll("_", " ");
      const unknown = [`invalid YAML (${code})`, "compare it with the lines around it"] as const;
      return ["yaml-syntax", ...(messages[problem.code] ?? unknown)];
    }
  }
}

function keyAt(text: string, offset: number): string | undefined {
  return /^["']?([\w.$/-]{1,60})["']?\s*:/.exec(text.slice(offset, offset + 70))?.[1];
}
