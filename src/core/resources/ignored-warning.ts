import { codes, warningCodes } from "../../generated/codes.js";
import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { didYouMean } from "../finding/nearest.js";
import type { RuleTexts } from "../rules/rule-texts.js";
import type { Path } from "../../json/path.js";

const known: ReadonlySet<string> = new Set(codes);
const ignorable: ReadonlySet<string> = new Set(warningCodes);
const listed = say`these can be ignored: ${bare({ expected: [...warningCodes] })}`;

/** Reports the codes of `spec.ignore` that are not codes of warnings. */
export function checkIgnored(ignore: readonly string[], place: (path: Path) => Place): Finding[] {
  return ignore.flatMap((code, index) => {
    if (ignorable.has(code)) return [];
    const at = place(["spec", "ignore", index]);
    if (known.has(code)) {
      const message = say`${{ code }} is not the code of a warning, and only warnings can be ignored`;
      return [error("document-invalid", at, message, listed)];
    }
    const message = say`${{ code }} is not the code of a diagnostic`;
    return [error("document-invalid", at, message, didYouMean(code, known) ?? listed)];
  });
}

/** Gives the codes that are ignored: a change takes no warning from its own plan, so those that a commit before it had, too. */
export function ignoredCodes(own: readonly string[], rules: readonly RuleTexts[] = []): readonly string[] {
  const before = rules.flatMap(({ ignore }) => (ignore ? [ignore] : []));
  return before.length === 0 ? own : own.filter((code) => before.some((each) => each.includes(code)));
}

/** Splits findings into those that are shown and the codes of the warnings that the manifest ignores. */
export function withoutIgnored(
  findings: readonly Finding[],
  ignore: readonly string[],
): { readonly shown: readonly Finding[]; readonly ignored: readonly Finding["code"][] } {
  const isIgnored = ({ severity, code }: Finding) => severity !== "error" && ignore.includes(code);
  if (!findings.some(isIgnored)) return { shown: findings, ignored: [] };
  return {
    shown: findings.filter((finding) => !isIgnored(finding)),
    ignored: findings.filter(isIgnored).map(({ code }) => code),
  };
}
