#!/bin/sh
# Plans what a merge would apply. It needs no secret, and uses the network only to fetch.
#
#   AGENTFORM_BASE           the commit that the change is merged into; "HEAD^1" unless given
#   AGENTFORM_TARGET_BRANCH  instead of it, a branch to merge here first, where the CI has not done so
#   AGENTFORM_ARTIFACT       a file of the checkout that gets a copy of the plan, for a CI that keeps no others

here=$(dirname "$0")
. "$here/settings.sh"

base=${AGENTFORM_BASE:-HEAD^1}
if [ -n "${AGENTFORM_TARGET_BRANCH:-}" ]; then
  base=$(fetch_branch "$AGENTFORM_TARGET_BRANCH")
  if ! merged=$(git merge --quiet --no-edit "$base"); then
    printf '%s\n' "$merged" | as_text >&2
    fail 1 "$AGENTFORM_TARGET_BRANCH cannot be merged here: rebase, and the plan is made again"
  fi
  # It may have put a link on the way to it.
  real_folder "$folder" >/dev/null
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

check_store

if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  agentform show "$plan" --format markdown >>"$GITHUB_STEP_SUMMARY"
fi
if [ -n "${AGENTFORM_ARTIFACT:-}" ]; then put "$AGENTFORM_ARTIFACT" <"$plan"; fi
