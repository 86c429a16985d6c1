#!/bin/sh
# After an apply that was refused or left something over: comments with the plan as it is now.

here=$(dirname "$0")
. "$here/settings.sh"

if [ -f "$outdated_file" ]; then exit 0; fi
if [ "$store" = git ]; then fetch_refs; fi
run_with_state plan --out "$plan"
agentform comment --plan "$plan"
