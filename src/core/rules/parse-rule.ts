import { codes, noteCodes } from "../../generated/codes.js";
import { fields } from "../../generated/fields.js";
import type { RuleDocument } from "../../generated/rule.js";
import { validate } from "../../generated/validate-rule.js";
import type { Document } from "../document/document.js";
import type { Includes } from "../expression/included-data.js";
import { error, hasErrors, type Finding } from "../finding/diagnostic.js";
import { say } from "../finding/said.js";
import { isObject, type Json } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { kinds } from "../kind/kinds.js";
import { checkDocument } from "../schema/document-check.js";
import { allWritten } from "../schema/field-check.js";
import { placeInRule, type OwnRule, type RuleOrigin, type RuleSubject } from "./own-rule.js";
import { linkSchema } from "./schema-targets.js";

/** Whether a document is a rule, which is no resource. */
export function isRule({ value }: Document): boolean {
  return isObject(value) && value.kind === ruleKind;
}

/** How a document says that it is a rule. */
export const ruleKind = "Rule";

/** Reads and checks a rule, none if there are errors, and gives the files that it refers to. */
export function parseRule(
  document: Document,
  includes: Includes,
  origin: RuleOrigin,
): { readonly rule?: OwnRule; readonly findings: readonly Finding[]; readonly files: readonly string[] } {
  const { file, index, value } = document;
  const place = (path: Path) => placeInRule({ file, index }, path);
  const rules = { place, unknownInSpec: "error", extra: [], ...allWritten } as const;
  const findings = checkDocument(value, validate, fields.rule, rules);
  if (hasErrors(findings)) return { findings, files: [] };
  const { metadata, spec } = value as unknown as RuleDocument;
  findings.push(...reserved(metadata.name, place), ...withoutSubject(spec, place));
  if (hasErrors(findings)) return { findings, files: [] };
  const subject: RuleSubject = spec.document === undefined ? "change" : "document";
  const at = (path: Path) => place(["spec", subject, ...path]);
  const linked = linkSchema(spec[subject] as Json, { file, place: at }, includes);
  findings.push(...linked.findings);
  const { files, schema, targets } = linked;
  if (hasErrors(findings)) return { findings, files };
  const { kind: written, selector = {}, environments = [] } = spec.for ?? {};
  const kind = Object.values(kinds).find((each) => each.document === written)?.name;
  const { good = [], bad = [] } = spec.examples ?? {};
  const rule: OwnRule = {
    name: metadata.name,
    origin,
    file,
    index,
    effect: spec.effect,
    message: spec.message,
    scope: { ...(kind && { kind }), selector, environments },
    subject,
    schema,
    targets,
    examples: { good, bad },
  };
  return { rule, findings, files };
}

const builtIn: ReadonlySet<string> = new Set([...codes, ...noteCodes]);

function reserved(name: string, place: (path: Path) => ReturnType<typeof placeInRule>): Finding[] {
  if (!builtIn.has(name)) return [];
  const message = say`${{ name }} is the code of a built-in diagnostic or note`;
  const hint =
    "give the rule a name of its own; the effect of a built-in note is set in `spec.notes` of agentform.yaml";
  return [error("rule-invalid", place(["metadata", "name"]), message, hint)];
}

function withoutSubject(
  spec: RuleDocument["spec"],
  place: (path: Path) => ReturnType<typeof placeInRule>,
): Finding[] {
  const given = (["document", "change"] as const).filter((key) => spec[key] !== undefined);
  if (given.length === 1) return [];
  const message = "a rule has either `document` or `change`";
  const hint =
    given.length === 0
      ? "add `document:` with what a document must satisfy, or `change:` with what an action of a plan must"
      : "make two rules of it";
  return [error("rule-invalid", place(["spec", ...given.slice(1)]), message, hint)];
}
