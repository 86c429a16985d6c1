import { otherTools } from "../../generated/other-tools.js";

const answers: ReadonlyMap<string, string> = new Map(
  otherTools.flatMap(([words, answer]) => words.map((each) => [each, answer])),
);

/** Gives what to type here in the place of another tool's command or option; the longest known words count. */
export function answerOtherTool([first = "", second = ""]: readonly string[]): string | undefined {
  if (!first.startsWith("-")) return answers.get(`${first} ${second}`) ?? answers.get(first);
  // Terraform writes its long options with one dash; what comes after `=` is a value.
  const name = first.replace(/=[^]*$/, "");
  return answers.get(name) ?? answers.get(name.replace(/^-(?!-)/, "--"));
}
