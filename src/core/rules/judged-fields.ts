import { noteCodes } from "../../generated/codes.js";
import { changeFields } from "../../generated/change-fields.js";
import type { Field } from "../../generated/fields.js";
import { warning, type Finding, type Place } from "../finding/diagnostic.js";
import { meaning } from "../finding/nearest.js";
import { bare, say } from "../finding/said.js";
import { isObject, type Json } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { kinds } from "../kind/kinds.js";
import { knownField, nearestField } from "../schema/known-field.js";
import { placeInRule, type OwnRule } from "./own-rule.js";

/**
 * Warns about the fields that a rule asks for and that nothing has that it judges: there it refuses nothing. A deployment
 * may have further fields in a `spec`, of which only what is nearly a known field is one of these.
 */
export function explainUnknownFields(rule: OwnRule): Finding[] {
  const asked = new AskedFields(rule);
  asked.visit(rule.schema, { names: [], all: judgedFields(rule) }, []);
  return asked.findings;
}

function judgedFields({ scope, subject }: OwnRule): Field[] {
  const judged = Object.values(kinds).filter(({ name }) => scope.kind === undefined || scope.kind === name);
  return judged.map(({ fields: own, document }) => {
    const within = subject === "document" ? renderedFields(own) : changeOf(own);
    return { fields: { ...within, kind: { known: [document] } } };
  });
}

function changeOf({ fields: { spec: body = {} } = {} }: Field): Record<string, Field> {
  const { notes, ...rest } = changeFields;
  const code = { known: noteCodes };
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

class AskedFields {
  readonly findings: Finding[] = [];
  readonly #followed = new Set<string>();

  constructor(private readonly rule: OwnRule) {}

  /** Visits a schema at a path of the rule; what a reference leads to is told at the reference. */
  visit(schema: Json, judged: Judged, path: Path, reference?: Path): void {
    if (!isObject(schema) || judged.all.length === 0) return;
    for (const [keyword, value] of Object.entries(schema)) {
      const at = [...path, keyword];
      if (keyword === "const" || keyword === "enum")
        for (const each of [value].flat()) this.#value(each, judged, reference ?? at);
      else if (keyword === "$ref") this.#follow(String(value), judged, reference ?? at);
      else if (keyword === "properties" && isObject(value))
        for (const [name, member] of Object.entries(value))
          this.visit(
            member,
            this.#within(judged, name, reference ?? [...at, name]),
            [...at, name],
            reference,
          );
      else if (keyword === "required" && Array.isArray(value))
        for (const [index, name] of value.entries())
          this.#within(judged, String(name), reference ?? [...at, index]);
      else if (aboutItems.has(keyword) || aboutTheSame.has(keyword)) {
        const items = { ...judged, all: judged.all.flatMap((field) => field.items ?? []) };
        const of = aboutItems.has(keyword) ? items : judged;
        if (!Array.isArray(value)) this.visit(value, of, at, reference);
        else for (const [index, each] of value.entries()) this.visit(each, of, [...at, index], reference);
      }
    }
  }

  #follow(target: string, judged: Judged, reference: Path): void {
    const key = JSON.stringify([target, judged.names]);
    if (this.#followed.has(key)) return;
    this.#followed.add(key);
    this.visit(this.rule.targets[target] ?? true, judged, [], reference);
  }

  #place(path: Path): Place {
    return placeInRule(this.rule, ["spec", this.rule.subject, ...path]);
  }

  // There may be further values, such as the names of rules among the codes of notes.
  #value(value: Json, { all }: Judged, path: Path): void {
    const known = all.flatMap((field) => field.known ?? []);
    const meant = typeof value === "string" ? nearestField(value, known) : undefined;
    if (typeof value !== "string" || meant === undefined) return;
    const message = say`unknown value ${{ found: value }}: nothing that the rule judges has it`;
    this.findings.push(warning("rule-unused", this.#place(path), message, meaning(value, meant)));
  }

  // Nothing is known of what is in a field without a structure.
  #within({ names, all }: Judged, name: string, path: Path): Judged {
    const found = all.flatMap((field) => knownField(field, name) ?? []);
    const within = { names: [...names, name], all: found };
    if (found.length > 0 || all.some(isFree)) return within;
    const isOpen = names[0] === "spec" || names[0] === "body" || all.some(({ open }) => open);
    const known = [...new Set(all.flatMap((field) => namesIn(field, isOpen)))];
    const meant = nearestField(name, known);
    if (meant === undefined && isOpen) return within;
    const message = say`unknown field ${{ field: name }}: nothing that the rule judges has it`;
    const hint =
      meant === undefined ? say`known fields here: ${bare({ expected: known })}` : meaning(name, meant);
    this.findings.push(warning("rule-unused", { ...this.#place(path), key: true }, message, hint));
    return within;
  }
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
