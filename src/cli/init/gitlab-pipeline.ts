import { valueAt } from "../../json/path.js";
import { isLike } from "./code-owners.js";
import { parseJobs } from "./job-facts.js";
import { mergeJobs } from "./merge-jobs.js";

/** The pipeline of a project, as far as it has to change. */
export interface ChangedPipeline {
  /** Undefined if the file stays as it is. */
  readonly text?: string;
  readonly changes: readonly string[];
  /** What a person has to add to it, one line each. */
  readonly left: readonly string[];
  /** The files and folders outside of `.gitlab/` that it includes, which can change the jobs as well. */
  readonly others: readonly string[];
}

/** Gives the pipeline that includes files with jobs. One that includes none of them yet is a person's, and stays. */
export function pipelineWith(present: string | undefined, files: readonly string[]): ChangedPipeline {
  if (present === undefined) return { text: gitlabPipeline(files), changes: [], left: [], others: [] };
  const included = files.filter((file) => isIncluded(present, file));
  const merged = mergeJobs(present, gitlabPipeline(included), gitlabPipeline(files));
  const isOurs = included.length > 0 && merged !== undefined && merged.changes.length > 0;
  const text = isOurs ? merged.text : present;
  const left = files
    .filter((file) => !isIncluded(text, file))
    .map((file) => `\`.gitlab-ci.yml\` exists already; add \`local: ${file}\` to its \`include\`.`);
  const others = [...new Set(localsIn(text).flatMap(outsideOf))];
  return { ...(isOurs && { text }), changes: isOurs ? merged.changes : [], left, others };
}

function isIncluded(text: string, file: string): boolean {
  const isSame = (one: string, other: string) => one === other;
  return localsIn(text).some((local) => isLike([...local.replace(/^\//, "")], [...file], "*", isSame));
}

// Of names that only a pattern or a variable tells, the folder.
function outsideOf(local: string): string[] {
  const path = local.replace(/^\/+/, "");
  const named = /[*$]/.test(path) ? (/^[^*$]*\//.exec(path)?.[0] ?? "") : path;
  return named === "" || named.startsWith(".gitlab/") || /^https?:/.test(named) ? [] : [named];
}

function localsIn(text: string): string[] {
  const included = [valueAt(parseJobs(text), ["include"]) ?? []].flat();
  return included
    .flatMap((each) => (typeof each === "string" ? each : (valueAt(each, ["local"]) ?? [])))
    .map(String);
}

function gitlabPipeline(files: readonly string[]): string {
  return `include:\n${files.map((file) => `  - local: ${file}\n`).join("")}`;
}
