#!/bin/sh
# Applies the plan that was reviewed, and refuses any other (exit code 4). Only this script needs the service's secrets.

here=$(dirname "$0")
. "$here/settings.sh"

[ -f "$digest_file" ] || fail 64 "there is no digest of reviewed.sh beside $plan: set the same AGENTFORM_PLAN for both scripts"
# A state that no branch takes is lost with this machine. A dry run asks for the right to push, and writes nothing.
if [ "$stores" = file ]; then
  git push --quiet --dry-run origin +HEAD:refs/heads/agentform-state ||
    fail 1 "this job may not push, so nothing was applied: its state would be lost"
fi
run_with_state apply --expect "$(cat "$digest_file")"
put "$applied_file" </dev/null
