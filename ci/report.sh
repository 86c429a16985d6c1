#!/bin/sh
# Runs after an apply that was refused or left something to do: comments with the present plan.

here=$(dirname "$0")
. "$here/settings.sh"

if [ -f "$outdated_file" ]; then exit 0; fi
# What this compares with, and the rules of the commit before, are what reviewed.sh has found.
found=$rules_file
if [ "$stores" = file ]; then found=$locks_file; fi
[ -f "$found" ] || fail 1 "it was not seen what was reviewed, so nothing is planned, and the comment stays as it is"
fetch_refs
run_with_state plan --out "$plan"
agentform comment --plan "$plan"
