#!/bin/sh
# Plans what a merge would apply. It needs no secret but the right to read the state, and uses the network only to
# fetch the branch and to read the state.
#
#   AGENTFORM_BASE           the commit into which the change is merged; "HEAD^1" unless given
#   AGENTFORM_TARGET_BRANCH  instead, a branch to merge here first, if the CI has not done so
#   AGENTFORM_DEFAULT_BRANCH if given, must be the branch from which changes are applied: it may have been renamed
#   AGENTFORM_ARTIFACT       a file of the checkout that gets a copy of the plan, for a CI that keeps only such files

here=$(dirname "$0")
. "$here/settings.sh"

[ "${AGENTFORM_DEFAULT_BRANCH:-$branch}" = "$branch" ] ||
  fail 1 "the default branch is $AGENTFORM_DEFAULT_BRANCH, but the jobs in .github/workflows apply from $branch: write the new name into them, or remove AGENTFORM_DEFAULT_BRANCH there if both are meant"

base=${AGENTFORM_BASE:-HEAD^1}
if [ -n "${AGENTFORM_TARGET_BRANCH:-}" ]; then
  base=$(fetch_branch "$AGENTFORM_TARGET_BRANCH")
  if ! merged=$(git merge --quiet --no-edit "$base"); then
    printf '%s\n' "$merged" | as_text >&2
    [ "$(git rev-parse --is-shallow-repository)" = false ] ||
      fail 1 "$AGENTFORM_TARGET_BRANCH cannot be merged into this change, of which the clone has the newest commits alone: let the job fetch all of its history"
    fail 1 "$AGENTFORM_TARGET_BRANCH cannot be merged into this change: rebase it, then the plan is made again"
  fi
  # The merge may have put a link on the path to the file.
  prefixes >/dev/null
fi

rm -f -- "$AGENTFORM_TOLD"
form=text
if [ -n "${GITHUB_ACTIONS:-}" ]; then form=github; fi

# What the change does to rules counts from the next change on.
git rev-parse --quiet --verify "$base^{commit}" >/dev/null ||
  git fetch --quiet --no-tags --no-filter --depth=1 origin "$base" ||
  fail 1 "the commit before the change, $base, is not in this clone: fetch it, for the rules of it hold"
run validate --format "$form" --rules-from "$base"

fetch_refs
if [ "$stores" = file ]; then
  # The lock of the branch, never one that came with the change.
  run plan --out "$plan" --rules-from "$base" --lock-from "$base"
else
  run plan --out "$plan" --rules-from "$base"
fi

if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  agentform show "$plan" --format markdown >>"$GITHUB_STEP_SUMMARY"
fi
if [ -n "${AGENTFORM_ARTIFACT:-}" ]; then put "$AGENTFORM_ARTIFACT" <"$plan"; fi
