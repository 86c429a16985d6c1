#!/bin/sh
# Applies the plan that may be applied, and refuses any other (exit code 4). It alone needs the service's secrets.

here=$(dirname "$0")
. "$here/settings.sh"

[ -f "$digest_file" ] || fail 64 "reviewed.sh has left no digest beside $plan: give both scripts the same AGENTFORM_PLAN"
run_with_state apply --yes --expect "$(cat "$digest_file")"
put "$applied_file" </dev/null
