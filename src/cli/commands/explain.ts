import { explainField } from "../../core/explain/explained-field.js";
import { manifestWord, parseQuestion, type Question } from "../../core/explain/question.js";
import type { Kind } from "../../core/kind/kind.js";
import { kinds } from "../../core/kind/kinds.js";
import { descriptionIn, loadSchema } from "../../core/schema/schema-parts.js";
import { exampleWorkspace, explainedDiagnostics, explainedNotes } from "../../generated/explanations.js";
import type { JsonObject } from "../../json/json.js";
import { renderCodeText } from "../../render/explain/code-text.js";
import { renderFieldText } from "../../render/explain/field-text.js";
import { renderWordList } from "../../render/explain/word-list.js";
import { safeLine } from "../../render/words/terminal-text.js";
import { defineCommand } from "../command.js";
import { exitCode, UsageError } from "../exit-code.js";
import { wantsColor } from "../terminal/terminal.js";

interface Request {
  /** What is asked; all words are listed if it is undefined. */
  readonly question: Question | "example" | undefined;
  readonly color: boolean;
  readonly width: number;
}

const widest = 100;
const exampleWord = "example";

export const explain = defineCommand<Request>({
  about:
    "Says what the code of a diagnostic or of a plan's note means and what to do, with an example and its correction; or what a field of a document or of agentform.yaml means, and what a change of it does.",
  examples: [
    ["agentform explain reference-unknown", "what a code means"],
    ["agentform explain agent.spec.tools", "a field of a document"],
    ["agentform explain manifest.lock", "a field of agentform.yaml"],
  ],
  documents: ["diagnostics.md", "documents.md"],
  options(command) {
    command.argument(
      "[word]",
      "a code, a kind, or a field such as agent.spec.tools; lists all words if left out",
    );
  },
  build([word], { color }, terminal) {
    const question =
      word === undefined ? undefined : word === exampleWord ? exampleWord : parseQuestion(word);
    if (question !== undefined && question !== exampleWord && "unknown" in question) {
      throw new UsageError(safeLine(`${question.unknown.message}; ${question.unknown.hint}`));
    }
    return {
      question,
      color: wantsColor(color as boolean | undefined, terminal),
      width: Math.min(terminal.columns ?? widest, widest),
    };
  },
  async run({ question, ...options }, terminal) {
    if (question === undefined) terminal.out(renderWordList(await wordGroups(), options.width));
    else if (question === exampleWord) terminal.out(`${exampleWorkspace.join("\n")}\n`);
    else if ("code" in question) terminal.out(renderCodeText(question.code, options));
    else if ("field" in question) {
      const field = explainField(question.field, await schemaOf(question.field.kind));
      if ("message" in field) throw new UsageError(safeLine(`${field.message}; ${field.hint}`));
      terminal.out(renderFieldText(field, options));
    }
    return exitCode.fine;
  },
});

function schemaOf(kind: Kind | undefined): Promise<JsonObject> {
  return loadSchema(kind?.name ?? "workspace");
}

async function wordGroups() {
  const subjects = [
    [manifestWord, undefined],
    ...Object.values(kinds).map((kind) => [kind.name, kind] as const),
  ] as const;
  const described = subjects.map(async ([word, kind]) => {
    return [word, descriptionIn([await schemaOf(kind)]) ?? ""] as const;
  });
  const rowOf = ({ code, meaning }: { code: string; meaning: string }) => [code, meaning] as const;
  return [
    { title: "Kinds, and their fields such as agent.spec.tools", rows: await Promise.all(described) },
    { title: "Codes of diagnostics", rows: explainedDiagnostics.map(rowOf) },
    { title: "Codes of the notes of a plan", rows: explainedNotes.map(rowOf) },
    { title: "The workspace of the examples", rows: [[exampleWord, "All of its files."] as const] },
  ];
}
