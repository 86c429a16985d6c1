import type { PlanRequest } from "../../sync/request.js";
import { readBaseFrom, readCommittedState } from "../../store/git-history.js";
import { formerFolders } from "../../workspace/former-folders.js";

/** Gives the readers of the states that a commit has of a workspace; they throw GitError if git does not know the commit. */
export function baseStates(
  directory: string,
  ref: string,
): Required<Pick<PlanRequest, "readMarks" | "readBase">> {
  return {
    readMarks: (settings) => readCommittedState(directory, ref, settings, formerFolders),
    readBase: (settings) => readBaseFrom(directory, ref, settings, formerFolders),
  };
}
