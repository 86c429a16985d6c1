#!/bin/sh
# Runs one step of action.yml, with the agentform of the same version as the action.

here=$(dirname "$0")
. "$here/results.sh"

version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$here/../package.json")
if [ "$(agentform --version 2>/dev/null || true)" != "$version" ]; then
  # Elsewhere than in the checkout, whose settings have no say in what is installed.
  (cd "$here" && npm install --global --ignore-scripts "agentform@$version")
fi
case $AGENTFORM_STEP in
  plan | reviewed | apply | save-state | report) exec sh "$here/$AGENTFORM_STEP.sh" ;;
  comment) agentform comment --plan "$plan" ;;
  *) fail 64 "the action has no step \`$AGENTFORM_STEP\`" ;;
esac
