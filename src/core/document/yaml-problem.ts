import { isCollection, isScalar, visit, type Document, type ErrorCode } from "yaml";
import { error, type Code, type Finding } from "../finding/diagnostic.js";
import { depthLimit } from "../../json/json.js";
import { repeatedKeys } from "./yaml-keys.js";

/** One problem of a document, as reported by the library. */
interface Problem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly pos: readonly [from: number, to: number];
}

// Problems of a document that could be read otherwise, so each can be reported beside any other.
const independent: readonly ErrorCode[] = ["DUPLICATE_KEY", "TAG_RESOLVE_FAILED"];
const unclosedQuote = /^Missing closing/;
const unclosedBracket = /end with a [\]}]$/;

/** The message for an alias without an anchor. */
export const unresolvedAlias = {
  message: "the alias refers to an anchor that is not defined before it",
  hint: "quote the value if it begins with `*`",
} as const;

/**
 * Explains the parser's problems of one document: the independent ones, and the first syntax error, because later
 * syntax errors are mostly caused by it. Keys of a file that must not be quoted are not named.
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

// An unclosed bracket is reported where the text or the line ends, but the place to look at is where it opens.
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

// The library's own messages may quote the source, so each of its codes has a message of our own.
function explain(problem: Problem, text: string, isQuotable: boolean): readonly [Code, string, string?] {
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
      return ["yaml-duplicate-key", `duplicate ${key} in this mapping`, "remove one of them"];
    }
    case "TAG_RESOLVE_FAILED":
      return ["yaml-tag", "unknown tag: only the tags of YAML's core schema are supported", "remove the tag"];
    case "BAD_INDENT":
      return [
        "yaml-syntax",
        "the indentation does not match the lines around it",
        "align it with the lines around it",
      ];
    case "TAB_AS_INDENT":
      return ["yaml-syntax", "tabs must not be used for indentation", "indent with spaces"];
    case "MISSING_CHAR":
      return [
        "yaml-syntax",
        "missing character: a colon, a comma or a space",
        "compare it with the lines around it",
      ];
    case "MULTILINE_IMPLICIT_KEY":
      return [
        "yaml-syntax",
        "a key must not span several lines",
        "add the missing colon, or close the quote",
      ];
    case "BLOCK_AS_IMPLICIT_KEY":
      return [
        "yaml-syntax",
        "a mapping must not start inside a value",
        "quote the value if it contains `: `, and align the lines below it",
      ];
    case "BAD_ALIAS":
      return ["yaml-syntax", unresolvedAlias.message, unresolvedAlias.hint];
    case "BAD_DQ_ESCAPE":
      return ["yaml-syntax", "unknown escape sequence", "use single quotes, or double the backslash"];
    case "BAD_SCALAR_START":
      return ["yaml-syntax", "a value without quotes must not begin with this character", "quote the value"];
    case "RESOURCE_EXHAUSTION":
      return ["too-deep", `collections are nested deeper than ${depthLimit}`, "use fewer levels of nesting"];
    default:
      return [
        "yaml-syntax",
        `invalid YAML (${problem.code.toLowerCase().replaceAll("_", " ")})`,
        "compare it with the lines around it",
      ];
  }
}

function keyAt(text: string, offset: number): string | undefined {
  return /^["']?([\w.$/-]{1,60})["']?\s*:/.exec(text.slice(offset, offset + 70))?.[1];
}
