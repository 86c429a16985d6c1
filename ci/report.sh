#!/bin/sh
# Runs after an apply that was refused or left something to do: comments with the present plan.

here=$(dirname "$0")
. "$here/settings.sh"

if [ -f "$outdated_file" ]; then exit 0; fi
fetch_refs
run_with_state plan --out "$plan"
agentform comment --plan "$plan"
