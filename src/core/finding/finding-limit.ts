import { bare, say } from "./said.js";
import { groupBy } from "../../json/groups.js";
import { error, type Finding } from "./diagnostic.js";

const mostOfFile = 1000;

/** Keeps only the first 1,000 problems of each file, errors before others, and says how many were left out. */
export function limitFindings(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= mostOfFile) return findings;
  const byFile = groupBy(findings, ({ place }) => place?.file);
  return [...byFile].flatMap(([, found]) => (found.length <= mostOfFile ? found : limitOne(found)));
}

function limitOne(findings: readonly Finding[]): readonly Finding[] {
  const isError = ({ severity }: Finding) => severity === "error";
  const kept = [...findings.filter(isError), ...findings.filter((each) => !isError(each))];
  const left = kept.splice(mostOfFile);
  const count = left.length;
  const message = say`${bare({ count }, count.toLocaleString("en-US"))} more problems like these are not listed`;
  const hint = "correct the listed problems, then run this again";
  // The place of the first one, as a starting point.
  const more = error("too-many-findings", left[0]?.place, message, hint);
  return [...kept, left.some(isError) ? more : { ...more, severity: "warning" }];
}
