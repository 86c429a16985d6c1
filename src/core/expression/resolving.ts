import { Budget } from "../../json/budget.js";
import type { Finding, Place } from "../finding/diagnostic.js";
import type { Path } from "../../json/path.js";
import { explainTooMuch, openingCost, resourceLimit } from "./expansion-limit.js";
import type { Parameters, ParameterUse } from "./parameter.js";
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

  useOf(part: TextPart, scope: FileScope): ParameterUse {
    return { place: scope.place(part), written: this.root };
  }
}

const shownPlaces = 8;

/** What the substitutions in one file used, and what they lacked. */
export class SubstitutionTotals {
  readonly usedVariables = new Set<string>();
  /** Variables without a value, with the places that need one. */
  readonly missing = new Map<string, Place[]>();
  /** The included files, whether or not they could be read. */
  readonly files = new Set<string>();
  /** Whether every included file could be read. */
  isAllRead = true;
  /** How much of the workspace's limit was used. */
  expanded = 0;

  constructor(private readonly workspaceBudget: Budget) {}

  /** Takes something from the workspace's limit; false if there is too little left. */
  spend(units: number): boolean {
    this.expanded += units;
    const isAfforded = this.workspaceBudget.spend(units);
    if (!isAfforded) this.isAllRead = false;
    return isAfforded;
  }

  /** Whether more was taken from the workspace's limit than there was. */
  get isSpent(): boolean {
    return this.workspaceBudget.isSpent;
  }

  /** Notes a place that needs the value of a variable; the keys of a `for_each` share one. */
  addMissing(name: string, { each, ...place }: Place): void {
    const places = this.missing.get(name);
    if (!places) this.missing.set(name, [place]);
    else if (!each || (places.length < shownPlaces && !places.some((known) => isSame(known, place)))) {
      places.push(place);
    }
  }
}

function isSame(one: Place, other: Place): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
