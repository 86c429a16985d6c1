#!/bin/sh
# Applies the plan that may be applied, and refuses any other (exit code 4). It alone needs the service's secrets.

. "$(dirname "$0")/settings.sh"

run apply --yes --expect "$(cat "$digest_file")"
