import { isCollection, isScalar, visit, type Document, type ErrorCode } from "yaml";
import { error, type Code, type Finding } from "../finding/diagnostic.js";
import { depthLimit } from "../../json/json.js";
import { repeatedKeys } from "./yaml-keys.js";

/** One thing that is wrong with a document, as the library says it. */
interface Problem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly pos: readonly [from: number, to: number];
}

// What is wrong with a document that was read well otherwise, and so can be told beside anything else.
const independent: readonly ErrorCode[] = ["DUPLICATE_KEY", "TAG_RESOLVE_FAILED"];
const unclosedQuote = /^Missing closing/;
const unclosedBracket = /end with a [\]}]$/;

/** What is said of an alias without an anchor. */
export const unresolvedAlias = {
  message: "the alias has no anchor before it",
  hint: "quote the value if it begins with `*`",
} as const;

/**
 * Explains what the parser found in one document: what is wrong on its own, and the first break of the syntax,
 * for what comes after a break is mostly its echo. A file that may not be quoted has its keys left unnamed.
 */
export function explainYaml(file: string, text: string, document: Document, isQuotable: boolean): Finding[] {
  const repeated = repeatedKeys(document).map((offset): Problem => {
    return { code: "DUPLICATE_KEY", message: "", pos: [offset, offset] };
  });
  const found: readonly Problem[] = [...document.errors, ...document.warnings, ...repeated];
  const problems = found.toSorted((a, b) => a.pos[0] - b.pos[0]);
  const firstBreak = problems.findIndex(({ code }) => !independent.includes(code));
  const told = firstBreak === -1 ? problems : problems.slice(0, firstBreak + 1);
  return told.slice(0, 20).map((problem) => {
    const [code, message, hint] = explain(problem, text, isQuotable);
    return error(code, { file, offset: offsetOf(problem, document) }, message, hint);
  });
}

// What is left open is noticed where the text or the line ends, which is not where anybody has to look.
function offsetOf({ message, pos: [offset] }: Problem, document: Document): number {
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

// The library's own messages may quote the source, so each of its codes gets a sentence of ours.
function explain(problem: Problem, text: string, isQuotable: boolean): readonly [Code, string, string?] {
  if (unclosedQuote.test(problem.message)) {
    return ["yaml-syntax", "a quote is opened here and never closed", "close it"];
  }
  if (unclosedBracket.test(problem.message)) {
    return [
      "yaml-syntax",
      "a bracket or brace is opened here and never closed",
      "close it, or indent what is inside it",
    ];
  }
  switch (problem.code) {
    case "DUPLICATE_KEY": {
      const name = isQuotable ? keyAt(text, problem.pos[0]) : undefined;
      const key = name === undefined ? "a key" : `the key \`${name}\``;
      return ["yaml-duplicate-key", `${key} stands twice in this mapping`, "keep one of them"];
    }
    case "TAG_RESOLVE_FAILED":
      return ["yaml-tag", "the tag is unknown: YAML's core schema alone is read", "remove the tag"];
    case "BAD_INDENT":
      return [
        "yaml-syntax",
        "the indentation does not fit what is around it",
        "align it with the lines beside it",
      ];
    case "TAB_AS_INDENT":
      return ["yaml-syntax", "a tab is used as indentation", "indent with spaces"];
    case "MISSING_CHAR":
      return [
        "yaml-syntax",
        "a character is missing: a colon, a comma or a space",
        "compare with the lines beside it",
      ];
    case "MULTILINE_IMPLICIT_KEY":
      return ["yaml-syntax", "a key spans several lines", "is the colon missing, or a quote left open?"];
    case "BLOCK_AS_IMPLICIT_KEY":
      return [
        "yaml-syntax",
        "a mapping begins inside a value",
        "quote the value if it holds `: `, and align the lines below it",
      ];
    case "BAD_ALIAS":
      return ["yaml-syntax", unresolvedAlias.message, unresolvedAlias.hint];
    case "BAD_DQ_ESCAPE":
      return ["yaml-syntax", "the escape sequence is unknown", "use single quotes, or double the backslash"];
    case "BAD_SCALAR_START":
      return ["yaml-syntax", "a plain value cannot begin with this character", "quote the value"];
    case "RESOURCE_EXHAUSTION":
      return ["too-deep", `collections are nested deeper than ${depthLimit}`, "flatten it"];
    default:
      return [
        "yaml-syntax",
        `the YAML is broken here (${problem.code.toLowerCase().replaceAll("_", " ")})`,
        "compare it with the lines beside it",
      ];
  }
}

function keyAt(text: string, offset: number): string | undefined {
  return /^["']?([\w.$/-]{1,60})["']?\s*:/.exec(text.slice(offset, offset + 70))?.[1];
}
