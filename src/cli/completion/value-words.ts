import { manifestWord } from "../../core/explain/question.js";
import { effects } from "../../core/guardrails/rule.js";
import { kindNames } from "../../core/kind/kinds.js";
import { topics } from "../help/topics.js";
import { explainedDiagnostics, explainedNotes } from "../../generated/explanations.js";
import type { WordSource, ValueWords } from "./command-words.js";

const asked = [...explainedDiagnostics, ...explainedNotes].map(({ code }) => code);

// What these stand for, nobody but the user knows.
const unknown = [
  "digest",
  "gitref",
  "id",
  "key",
  "line",
  "n",
  "nonce",
  "operation=id",
  "serial",
  "store",
  "time",
];

// What the placeholders in the definitions of the commands stand for, such as `<addr>` in `--target <addr>`.
const placeholders = new Map<string, ValueWords>([
  ...unknown.map((each): [string, ValueWords] => [each, { words: [] }]),
  ["addr", from("address")],
  ["addr|all", from("address", ["all"])],
  ["base", from("file")],
  ["dir", from("folder")],
  ["effects", from("list", effects)],
  ["environment", from("environment", ["default"])],
  ["file", from("file")],
  ["ids", from("retired")],
  ["key=value", from("label")],
  ["name", from("environment")],
  ["name=value", from("variable")],
  ["objects", { words: [...kindNames] }],
  ["ours", from("file")],
  ["path", from("file")],
  ["theirs", from("file")],
  ["word", { words: [...asked, ...kindNames, manifestWord] }],
  [
    "words",
    from(
      "command",
      topics.map(({ name }) => name),
    ),
  ],
]);

/** Gives what a placeholder stands for; throws where that is not said. */
export function valueOf(placeholder: string, choices: readonly string[] | undefined): ValueWords {
  const value = choices ? { words: [...choices] } : placeholders.get(placeholder);
  if (!value) throw new Error(`say in value-words.ts what <${placeholder}> stands for`);
  return value;
}

function from(source: WordSource, words: readonly string[] = []): ValueWords {
  return { source, words: [...words] };
}
