import { dirname, posix } from "node:path";
import type { Scheme } from "../core/expression/expression.js";
import { toReference } from "../core/expression/reference.js";
import { expressionsIn, type WrittenExpression } from "../core/position/written-expression.js";
import type { Range } from "../core/position/range.js";
import { WrittenText } from "../core/position/written-text.js";
import { hasPieces } from "../json/texts.js";
import { manifestFile } from "../core/resources/manifest-file.js";

/** What a name in a text means: the scheme and locator of the expression that leads there, and what belongs to one document. */
export interface NameMeaning {
  readonly scheme: Scheme;
  /** A key, also one with `${each:…}` in it, the name of a variable or parameter, or a path from the workspace. */
  readonly name: string;
  readonly operation?: string;
  /** The file and document of a parameter. */
  readonly owner?: string;
}

/** A name in a text, with its meaning. */
export interface Occurrence {
  readonly meaning: NameMeaning;
  /** The name itself. */
  readonly range: Range;
  /** The whole expression, or again the name. */
  readonly whole: Range;
  readonly role: "use" | "definition" | "patch";
}

/** Gives what an address means. */
export function meaningOf(address: string): NameMeaning {
  const colon = address.indexOf(":");
  return { scheme: address.slice(0, colon) as Scheme, name: address.slice(colon + 1) };
}

/** Whether two names may mean the same; one without an operation means the resource of one that has it. */
export function isSame(a: NameMeaning, b: NameMeaning): boolean {
  const isOne = a.operation === undefined || a.operation === b.operation;
  return (
    a.scheme === b.scheme && a.owner === b.owner && isOne && (fits(a.name, b.name) || fits(b.name, a.name))
  );
}

/** Whether a key has parameters, so that it stands for several. */
export function hasParameters(name: string): boolean {
  return name.includes("${");
}

/** Whether a key may be one that a key with parameters stands for, or is the same. */
export function fits(name: string, form: string): boolean {
  // A parameter is not empty.
  return name === form || (hasParameters(form) && hasPieces(name, form.split(/\$\{[^}]*\}/), 1));
}

/** Whether the texts of a file may be YAML, which has comments. */
export function isYaml(file: string): boolean {
  return /\.ya?ml$/i.test(file);
}

/** Finds the names in the text of a file, in expressions and where they are defined. */
export function occurrencesIn(file: string, text: string): Occurrence[] {
  const uses = expressionsIn(text, isYaml(file)).flatMap(withParameters);
  if (!isYaml(file)) return uses.map((expression) => useOf(expression, file, undefined));
  const written = new WrittenText(text);
  const heads = written.heads();
  const ownerAt = (offset: number) =>
    heads.find(({ range }) => range.start <= offset && offset <= range.end)?.document ?? 0;
  return [
    ...uses.map((expression) => useOf(expression, file, `${ownerAt(expression.start)} ${file}`)),
    ...(file === manifestFile ? variablesOf(written) : heads.flatMap((head) => namesOf(head, file, written))),
  ];
}

// A key may have parameters, which are expressions of their own.
function withParameters(expression: WrittenExpression): WrittenExpression[] {
  const { source, start } = expression;
  const inner = expressionsIn(source.slice(2), false).map((each) => ({
    ...each,
    start: each.start + start + 2,
    end: each.end + start + 2,
  }));
  return [...inner, expression];
}

function useOf(expression: WrittenExpression, file: string, owner: string | undefined): Occurrence {
  const { scheme, locator, source, start, end } = expression;
  const reference = toReference(expression);
  const from = start + source.indexOf(locator, scheme.length + 3);
  const name = reference ? reference.address.slice(scheme.length + 1) : locator;
  const range = { start: from, end: from + name.length };
  const whole = { start, end };
  if (scheme === "file" || scheme === "template") {
    const path = posix.normalize(posix.join(dirname(file), locator));
    return { meaning: { scheme: "file", name: path }, range, whole, role: "use" };
  }
  const operation = reference?.operation;
  const meaning = {
    scheme,
    name: scheme === "env" ? name.replace(/@.*$/, "") : name,
    ...(operation !== undefined && { operation }),
    ...(scheme === "each" && owner !== undefined && { owner }),
  };
  return { meaning, range, whole, role: "use" };
}

function namesOf(
  { address, nameRange, document }: ReturnType<WrittenText["heads"]>[number],
  file: string,
  written: WrittenText,
): Occurrence[] {
  const parameters = written
    .keysAt(document, ["for_each"])
    .flatMap(({ name }) => written.keysAt(document, ["for_each", name]));
  const owner = `${document} ${file}`;
  const ofParameters = parameters.map(({ name, start, end }) =>
    definition({ scheme: "each", name, owner }, { start, end }),
  );
  if (address === undefined || !nameRange) return ofParameters;
  const own = definition(meaningOf(address), nameRange);
  return [file.startsWith("environments/") ? { ...own, role: "patch" as const } : own, ...ofParameters];
}

function variablesOf(written: WrittenText): Occurrence[] {
  const namesAt = (path: readonly string[]) =>
    written
      .keysAt(0, path)
      .map(({ name, start, end }) => definition({ scheme: "var", name }, { start, end }));
  const environments = written.keysAt(0, ["spec", "environments"]);
  return [
    ...namesAt(["spec", "variables"]),
    ...environments.flatMap(({ name }) =>
      namesAt(["spec", "environments", name, "variables"]).map((each) => ({
        ...each,
        role: "patch" as const,
      })),
    ),
  ];
}

function definition(meaning: NameMeaning, range: Range): Occurrence {
  return { meaning, range, whole: range, role: "definition" };
}
