import { Ajv2020 } from "ajv/dist/2020.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { canonical, isObject, type Json, type JsonObject } from "../../json/json.js";
import { oncePer } from "../../json/once.js";
import type { ValidationError } from "../../json/validate.js";
import type { FieldsByKind } from "../kind/extra-fields.js";
import { explainUnknownFields } from "./judged-fields.js";
import { mapSubschemas } from "./keywords.js";
import { placeInRule, tooMuch, type OwnRule } from "./own-rule.js";
import { patternEngine, PatternProblem } from "./pattern-engine.js";
import { violationsOf, type Violation } from "./violation.js";
import { Work, workOfAll, WorkSpent } from "./work.js";

/** A rule that can be asked. */
export interface CompiledRule {
  readonly rule: OwnRule;
  /** Gives every way in which a value does not satisfy the rule; undefined if that takes too much work. */
  readonly judge: (value: Json) => readonly Violation[] | undefined;
}

/** What was made of rules, and what is wrong with them: patterns, and examples that are judged otherwise. */
export interface CompiledRules {
  readonly rules: readonly CompiledRule[];
  readonly findings: readonly Finding[];
}

/** Makes rules ready to judge; each, and all of them, may do a certain work for as many values as there are. */
export function compileRules(
  rules: readonly OwnRule[],
  values: number,
  kindFields: FieldsByKind,
): CompiledRules {
  const names = rules.map(({ name }) => name);
  const findings: Finding[] = [];
  const all = workOfAll(values);
  const compiled = rules.flatMap((rule) => {
    if (all.isSpent) return [];
    const made = madeOf(rule);
    if (!all.spend(made.cost)) {
      findings.push(tooMuch(rule));
      return [];
    }
    if (!made.ok) {
      findings.push(made.problem);
      return [];
    }
    made.work.begin(values, all);
    findings.push(...checkExamples(made));
    // What was wrong before a change is none of the change's.
    if (rule.origin !== "base") findings.push(...explainUnknownFields(rule, { kindFields, rules: names }));
    return [made];
  });
  return { rules: compiled, findings };
}

/** With what it took to make it, in looks at a value. */
type MadeRule = { readonly cost: number } & (
  | (CompiledRule & { readonly ok: true; readonly work: Work })
  | { readonly ok: false; readonly problem: Finding }
);

// A rule is the same in all environments, and an editor asks again and again.
const madeOf = oncePer(compileRule);

// What is made of a rule, and of each of its schemas; and a finding, which goes all the way to whoever reads it.
const unitsPerRule = 20_000;
const unitsPerSchema = 3000;
const unitsPerViolation = 2000;

function compileRule(rule: OwnRule): MadeRule {
  const work = new Work();
  const patterns = patternEngine(work);
  const whole = wholeSchema(rule);
  const cost = () => unitsPerRule + whole.count * unitsPerSchema + patterns.cost();
  try {
    const ajv = new Ajv2020({
      strict: false,
      meta: false,
      validateSchema: false,
      inlineRefs: false,
      addUsedSchema: false,
      messages: false,
      allErrors: true,
      logger: false,
      // Code that is not made smaller runs as fast, and takes a fraction of the time to make.
      code: { optimize: false, regExp: patterns.make },
    });
    ajv.removeKeyword("uniqueItems");
    ajv.addKeyword({
      keyword: "uniqueItems",
      type: "array",
      validate: (is: boolean, items: Json[]) => !is || areUnique(items, work),
    });
    ajv.addKeyword({
      keyword: countedKeyword,
      before: "$ref",
      errors: false,
      validate: (units: number, value: Json) => work.spend(units + sizeOf(value)),
    });
    const check = ajv.compile(whole.schema);
    return { ok: true, cost: cost(), rule, work, judge: (value) => judged(value, check, work) };
  } catch (thrown) {
    if (thrown instanceof PatternProblem)
      return { ok: false, cost: cost(), problem: explainPattern(rule, thrown) };
    if (thrown instanceof RangeError) return { ok: false, cost: cost(), problem: tooMuch(rule) };
    throw thrown;
  }
}

type SchemaCheck = ((value: Json) => unknown) & { errors?: null | readonly Partial<ValidationError>[] };

function judged(value: Json, check: SchemaCheck, work: Work): readonly Violation[] | undefined {
  if (work.isSpent) return undefined;
  try {
    if (check(value) === true) return [];
    const violations = violationsOf(value, (check.errors ?? []) as readonly ValidationError[]);
    work.spend(violations.length * unitsPerViolation);
    return violations;
  } catch (thrown) {
    // Schemas that refer to each other in a circle have no end but that of the stack.
    if (thrown instanceof WorkSpent || thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

/** The keyword that each schema of a rule gets, so that what it judges is counted. */
const countedKeyword = "agentform-work";

function wholeSchema({ schema, targets }: OwnRule): { readonly schema: JsonObject; readonly count: number } {
  let count = 0;
  const names = new Map(Object.keys(targets).map((target, index) => [target, `#/$defs/${index}`]));
  const ready = (each: Json): Json => {
    count++;
    const own = mapSubschemas(each, ready);
    if (!isObject(own)) return own;
    const to = typeof own.$ref === "string" ? names.get(own.$ref) : undefined;
    const { $defs: _defs, ...rest } = own;
    return { ...rest, ...(to !== undefined && { $ref: to }), [countedKeyword]: weightOf(own) };
  };
  const defs = Object.entries(targets).map(([, target], index) => [String(index), ready(target)]);
  return { schema: { allOf: [ready(schema)], $defs: Object.fromEntries(defs) as JsonObject }, count };
}

// What one look at a value costs: its lists of names and values are gone through.
function weightOf({ enum: values, required, const: only }: JsonObject): number {
  const texts = [values, required, only].map((each) => (each === undefined ? 0 : canonical(each).length));
  return 1 + Math.ceil(texts.reduce((sum, length) => sum + length, 0) / 100);
}

function sizeOf(value: Json): number {
  if (typeof value === "string") return value.length >> 6;
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}

function areUnique(items: readonly Json[], work: Work): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    const text = canonical(item);
    work.spend(1 + (text.length >> 6));
    if (seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}

function checkExamples({ rule, judge }: CompiledRule): Finding[] {
  const { good, bad } = rule.examples;
  const place = (sort: string, index: number) => placeInRule(rule, ["spec", "examples", sort, index]);
  const wrong = (sort: "good" | "bad", isRight: (found: readonly Violation[]) => boolean) =>
    (sort === "good" ? good : bad).flatMap((example, index): Finding[] => {
      const found = judge(example);
      if (found === undefined) return [tooMuch(rule)];
      if (isRight(found)) return [];
      const [first] = found;
      const message =
        sort === "bad"
          ? say`the rule ${{ name: rule.name }} is satisfied by its bad example`
          : say`the rule ${{ name: rule.name }} is not satisfied by its good example: ${first?.found ?? ""}`;
      return [error("rule-example", place(sort, index), message, "correct the rule or the example")];
    });
  return [...wrong("good", (found) => found.length === 0), ...wrong("bad", (found) => found.length > 0)];
}

function explainPattern(rule: OwnRule, { pattern, reason }: PatternProblem): Finding {
  const message = say`the pattern ${{ found: pattern }} cannot be used: ${bare({ reason })}`;
  const hint = "patterns are those of RE2, which never take long: without look-around and back-references";
  return error("rule-invalid", placeInRule(rule, ["spec", rule.subject]), message, hint);
}
