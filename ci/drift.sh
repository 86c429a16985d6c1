#!/bin/sh
# Shows what somebody changed in the service since the last apply, and ends with 2 while there is anything; of several
# workspaces, with the code of the last that has one.

here=$(dirname "$0")
. "$here/settings.sh"

fetch_refs
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  exec >>"$GITHUB_STEP_SUMMARY"
  set -- --format markdown
fi
code=0
for AGENTFORM_WORKSPACE in ${AGENTFORM_WORKSPACE:-.}; do
  run drift --detailed-exitcode "$@" || code=$?
done
exit "$code"
