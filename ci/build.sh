#!/bin/sh
# Builds the agentform of this checkout, from the packages in its lock file, checked by their digests.

set -eu

cd "$(dirname "$0")/.."
if [ ! -f dist/cli.js ]; then
  # The workspace is what tests need: two thirds of all.
  npm ci --no-workspaces --include=dev --ignore-scripts --no-audit --no-fund
  npm run build --ignore-scripts
fi
mkdir -p .action
ln -sf ../dist/cli.js .action/agentform
