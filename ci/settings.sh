# What the scripts of this folder know in common; each reads it first. All of it comes from the environment:
#
#   AGENTFORM_WORKSPACE      the folder of agentform.yaml, seen from the repository's root; "." unless given
#   AGENTFORM_ENVIRONMENT    the environment; "default" for the default one
#   AGENTFORM_STORE          where the state is: "git" (a ref of its own) or "file" (files beside the documents)
#   AGENTFORM_BRANCH         the branch that is applied; "main" unless given
#   AGENTFORM_PLAN           the file of the saved plan; "agentform-plan.json" unless given
#   AGENTFORM_GIT_TOKEN      what git shows the remote, with AGENTFORM_GIT_USER; none for a remote that needs none
#
# They run at the root of the repository and keep what one leaves to the next in files beside the plan's.

set -eu

workspace=${AGENTFORM_WORKSPACE:-.}
environment=${AGENTFORM_ENVIRONMENT:-default}
store=${AGENTFORM_STORE:-git}
branch=${AGENTFORM_BRANCH:-main}
plan=${AGENTFORM_PLAN:-agentform-plan.json}
digest_file=$plan.digest
outdated_file=$plan.outdated
began_file=$plan.began

case $environment in
  default) lock=agentform.lock ;;
  *) lock=agentform.$environment.lock ;;
esac
journal=$lock.journal

# Git asks for the token when it needs one; it is written to no file and stands on no command line.
if [ -n "${AGENTFORM_GIT_TOKEN:-}" ]; then
  export GIT_CONFIG_COUNT=2
  export GIT_CONFIG_KEY_0=credential.helper GIT_CONFIG_VALUE_0=
  export GIT_CONFIG_KEY_1=credential.helper
  export GIT_CONFIG_VALUE_1='!f() { test "$1" = get && printf "username=%s\npassword=%s\n" "${AGENTFORM_GIT_USER:-x-access-token}" "$AGENTFORM_GIT_TOKEN"; }; f'
fi

# Runs a command of agentform on the workspace and environment.
run() {
  name=$1
  shift
  if [ "$environment" = default ]; then
    agentform "$name" -C "$workspace" "$@"
  else
    agentform "$name" -C "$workspace" -e "$environment" "$@"
  fi
}

fail() {
  echo "error: $2" >&2
  exit "$1"
}

# Brings the ref of a git store; agentform's plan uses no network.
fetch_refs() {
  git fetch --quiet origin '+refs/agentform/*:refs/agentform/*'
}

# The blob of a file of the workspace in a commit, or nothing.
blob_of() {
  git -C "$workspace" rev-parse --quiet --verify "$1:./$2" || true
}

# The blob that a file of the workspace is, or nothing.
blob_here() {
  if [ -f "$workspace/$1" ]; then git hash-object -w --no-filters "$workspace/$1"; fi
}
