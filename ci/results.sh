# Where the scripts keep their results, and how they write them:
#
#   AGENTFORM_PLAN           the file of the saved plan; a file in the job's own temporary folder unless given
#
# The results of one script for the next are in files beside the plan.

set -eu

fail() {
  echo "error: $2" >&2
  exit "$1"
}

root=$(pwd -P)

# Gives the real path of a folder below the root. A commit may replace any part of the path by a link.
real_folder() {
  real=$(cd -P -- "$1" 2>/dev/null && pwd -P) || fail 1 "there is no folder $1"
  named=$(cd -P -- "$root" && cd -L -- "$1" && pwd -L)
  case $named in
    "$root" | "$root"/*) [ "$named" = "$real" ] || fail 1 "the path $1 contains a symbolic link" ;;
  esac
  printf '%s\n' "$real"
}

# Writes its input to a new file, never through a link that is in its place.
put() {
  real_folder "$(dirname -- "$1")" >/dev/null
  rm -f -- "$1"
  (set -C && cat >"$1")
}

# Not in the checkout, where a commit may have put something in the place of any file.
if [ -z "${AGENTFORM_PLAN:-}" ]; then
  if [ -n "${RUNNER_TEMP:-}" ]; then
    results=$RUNNER_TEMP
  elif [ -n "${CI_JOB_ID:-}" ] && [ -n "${CI_PROJECT_DIR:-}" ]; then
    # GitLab's own place for files that are not part of the project.
    results=$CI_PROJECT_DIR.tmp/agentform-$CI_JOB_ID
    mkdir -p -m 700 -- "$results" 2>/dev/null || results=$(mktemp -d)
  else
    results=$(mktemp -d)
  fi
  export AGENTFORM_PLAN="$results/agentform-plan.json"
fi
plan=$AGENTFORM_PLAN
real_folder "$(dirname -- "$plan")" >/dev/null
digest_file=$plan.digest
outdated_file=$plan.outdated
began_file=$plan.began
base_file=$plan.base
locks_file=$plan.locks
rules_file=$plan.rules
applied_file=$plan.applied
marks_file=$plan.marks
# The warnings that the job's log has, so that its other commands do not print them again.
export AGENTFORM_TOLD="$plan.told"
