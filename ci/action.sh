#!/bin/sh
# Runs one step of action.yml, with the agentform that build.sh has built from the action's own commit.

here=$(cd "$(dirname "$0")" && pwd)
. "$here/results.sh"

export PATH="${here%/*}/.action:$PATH"
case $AGENTFORM_STEP in
  plan | reviewed | apply | save-state | report | drift) exec sh "$here/$AGENTFORM_STEP.sh" ;;
  comment) agentform comment --plan "$plan" ;;
  *) fail 64 "the action does not have a step \`$AGENTFORM_STEP\`" ;;
esac
