#!/bin/sh
# Plans what a merge would apply. It needs no secret, and uses the network only to fetch.
#
#   AGENTFORM_BASE           the commit that the change is merged into; "HEAD^1" unless given
#   AGENTFORM_TARGET_BRANCH  instead of it, a branch to merge here first, where the CI has not done so

. "$(dirname "$0")/settings.sh"

base=${AGENTFORM_BASE:-HEAD^1}
if [ -n "${AGENTFORM_TARGET_BRANCH:-}" ]; then
  git fetch --quiet origin "refs/heads/$AGENTFORM_TARGET_BRANCH"
  base=$(git rev-parse FETCH_HEAD)
  git -c user.name=agentform -c user.email=agentform@localhost merge --quiet --no-edit "$base" ||
    fail 1 "$AGENTFORM_TARGET_BRANCH cannot be merged here: rebase, and the plan is made again"
fi

form=text
if [ -n "${GITHUB_ACTIONS:-}" ]; then form=github; fi
run validate --format "$form"

if [ "$store" = git ]; then
  fetch_refs
  run plan --out "$plan"
else
  # The lock of the branch, and never one that came with the change.
  run plan --out "$plan" --lock-from "$base"
fi

if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  agentform show "$plan" --format markdown >>"$GITHUB_STEP_SUMMARY"
fi
