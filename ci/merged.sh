#!/bin/sh
# All steps after a merge, for a CI without steps of its own. Its exit code is that of the first step that failed.

here=$(dirname "$0")
. "$here/settings.sh"

code=0
sh "$here/reviewed.sh" || code=$?
if [ "$code" = 0 ]; then
  # Whatever is cancelled from here on, its state is saved.
  trap : INT TERM
  sh "$here/apply.sh" || code=$?
fi
saved=0
sh "$here/save-state.sh" || saved=$?
if [ "$code" = 0 ]; then code=$saved; fi
if [ "$code" != 0 ]; then sh "$here/report.sh" || echo "note: the change was not commented on" >&2; fi
exit "$code"
