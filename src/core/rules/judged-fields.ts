import { noteCodes } from "../../generated/codes.js";
import { changeFields } from "../../generated/change-fields.js";
import type { Field } from "../../generated/fields.js";
import { warning, type Finding, type Place } from "../finding/diagnostic.js";
import { meaning, slipOf } from "../finding/nearest.js";
import { bare, say } from "../finding/said.js";
import { isObject, type Json } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import type { FieldsByKind } from "../kind/extra-fields.js";
import { kinds } from "../kind/kinds.js";
import { knownField, nearestField } from "../schema/known-field.js";
import { placeInRule, type OwnRule } from "./own-rule.js";

/** What a workspace has beside what all have. */
export interface NamesOfWorkspace {
  readonly kindFields: FieldsByKind;
  /** Its rules, whose names are codes of notes. */
  readonly rules: readonly string[];
}

// A list that a machine made, of values that are nearly known, would take minutes, and nobody reads what is said of all.
const mostComparisons = 500_000;
const mostFindings = 20;

/** Warns of fields that a rule asks for and nothing has; a `spec` may have more, so there only of near misses. */
export function explainUnknownFields(rule: OwnRule, own: NamesOfWorkspace): Finding[] {
  const judged = Object.values(kinds).filter(({ name }) => (rule.scope.kind ?? name) === name);
  const all = judged.map(({ fields, document }): Field => {
    const within = rule.subject === "document" ? renderedFields(fields) : changeOf(fields, own);
    return { fields: { ...within, kind: { known: [document] } } };
  });
  const asked = new AskedFields(
    rule,
    judged.flatMap(({ name }) => own.kindFields[name].extra),
  );
  asked.visit(rule.schema, { names: [], all }, []);
  return asked.findings;
}

function changeOf(
  { fields: { spec: body = {} } = {} }: Field,
  { rules }: NamesOfWorkspace,
): Record<string, Field> {
  const { notes, ...rest } = changeFields;
  // A rule of an organisation may be one that only a job has.
  const code = { known: [...noteCodes, ...rules], open: true } as const;
  return { ...rest, body, notes: { items: { fields: { ...notes?.items?.fields, code } } } };
}

// Once it is rendered, a document has no `for_each` and no choice of operations.
function renderedFields({ fields: written = {} }: Field): Record<string, Field> {
  const { for_each: _each, operations: _operations, ...rendered } = written;
  return rendered;
}

/** What the values can have that a schema judges: the fields of each kind, and the names that lead to them. */
interface Judged {
  readonly names: readonly string[];
  readonly all: readonly Field[];
}

const aboutItems = new Set(["items", "contains", "prefixItems"]);
const aboutTheSame = new Set(["allOf", "anyOf", "oneOf", "not", "if", "then", "else"]);

/** The keywords that judge nothing alone, each with those beside it of which one is needed. */
const partners = new Map([
  ["if", ["then", "else"]],
  ["then", ["if"]],
  ["else", ["if"]],
  ["minContains", ["contains"]],
  ["maxContains", ["contains"]],
]);

class AskedFields {
  readonly findings: Finding[] = [];
  readonly #followed = new Set<string>();
  #comparisons = 0;

  constructor(
    private readonly rule: OwnRule,
    /** Further fields of the deployment, which may be anywhere in a `spec`. */
    private readonly extra: readonly string[],
  ) {}

  /** Visits a schema at a path of the rule; what a reference leads to is told at the reference. */
  visit(schema: Json, judged: Judged, path: Path, reference?: Path): void {
    if (!isObject(schema) || judged.all.length === 0 || this.findings.length >= mostFindings) return;
    for (const [keyword, value] of Object.entries(schema)) {
      const at = [...path, keyword];
      const needed = partners.get(keyword);
      if (needed?.every((each) => !Object.hasOwn(schema, each))) {
        const message = say`${{ field: keyword }} judges nothing without ${bare({ expected: needed }, needed.map((each) => `\`${each}\``).join(" or "))}`;
        this.#add(warning("rule-unused", { ...this.#place(reference ?? at), key: true }, message));
      }
      if (keyword === "const" || keyword === "enum") this.#values([value].flat(), judged, reference ?? at);
      else if (keyword === "$ref") this.#follow(String(value), judged, reference ?? at);
      else if (keyword === "properties" && isObject(value))
        for (const [name, member] of Object.entries(value))
          this.visit(
            member,
            this.#within(judged, name, reference ?? [...at, name]),
            [...at, name],
            reference,
          );
      else if (keyword === "required") this.#names(value, judged, at, reference);
      else if (keyword === "dependentRequired" && isObject(value))
        for (const [name, names] of Object.entries(value)) {
          this.#within(judged, name, reference ?? [...at, name]);
          this.#names(names, judged, [...at, name], reference);
        }
      else if (aboutItems.has(keyword) || aboutTheSame.has(keyword)) {
        const items = { ...judged, all: judged.all.flatMap((field) => field.items ?? []) };
        const of = aboutItems.has(keyword) ? items : judged;
        if (!Array.isArray(value)) this.visit(value, of, at, reference);
        else for (const [index, each] of value.entries()) this.visit(each, of, [...at, index], reference);
      }
    }
  }

  #names(names: Json, judged: Judged, at: Path, reference: Path | undefined): void {
    if (!Array.isArray(names)) return;
    for (const [index, name] of names.entries())
      this.#within(judged, String(name), reference ?? [...at, index]);
  }

  #follow(target: string, judged: Judged, reference: Path): void {
    const key = JSON.stringify([target, judged.names]);
    if (this.#followed.has(key)) return;
    this.#followed.add(key);
    this.visit(this.rule.targets[target] ?? true, judged, [], reference);
  }

  #add(finding: Finding): void {
    if (this.findings.length < mostFindings) this.findings.push(finding);
  }

  #place(path: Path): Place {
    return placeInRule(this.rule, ["spec", this.rule.subject, ...path]);
  }

  // A deployment may have further values in a `spec`, such as types of features, and an organisation further rules.
  #values(values: readonly Json[], { names, all }: Judged, path: Path): void {
    const known = [...new Set(all.flatMap((field) => field.known ?? []))];
    const isClosed = !isOfSpec(names) && all.every((field) => field.known && !field.open);
    for (const value of values) {
      if (typeof value !== "string" || known.includes(value)) continue;
      const meant = this.#nearest(value, known, isOfSpec(names));
      if (meant === undefined && !isClosed) continue;
      const message = say`unknown value ${{ found: value }}: nothing that the rule judges has it`;
      const others = say`known values here: ${bare({ expected: known })}`;
      const hint = meant === undefined ? others : meaning(value, meant);
      this.#add(warning("rule-unused", this.#place(path), message, hint));
    }
  }

  // Nothing is known of what is in a field without a structure.
  #within({ names, all }: Judged, name: string, path: Path): Judged {
    const found = all.flatMap((field) => knownField(field, name) ?? []);
    const within = { names: [...names, name], all: found };
    if (found.length > 0 || all.some(isFree)) return within;
    const extra = isOfSpec(names) ? this.extra : [];
    const isList = all.every((field) => field.items !== undefined && field.fields === undefined);
    const isOpen = !isList && (isOfSpec(names) || all.some(({ open }) => open));
    const known = [...new Set([...all.flatMap((field) => namesIn(field, isOpen)), ...extra])];
    const meant = this.#nearest(name, known);
    if (extra.includes(name) || (meant === undefined && isOpen)) return within;
    const message = say`unknown field ${{ field: name }}: nothing that the rule judges has it`;
    const others = isList
      ? "this is a list: what its items must be is under `items` or `contains`"
      : say`known fields here: ${bare({ expected: known })}`;
    const hint = meant === undefined ? others : meaning(name, meant);
    this.#add(warning("rule-unused", { ...this.#place(path), key: true }, message, hint));
    return within;
  }

  #nearest(word: string, known: readonly string[], isOpen = false): string | undefined {
    this.#comparisons += known.length;
    if (this.#comparisons > mostComparisons) return undefined;
    return isOpen ? slipOf(word, known) : nearestField(word, known);
  }
}

function isOfSpec([first]: readonly string[]): boolean {
  return first === "spec" || first === "body";
}

function isFree({ fields, items, values }: Field): boolean {
  return fields === undefined && items === undefined && values === undefined;
}

// A header with a name like that of a secret is one of its own.
function namesIn({ fields = {} }: Field, isOpen: boolean): string[] {
  return Object.keys(fields).filter(
    (name) => !fields[name]?.readOnly && !(isOpen && fields[name]?.writeOnly),
  );
}
