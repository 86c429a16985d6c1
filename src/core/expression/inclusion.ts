import { mergeConflict } from "../document/document.js";
import { otherSpellings, type OtherSpelling } from "../document/spelling.js";
import { tooDeep } from "../document/inspection.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { depthLimit } from "../../json/json.js";
import { once } from "../../json/once.js";
import type { Path } from "../../json/path.js";
import type { Expression } from "./expression.js";
import {
  parseIncluded,
  type Included,
  type IncludedData,
  type IncludedValue,
  type Includes,
} from "./included-data.js";
import type { Resolving, FileScope, SubstitutionTotals } from "./resolving.js";

/** A file that was included. */
export type IncludedText = Extract<Included, { readonly ok: true }>;

/** Includes files, as text or as data. */
export class Inclusion {
  constructor(
    private readonly includes: Includes,
    private readonly data: IncludedData,
    private readonly totals: SubstitutionTotals,
  ) {}

  /** Gives the file of an expression; undefined if it cannot be included. */
  read(expression: Expression, path: Path, to: Resolving, scope: FileScope): IncludedText | undefined {
    const fail = (problem: Finding): undefined => {
      this.totals.isAllRead = false;
      to.inside(scope.place(expression), () => to.unresolved(expression, path, problem));
    };
    to.result.included.push(path);
    const included = this.includes.read(scope.file, expression.locator);
    if (!included.ok) {
      return fail(error(included.code, scope.place(expression), included.message, included.hint));
    }
    const { file, text } = included;
    to.result.files.push(file);
    this.totals.files.add(file);
    if (!to.spend(text.length, expression, scope)) return undefined;
    const conflict = mergeConflict(file, text);
    return conflict ? fail(conflict) : included;
  }

  /** Finds a text in files that were included: the file, and the line from 1; undefined where none has it as it is. */
  find(text: string, files: Iterable<string>): { readonly file: string; readonly line: number } | undefined {
    for (const file of files) {
      const read = this.includes.read(file, file.slice(file.lastIndexOf("/") + 1));
      const at = read.ok ? read.text.indexOf(text) : -1;
      if (read.ok && at !== -1) return { file, line: read.text.slice(0, at).split("\n").length };
    }
    return undefined;
  }

  /** Gives how a value of a file is written, if a text would get another spelling of it. */
  readonly spellingIn: (file: string) => OtherSpelling = once((file) => {
    const read = this.includes.read(file, file.slice(file.lastIndexOf("/") + 1));
    return otherSpellings(read.ok ? read.text : "");
  });

  /** Gives the content of a data file, and its name; undefined if it cannot be included. */
  parse(
    expression: Expression,
    path: Path,
    to: Resolving,
    scope: FileScope,
  ): (IncludedValue & { readonly file: string }) | undefined {
    const included = this.read(expression, path, to, scope);
    if (!included) return undefined;
    const { file, text } = included;
    const parsed = this.data.get(file) ?? parseIncluded(file, text);
    this.data.set(file, parsed);
    if (parsed.findings.length > 0) {
      this.totals.isAllRead = false;
      to.inside(scope.place(expression), () => to.unresolved(expression, path, ...parsed.findings));
      return undefined;
    }
    if (!to.spend(parsed.size, expression, scope)) return undefined;
    if (path.length + parsed.depth > depthLimit) {
      to.unresolved(expression, path, tooDeep(scope.place(expression)));
      return undefined;
    }
    to.result.origins.push({ path, file });
    return { ...parsed, file };
  }

  /** Gives the chain of templates with one more; undefined if that is a circle, or too deep. */
  enter(
    expression: Expression,
    file: string,
    path: Path,
    to: Resolving,
    scope: FileScope,
  ): readonly string[] | undefined {
    const place = scope.place(expression);
    if (scope.within.length > depthLimit) {
      const message = say`templates are nested more than ${{ limit: depthLimit }} deep`;
      to.unresolved(expression, path, error("too-deep", place, message, "use fewer levels"));
      return undefined;
    }
    if (!scope.within.includes(file)) return [...scope.within, file];
    const way = [...scope.within.slice(scope.within.indexOf(file)), file];
    const message = say`templates include each other in a cycle: ${bare({ files: [...way] }, way.join(" → "))}`;
    const hint = "remove one of these `${template:…}`";
    to.unresolved(expression, path, error("expression-cycle", place, message, hint));
    return undefined;
  }
}
