import { say, type Sentence } from "../finding/said.js";
import type { ErrorCode } from "yaml";
import type { KindName } from "../../generated/kinds.js";

/** The place where a text stops being valid YAML, or being what was meant. */
export interface Trouble {
  /** The parser's name of the problem, or the value's: a list or mapping as a key. */
  readonly code: ErrorCode | "COLLECTION_KEY";
  /** The line of the problem, up to it and from it. */
  readonly before: string;
  readonly after: string;
  /** The line before, and the line after. */
  readonly above: string;
  readonly below: string;
  /** Whether the file may be quoted. */
  readonly isQuotable: boolean;
}

/** A message with its hint. */
export type Told = readonly [message: string, hint: Sentence];

/** A mistake that people make in YAML: how it is recognised, and what is said of it. */
type Mistake = { readonly is: (trouble: Trouble) => boolean } & (
  | { readonly message: string; readonly hint: string }
  | { readonly tell: (trouble: Trouble) => Told }
);

// What a line has before a value: spaces, dashes and a key.
const start = String.raw`^\s*(?:-\s+)*(?:[^\s"'#:{[][^"'#:{[]*:\s+)?`;
const startsWith = (value: string) => new RegExp(start + value);
// Only what is surely no secret is quoted.
const quotable: Readonly<Record<KindName | "var" | "each" | "file" | "template", true>> = {
  policy: true,
  toolset: true,
  credential: true,
  agent: true,
  var: true,
  each: true,
  file: true,
  template: true,
};
const expression = new RegExp(
  String.raw`^\$\{(?:env:[A-Za-z_]\w*(?:@[\w.-]+)?|(?:${Object.keys(quotable).join("|")}):(?:[\w./@ -]|\$?\{(?:each:)?\w{1,50}\}){1,200})\}`,
);
const valueStart = /(?:^|[[{,]|:\s|["']:)\s*\$$/;
const valueEnd = /^\s*(?:[,\]}]|$)/;
const bracketValue = startsWith(String.raw`[[{].*[\]}]\s*$`);
const moustache = startsWith(String.raw`\{\{`);
const jinja = startsWith(String.raw`\{%`);
// A request of `service.operations` without quotes, in a mapping in braces.
const operationPath = /\{.*\b(?:GET|PUT|DELETE) +\/[^"'\s]*\{id\}/;
const singleQuoted = startsWith("'.*'\\s*$");
const doubleQuoted = startsWith('".*"\\s*$');
const aliasValue = startsWith(String.raw`\*\S*\s*$`);
const keyWithoutSpace = /^["']?[\w.-]{1,60}["']?:(?!\/\/)\S/;
const unusualSpace = /[\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff]/;
const blockHeader = /(?:^|[\s:-])[|>][-+\d]*\s*(?:#.*)?$/;
const ofEveryDocument = /^(?:apiVersion|kind|metadata|for_each|lifecycle|spec):/;
const keyLine = /^\s*(?:-\s+){0,100}["']?[\w.-]+["']?:(?:\s|$)/;

const isKeyless = (code: Trouble["code"]) => code === "MULTILINE_IMPLICIT_KEY" || code === "MISSING_CHAR";
const indentOf = (line: string) => line.length - line.trimStart().length;

/** The mistakes, the most particular first. */
const mistakes: readonly Mistake[] = [
  {
    is: ({ before, after }) => before.endsWith("$") && after.startsWith("{{"),
    message: "`${{ … }}` is of GitHub Actions, and nothing here reads it",
    hint: 'write `"${var:NAME}"` for a variable, `"${env:NAME}"` for a secret, or a reference such as `"${policy:NAME}"`',
  },
  {
    is: ({ before, after }) => before.endsWith("“$") || before.endsWith("”$") || /^[\s,]*“/.test(after),
    message: "“ and ” are not quotes in YAML",
    hint: 'write `"` instead',
  },
  {
    is: ({ before, after }) => before.endsWith("$") && after.startsWith("{"),
    tell({ before, after, isQuotable }) {
      const source = isQuotable ? expression.exec(`$${after}`)?.[0] : undefined;
      const form = source ?? "${…}";
      const message = `\`${form}\` must be in quotes inside brackets or braces, because YAML reads its \`{\` as a mapping`;
      if (!valueStart.test(before) || (source && !valueEnd.test(after.slice(source.length - 1))))
        return [message, "put the whole value in quotes, with the text around it"];
      const hint = say`write \`"${form}"\``;
      return [message, source ? hint.proposing({ type: "quote", from: form, to: `"${form}"` }) : hint];
    },
  },
  {
    is: ({ before, after }) => operationPath.test(before + after),
    message: "`{id}` must be in quotes inside brackets or braces, because YAML reads its `{` as a mapping",
    hint: 'put the whole request in quotes, such as `"GET /v3/agents/{id}"`',
  },
  {
    is: ({ before, after, code }) =>
      moustache.test(before + after) || (code === "COLLECTION_KEY" && before.endsWith("{")),
    message: "a value that begins with `{{` must be in quotes, because YAML reads its `{` as a mapping",
    hint: "put the whole value in quotes, or write it under `|`",
  },
  {
    is: ({ before, after }) => jinja.test(before + after),
    message: "a value that begins with `{%` must be in quotes, because YAML reads its `{` as a mapping",
    hint: "put the whole value in quotes, or write it under `|`",
  },
  {
    is: ({ code, before }) => code === "UNEXPECTED_TOKEN" && bracketValue.test(before),
    message:
      "text after a closing bracket: a value that begins with `[` is a list, and one with `{` a mapping",
    hint: "put the whole value in quotes if it is a text",
  },
  {
    is: ({ code, before }) => code === "UNEXPECTED_TOKEN" && singleQuoted.test(before),
    message: "text after the closing quote",
    hint: "inside single quotes write an apostrophe twice, or put the whole value in double quotes",
  },
  {
    is: ({ code, before }) => code === "UNEXPECTED_TOKEN" && doubleQuoted.test(before),
    message: "text after the closing quote",
    hint: 'put the whole value in single quotes, or write `\\"` for a quote inside it',
  },
  {
    is: ({ code, before, after }) =>
      (code === "UNEXPECTED_TOKEN" && aliasValue.test(before)) ||
      (code === "BAD_ALIAS" && after.startsWith("*")),
    message: "a value that begins with `*` must be in quotes, because YAML reads it as an alias",
    hint: "put the whole value in quotes",
  },
  {
    is: ({ code, after }) => code === "BAD_ALIAS" && after.startsWith("&"),
    message: "a value that begins with `&` must be in quotes, because YAML reads it as an anchor",
    hint: "put the whole value in quotes",
  },
  {
    is: ({ code, before }) => code === "UNEXPECTED_TOKEN" && /(?:^|[:\s-])[|>][-+\d]*\s+$/.test(before),
    message: "text after `|` or `>` on the same line: the text begins on the next line",
    hint: "write it on the next line, indented; put the value in quotes if it begins with that character",
  },
  {
    is: ({ before, after }) => /:\s+$/.test(before) && /^-\s/.test(after),
    message: "a list must not begin on the line of its key",
    hint: "write each item on a line of its own, or all of them in brackets: `[a, b]`",
  },
  {
    is: ({ before, after }) => /^\s*$/.test(before) && /^-{2,}\s*$/.test(after) && !/^---\s*$/.test(after),
    message: "a line of dashes that separates nothing",
    hint: "write `---` between two documents",
  },
  {
    is: ({ code, above, before, after }) =>
      isKeyless(code) && blockHeader.test(above) && indentOf(before + after) <= indentOf(above),
    message: "the text under `|` or `>` is not indented",
    hint: "indent all its lines deeper than the key",
  },
  {
    is: ({ before, after }) => /^\s*$/.test(before) && /^(?:```|~~~)/.test(after),
    message: "a line that fences code in Markdown is not YAML",
    hint: "remove it; if it belongs to the text above it, indent it as deep as that text",
  },
  {
    is: ({ before, after }) => /^\s*$/.test(before) && /^(?:<!--|\/[/*])/.test(after),
    tell: ({ after }) => [
      `a comment does not begin with \`${after.startsWith("<") ? "<!--" : after.slice(0, 2)}\` in YAML`,
      "begin each line of it with `#`",
    ],
  },
  {
    is: ({ before, after }) => unusualSpace.test(before + after),
    message:
      "the line has a space that is not a normal one, such as a no-break space, and YAML reads it as a letter",
    hint: "type the spaces of the line again",
  },
  {
    is: ({ code, before, after }) =>
      isKeyless(code) && /^[\s-]*$/.test(before) && keyWithoutSpace.test(after),
    message: "a colon without a space after it does not end a key",
    hint: "write a space after the colon: `key: value`",
  },
  {
    is: ({ code, before, after }) =>
      isKeyless(code) && /^[\s-]*$/.test(before) && /^[\w.-]{1,60}\s*=/.test(after),
    message: "a key ends with a colon, not with `=`",
    hint: "write `key: value`",
  },
  {
    is: ({ code, before, after, above }) =>
      (isKeyless(code) || code === "BLOCK_IN_FLOW") &&
      (/["'\d\]}]\s*$/.test(above) || /["'\d\]}]\s*$/.test(before)) &&
      /["'\w\]}]/.test(after) &&
      /[{[]/.test(`${above}${before}`),
    message: "a comma is missing between two parts in brackets or braces",
    hint: "add it before this line, or close the bracket",
  },
  {
    is: ({ code, below }) => code === "BLOCK_AS_IMPLICIT_KEY" && /^ *\t/.test(below),
    message: "tabs must not be used for indentation, as in the line below",
    hint: "indent with spaces",
  },
  {
    is: ({ code, before, after }) => code === "BLOCK_AS_IMPLICIT_KEY" && /^\s*-[[{"']/.test(before + after),
    message: "a dash without a space after it does not begin an item of a list",
    hint: "write a space after the dash: `- item`",
  },
  {
    is: ({ code, before, after }) =>
      code === "BLOCK_AS_IMPLICIT_KEY" && /:\s+$|-\s+$/.test(before) && /\S:(?:\s|$)/.test(after),
    message: "a value without quotes must not contain a colon with a space after it",
    hint: "put the whole value in quotes, or write it under `|`",
  },
  {
    is: ({ code, above, below, before, after }) =>
      code === "BLOCK_AS_IMPLICIT_KEY" &&
      [above, below].every((line) => keyLine.test(line) && indentOf(line) > indentOf(before + after)) &&
      indentOf(above) === indentOf(below) &&
      !ofEveryDocument.test(before + after),
    message: "the line is indented less than the lines above and below it",
    hint: "align it with them",
  },
  {
    is: ({ code, below, before, after }) =>
      code === "BLOCK_AS_IMPLICIT_KEY" && keyLine.test(below) && indentOf(below) > indentOf(before + after),
    message: "the line below is indented as if it belonged to this value",
    hint: "align it with this line, or put the whole text in quotes if it belongs to it",
  },
  {
    is: ({ code, before, after }) => isKeyless(code) && /^[\s-]*$/.test(before) && /^[^"':]+$/.test(after),
    message: "a key without a colon",
    hint: "write `key: value`; if the line belongs to the text above it, put that text in quotes or under `|`",
  },
  {
    is: ({ code, after }) => code === "BAD_SCALAR_START" && /^[@`%,]/.test(after),
    tell: ({ after }) => [
      `a value without quotes must not begin with ${after.startsWith("`") ? "a backtick" : `\`${after.slice(0, 1)}\``}`,
      "put the whole value in quotes",
    ],
  },
];

/** Explains a problem of YAML as the mistake that it comes from, if it is a known one. */
export function explainMistake(trouble: Trouble): Told | undefined {
  const found = mistakes.find(({ is }) => is(trouble));
  if (!found) return undefined;
  return "tell" in found ? found.tell(trouble) : [found.message, found.hint];
}

// Lines are looked at so far beside a problem, because a line may be as long as a file.
const nearby = 400;

/** Looks at the lines around an offset of a text. */
export function troubleAt(text: string, offset: number, code: Trouble["code"], isQuotable: boolean): Trouble {
  const from = Math.max(0, offset - nearby);
  const before = text.slice(from, offset);
  const after = text.slice(offset, offset + nearby);
  const lines = before.split(/\r?\n/);
  const [rest = "", ...below] = after.split(/\r?\n/);
  const isFilled = (line: string) => line.trim() !== "";
  return {
    code,
    before: lines.at(-1) ?? "",
    after: rest,
    above: lines.slice(0, -1).findLast(isFilled) ?? "",
    below: below.find(isFilled) ?? "",
    isQuotable,
  };
}
