import { Budget } from "../../json/budget.js";
import type { Finding, Place } from "../finding/diagnostic.js";
import type { Path } from "../../json/path.js";
import { explainTooMuch, openingCost, resourceLimit } from "./expansion-limit.js";
import type { Parameters, ParameterUse } from "./parameter.js";
import type { SubstitutionTotals } from "./substitution-totals.js";
import { nothingSubstituted, unresolved, type Substituted } from "./substituted.js";

/** A part of a text, by where it begins. */
export interface TextPart {
  readonly source: string;
  readonly offset: number;
}

/** Where a text is written. */
export interface FileScope {
  /** The file from which relative paths start. */
  readonly file: string;
  /** The chain of templates that included this one. */
  readonly within: readonly string[];
  readonly place: (part: TextPart) => Place;
}

/** One value while it is resolved: what was found so far, and how much more it may include. */
export class Resolving {
  readonly result: Substituted = nothingSubstituted();
  readonly #budget = new Budget(resourceLimit);
  #includedAt: Place | undefined;

  constructor(
    /** Where the value is in the merged document. */
    private readonly root: Path,
    readonly parameters: Parameters | undefined,
    private readonly totals: SubstitutionTotals,
  ) {}

  /** Notes that something at a path could not be resolved, and gives the text to use instead. */
  unresolved(part: { readonly source: string }, path: Path, ...findings: Finding[]): string {
    return unresolved(part, path, this.result, ...findings.map((each) => this.#withDocument(each)));
  }

  /** Resolves what a file has that is included at a place: its problems say which document includes it. */
  inside<Value>({ each: _each, ...place }: Place, resolve: () => Value): Value {
    const outer = this.#includedAt;
    this.#includedAt ??= place;
    try {
      return resolve();
    } finally {
      this.#includedAt = outer;
    }
  }

  // The key of a `for_each` says it already.
  #withDocument(finding: Finding): Finding {
    const document = this.#includedAt;
    if (!document || finding.place?.each || finding.place?.file === document.file) return finding;
    return { ...finding, document };
  }

  /** Takes the cost of a part. What is beyond the limit is left as it is, and the first one is reported. */
  spend(units: number, part: TextPart, scope: FileScope): boolean {
    const wasSpent = this.#budget.isSpent;
    const [isAfforded, isAffordedByAll] = [this.#budget.spend(units), this.totals.spend(units)];
    if (isAfforded && isAffordedByAll) return true;
    this.totals.isAllRead = false;
    if (!wasSpent && !isAfforded) this.result.findings.push(explainTooMuch(scope.place(part)));
    if (this.result.unresolved[0] !== this.root) this.result.unresolved.unshift(this.root);
    return false;
  }

  /** Takes the cost of every `${` of a text. */
  spendOpenings(text: string, scope: FileScope): boolean {
    let openings = 0;
    for (let at = text.indexOf("${"); at !== -1; at = text.indexOf("${", at + 2)) openings++;
    return this.spend(openings * openingCost, { source: "${", offset: text.indexOf("${") }, scope);
  }

  /** Gives a place with the key of `for_each` for which it is resolved. */
  placed(place: Place): Place {
    return this.parameters ? { ...place, each: this.parameters.place } : place;
  }

  /** Gives where a parameter is used. */
  useOf(part: TextPart, scope: FileScope): ParameterUse {
    return { place: scope.place(part), written: this.root };
  }
}
