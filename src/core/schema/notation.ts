import { schemes, withoutActions } from "../expression/expression.js";
import { warning, type Finding, type Place } from "../finding/diagnostic.js";
import { say } from "../finding/said.js";
import { quote } from "../finding/quotation.js";
import { isObject, type Json } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { visitTexts } from "../../json/texts.js";
import type { Kind } from "../kind/kind.js";
import { isForeign } from "./literal.js";
import { isSecret } from "./known-field.js";
import { pathText } from "./schema.js";

/** A way to write a value that looks like an expression, and the expression that is meant. */
interface Notation {
  readonly is: RegExp;
  readonly meant: (match: RegExpExecArray) => string;
}

const scheme = schemes.join("|");
const longest = 300;

// None of these is an expression, which has a lower-case scheme and no space around it.
const notations: readonly Notation[] = [
  {
    is: new RegExp(`^\\$\\{\\s+(${scheme})\\s*:\\s*([^\\s{}]+)\\s*\\}$`, "i"),
    meant: ([, name, locator]) => `\${${(name ?? "").toLowerCase()}:${locator ?? ""}}`,
  },
  {
    is: new RegExp(`^\\$\\{(${scheme.toUpperCase()})\\s*:\\s*([^\\s{}]+)\\s*\\}$`),
    meant: ([, name, locator]) => `\${${(name ?? "").toLowerCase()}:${locator ?? ""}}`,
  },
  {
    is: /^\$?(file|template|env):(?!\/\/)([^\s{}:]+)$/,
    meant: ([, name, locator]) => `\${${name ?? ""}:${locator ?? ""}}`,
  },
  { is: /^\$\{\{\s*([A-Za-z_]\w*)\s*\}\}$/, meant: ([, name]) => `\${var:${name ?? ""}}` },
  { is: /^@([\w./-]+\.(?:md|txt|json|ya?ml))$/, meant: ([, path]) => `\${file:${path ?? ""}}` },
  { is: /^(?:\$\{)?file\(["']([^"'{}]+)["']\)\}?$/, meant: ([, path]) => `\${file:${path ?? ""}}` },
  {
    is: /^((?:\.{1,2}\/|[\w-]+\/)(?:[\w.-]+\/)*[\w.-]+\.(?:md|txt|json|ya?ml))$/,
    meant: ([, path]) => `\${file:${path ?? ""}}`,
  },
  {
    is: /^\$\{(env|file|template)\.([^\s{}]+)\}$/,
    meant: ([, name, locator]) => `\${${name ?? ""}:${locator ?? ""}}`,
  },
];

/** Warns about values of a document's `spec`, as written, that nearly are expressions but are sent as texts. */
export function explainNotations(
  document: Json,
  kind: Kind,
  place: (path: Path) => Place,
  isTyped: (path: Path) => boolean,
): Finding[] {
  const found: Finding[] = [];
  if (!isObject(document) || document.spec === undefined) return found;
  const visit = (value: string, path: Path): void => {
    const meant = value.length > longest ? undefined : meantBy(value);
    if (meant === undefined || isTyped(path) || isSecret(kind.fields, path)) return;
    // That it must be a mapping is an error, which says the same.
    if (path.length === 2 && path[1] === "openapi_schema") return;
    if (kind.prose.includes(String(path[1])) && value.includes("${{")) return;
    const message = say`${{ field: pathText(path) }} is sent as the text ${quote(value)}, which is ${value.includes("${{") ? "of GitHub Actions: nothing here reads it" : "not an expression"}`;
    found.push(
      warning(
        "reference-literal",
        place([...path]),
        message,
        say`write ${quote(meant)}`.proposing({ type: "write", from: value, to: meant }),
      ),
    );
  };
  visitTexts(document.spec, ["spec"], visit, (_, path) => path.length === 2 && isForeign(kind, path));
  return found;
}

function meantBy(text: string): string | undefined {
  const replaced = withoutActions(text);
  if (replaced !== text) return replaced;
  if (!/^(?:[$@]|file[:(]|(?:template|env):)|\.(?:md|txt|json|ya?ml)$/.test(text)) return undefined;
  for (const { is, meant } of notations) {
    const match = is.exec(text);
    if (match) return meant(match);
  }
  return undefined;
}
