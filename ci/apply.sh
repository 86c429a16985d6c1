#!/bin/sh
# Applies the plan that may be applied, and refuses any other (exit code 4). It alone needs the service's secrets.

. "$(dirname "$0")/settings.sh"

expected=$(cat "$digest_file")
if [ -z "$expected" ]; then fail 4 "no plan was reviewed"; fi
run apply --yes --expect "$expected"
