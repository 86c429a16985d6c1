/** What to do where others change a state all the time. */
export const busyHint = "look at which jobs use this state at the same time, and run the command again";

/** What to do where git could not be run. */
export const gitHint = "`git status` in the workspace shows what git meets";

/** What to do where git lacks objects. */
export const gitObjectsHint =
  "fetch them: `git fetch --refetch --no-filter`, and for states on refs `git fetch --refetch --no-filter origin '+refs/agentform/*:refs/agentform/*'`; take a lock out of Git LFS: `git lfs untrack`";
