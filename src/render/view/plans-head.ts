import { hasChanges, recordedSettings } from "../../core/plan/plan-summary.js";
import { isQuiet, type LeftOutWorkspace, type Plans } from "../../core/review/plans.js";
import { firstOf } from "../../core/finding/quotation.js";
import { countText } from "../words/count-text.js";
import { cutText } from "../words/cut-text.js";
import { asSentence } from "../words/review-words.js";
import { countsOf, gravePartsOfAll, settingsCount } from "./plan-head.js";

/** Says what must be known of the plans of several workspaces, and how much they do together, in a sentence each. */
export function sumSentences(plans: Plans, say = (text: string) => text): string[] {
  return [gravePartsOfAll(plans.plans), sumParts(plans)]
    .filter((parts) => parts.length > 0)
    .map((parts) => asSentence(parts.map(say).join(", ")));
}

function sumParts({ plans, summary }: Plans): string[] {
  if (plans.every(({ plan }) => !hasChanges(plan))) {
    const { unchanged } = summary;
    return ["no changes", `${countText(unchanged, "resource is", "resources are")} as last applied`];
  }
  const settings = plans.reduce((sum, { plan }) => sum + recordedSettings(plan), 0);
  return [...settingsCount(settings), ...countsOf(summary, "changed in the service")];
}

/** Says what of the plans of several workspaces is not shown: those without a change, and those that are left out. */
export function quietTexts({ plans, leftOut, environment }: Plans): string[] {
  const quiet = plans.filter(isQuiet).map(({ folder }) => folder);
  const without: Record<LeftOutWorkspace["why"], string> = {
    environment: `without environment ${environment ?? "default"}`,
    selector: "without a resource that has the labels",
    untouched: "in which nothing has changed since the commit, nor in what they use",
    removed: "removed since the commit, so that nothing manages their objects, which stay in the service",
  };
  const left = Object.entries(without).flatMap(([why, words]) => {
    const folders = leftOut.filter((each) => each.why === why).map(({ folder }) => folder);
    return folders.length > 0 ? [`Left out, ${words}: ${namesOf(folders)}.`] : [];
  });
  const mapped = leftOut.flatMap(({ folder, environment: there }) =>
    there === undefined ? [] : [inEnvironment(cutText(folder, longestFolder), there)],
  );
  left.push(...mapped.slice(0, mostFolders));
  return [...(quiet.length > 0 ? [`No changes in ${namesOf(quiet)}.`] : []), ...left];
}

const mostFolders = 50;
const longestFolder = 100;

function namesOf(folders: readonly string[]): string {
  return firstOf(
    folders.map((folder) => cutText(folder, longestFolder)),
    mostFolders,
  );
}

function inEnvironment(folder: string, name: string): string {
  return `The others use ${folder} in its environment ${name}: apply that first, with -e ${name}.`;
}
