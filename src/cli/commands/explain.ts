import { explainField, type FieldQuestion } from "../../core/explain/explained-field.js";
import { manifestWord, parseQuestion, ruleWord } from "../../core/explain/question.js";
import { kinds } from "../../core/kind/kinds.js";
import { descriptionIn, loadSchema } from "../../core/schema/schema-parts.js";
import type { ExplainAnswer } from "../../generated/explain.js";
import {
  exampleWorkspace,
  explainedDiagnostics,
  explainedNotes,
  type ExplainedCode,
} from "../../generated/explanations.js";
import { safeLine } from "../../render/words/terminal-text.js";
import type { CommonOptions, RunnableCommand } from "../command.js";
import { readWorkspaceOptions, type WorkspaceRequest } from "../options/workspace-options.js";
import { exitCode, UsageError } from "../exit-code.js";
import { addResultFormat, printResult, type ResultFlags } from "../output/result.js";
import { wantsColor } from "../terminal/terminal.js";

const widest = 100;
const exampleWord = "example";

export const explain: RunnableCommand = {
  about:
    "Says what the code of a diagnostic or of a plan's note means and what to do, with an example and its correction; or what a field of a document or of agentform.yaml means, and what a change of it does.",
  examples: [
    ["agentform explain reference-unknown", "what a code means"],
    ["agentform explain agent.spec.tools", "a field of a document"],
    ["agentform explain manifest.lock", "a field of agentform.yaml"],
  ],
  documents: ["reference/diagnostics.md", "reference/documents.md"],
  options(command) {
    command.argument(
      "[word]",
      "a code, the name of a rule, a kind, or a field such as agent.spec.tools; lists what can be asked if left out",
    );
    addResultFormat(command);
  },
  async run([word], flags: CommonOptions & ResultFlags, terminal) {
    const { color, format } = flags;
    const width = Math.min(terminal.columns ?? widest, widest);
    const options = { color: wantsColor(color, terminal), width };
    const answer = await answerTo(word, () => readWorkspaceOptions(flags, terminal));
    const { renderExplained } = await import("../../render/results/explained.js");
    const forms = { text: () => renderExplained(answer, options), json: () => answer };
    await printResult(forms, { format }, terminal);
    return exitCode.fine;
  },
};

async function answerTo(word: string | undefined, workspace: () => WorkspaceRequest): Promise<ExplainAnswer> {
  const format = "agentform/explain/v1";
  if (word === undefined) return { format, type: "words", words: await allWords() };
  if (word === exampleWord) return { format, type: "example", example: [...exampleWorkspace] };
  const question = parseQuestion(word);
  if (!question.ok) {
    const rule = await ruleNamed(word, workspace());
    if (rule) return { format, type: "rule", code: rule };
    throw notKnown(question);
  }
  if (question.code) return { format, type: "code", code: question.code };
  const explained = explainField(question.field, await loadSchema(schemaOf(question.field)));
  if (!explained.ok) throw notKnown(explained);
  return { format, type: "field", field: explained.field };
}

function notKnown({ message, hint }: { readonly message: string; readonly hint: string }): UsageError {
  return new UsageError(safeLine(`${message}; ${hint}`));
}

function schemaOf({ word, kind }: Pick<FieldQuestion, "word" | "kind">) {
  return kind?.name ?? (word === ruleWord ? "rule" : "workspace");
}

// A rule is looked for only where nothing built-in has the name.
async function ruleNamed(name: string, request: WorkspaceRequest) {
  const [{ findRule }, { explainRule }] = await Promise.all([
    import("../../sync/find-rule.js"),
    import("../../core/explain/explained-rule.js"),
  ]);
  const rule = findRule(name, request);
  return rule && explainRule(rule);
}

async function allWords(): Promise<NonNullable<ExplainAnswer["words"]>> {
  const subjects = [
    [manifestWord, undefined],
    [ruleWord, undefined],
    ...Object.values(kinds).map((kind) => [kind.name, kind] as const),
  ] as const;
  const described = subjects.map(async ([word, kind]) => ({
    word,
    about: descriptionIn([await loadSchema(schemaOf({ word, kind }))]) ?? "",
    group: "Kinds, and their fields such as agent.spec.tools",
  }));
  const ofCode = (group: string) => (each: ExplainedCode) => {
    return { word: each.code, about: each.meaning, group };
  };
  return [
    ...(await Promise.all(described)),
    ...explainedDiagnostics.map(ofCode("Codes of diagnostics")),
    ...explainedNotes.map(ofCode("Codes of the notes of a plan")),
    { word: exampleWord, about: "All of its files.", group: "The workspace of the examples" },
  ];
}
