import { explainedDiagnostics, explainedNotes, type ExplainedCode } from "../../generated/explanations.js";
import { didYouMean } from "../finding/nearest.js";
import { quote } from "../finding/quotation.js";
import { kinds } from "../kind/kinds.js";
import type { FieldQuestion, UnknownField } from "./explained-field.js";

/** The word for the document that is no resource. */
export const manifestWord = "manifest";

/** The word for a rule, which is no resource either. */
export const ruleWord = "rule";

/** What a word of a person asks about. */
export type Question =
  | { readonly ok: true; readonly code: ExplainedCode }
  | { readonly ok: true; readonly code?: undefined; readonly field: FieldQuestion }
  | UnknownField;

const codes = [...explainedDiagnostics, ...explainedNotes];

/** Reads a word: a code, or a kind with a path of keys, in which brackets of lists do not count. */
export function parseQuestion(word: string): Question {
  const code = codes.find((each) => each.code === word.toLowerCase());
  if (code) return { ok: true, code };
  const [first = "", ...path] = word
    .replaceAll(/\[\d*\]/g, "")
    .split(".")
    .filter((key) => key !== "");
  const subject = subjects.get(first.toLowerCase());
  if (subject) return { ok: true, field: { ...subject, path } };
  const fields = fieldsNamed(first === "spec" ? path[0] : first);
  return unknownWord(first === "" ? word : first, fields);
}

// A person may leave out the kind.
function fieldsNamed(key = ""): string[] {
  return Object.values(kinds).flatMap(({ name, fields }) =>
    Object.hasOwn(fields.fields.spec.fields, key) ? `${name}.${key}` : [],
  );
}

// A person may remember only the end of a code.
function unknownWord(word: string, fields: readonly string[]): UnknownField {
  const names = codes.map(({ code }) => code);
  const longer = names.find((name) => name.endsWith(`-${word.toLowerCase()}`));
  const meant = fields.length > 0 || longer === undefined ? fields : [longer];
  const hint =
    meant.length > 0
      ? `did you mean ${meant.map(quote).join(" or ")}?`
      : didYouMean(word.toLowerCase(), [...subjects.keys(), ...names])?.text;
  const message = `there is no code and no kind ${quote(word)}`;
  return { ok: false, message, hint: hint ?? "`agentform explain` lists what can be asked" };
}

type QuestionSubject = Omit<FieldQuestion, "path">;

const aboutManifest: QuestionSubject = { word: manifestWord, kind: undefined };

// A kind is known by its name, by that of its folder, and as documents write it.
const subjects: ReadonlyMap<string, QuestionSubject> = new Map<string, QuestionSubject>([
  ...Object.values(kinds).flatMap((kind) =>
    [kind.name, kind.folder, kind.document.toLowerCase()].map((word): [string, QuestionSubject] => [
      word,
      { word: kind.name, kind },
    ]),
  ),
  [manifestWord, aboutManifest],
  ["workspace", aboutManifest],
  [ruleWord, { word: ruleWord, kind: undefined }],
]);
