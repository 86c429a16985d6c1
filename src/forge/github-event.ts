import { parseJson } from "../json/parse-json.js";
import { valueAt } from "../json/path.js";

/** The reference of a GitHub Actions event to its pull request. */
export type GithubEvent =
  /** A pull request, and the head that the run has planned where it was open. */
  | { readonly kind: "number"; readonly number: number; readonly target?: string; readonly planned?: string }
  /** The head of a pull request, `OWNER:BRANCH` and its commit, as the run that planned it had it, and when that began. */
  | { readonly kind: "head"; readonly head: string; readonly sha: string; readonly begun: string }
  /** A commit on a branch, which a merge may have made. */
  | { readonly kind: "commit"; readonly sha: string; readonly branch?: string };

/** Parses the file of GITHUB_EVENT_PATH; `commit` is GITHUB_SHA. Undefined if nothing leads to a pull request. */
export function parseGithubEvent(text: string, commit: string | undefined): GithubEvent | undefined {
  const event = parseJson(text).value;
  const number = valueAt(event, ["pull_request", "number"]) ?? valueAt(event, ["issue", "number"]);
  if (typeof number === "number") {
    const target = valueAt(event, ["pull_request", "base", "ref"]);
    const head = valueAt(event, ["pull_request", "head", "sha"]);
    const isPlanned = typeof head === "string" && valueAt(event, ["pull_request", "state"]) === "open";
    return {
      kind: "number",
      number,
      ...(typeof target === "string" && { target }),
      ...(isPlanned && { planned: head }),
    };
  }
  const run = valueAt(event, ["workflow_run"]);
  if (run !== undefined) {
    const owner = valueAt(run, ["head_repository", "owner", "login"]);
    const [branch, sha] = [valueAt(run, ["head_branch"]), valueAt(run, ["head_sha"])];
    const begun = valueAt(run, ["created_at"]);
    if (typeof owner !== "string" || typeof branch !== "string" || typeof sha !== "string") return undefined;
    if (typeof begun !== "string") return undefined;
    return { kind: "head", head: `${owner}:${branch}`, sha, begun };
  }
  if (commit === undefined || commit === "") return undefined;
  const ref = valueAt(event, ["ref"]);
  const branch = typeof ref === "string" ? /^refs\/heads\/(.+)$/.exec(ref)?.[1] : undefined;
  return { kind: "commit", sha: commit, ...(branch !== undefined && { branch }) };
}
