import type { Plan } from "../../generated/plan.js";
import type { Plans } from "../../core/review/plans.js";
import { compareText } from "../../json/compare-text.js";
import { contentDigest } from "../../digest.js";
import { headOf } from "../words/cut-text.js";
import { safeLine } from "../words/terminal-text.js";

/** Gives the hidden line that finds a plan's comment again, such as `<!-- agentform: support-desk production -->`. */
export function markerOf(saved: Pick<Plan, "workspace" | "environment"> | Plans): string {
  const [all, names] = "plans" in saved ? [" all", namesOf(saved)] : ["", [saved.workspace]];
  const whole = saved.environment === null ? names : [...names, saved.environment];
  return `<!-- agentform${all}: ${whole.map(escapeName).join(" ")} -->`;
}

// For whoever reads it; the digest tells it from others.
const longestFolder = 100;

// One that was removed is no part of it any more: which are named depends on the commit before.
function namesOf({ plans, leftOut }: Plans): string[] {
  const left = leftOut.filter(({ why }) => why !== "removed");
  const folders = [...plans, ...left].map(({ folder }) => folder).toSorted(compareText);
  const [first = "."] = folders;
  return [headOf(first, longestFolder), contentDigest(JSON.stringify(folders))];
}

/** Gives the hidden line before the marker, with the branch that a merge would change: `<!-- agentform into: main -->`. */
export function targetMark(branch: string): string {
  return `<!-- agentform into: ${escapeName(branch)} -->`;
}

// A comment of HTML ends at `-->` and holds no `--`.
function escapeName(name: string): string {
  return encodeURIComponent(safeLine(name)).replaceAll("--", "-%2D").replace(/-$/, "%2D");
}
