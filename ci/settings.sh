# What the scripts of this folder know in common; each reads it first, with `here` its own folder. All of it comes
# from the environment:
#
#   AGENTFORM_WORKSPACE      the folder of agentform.yaml, seen from the repository's root; "." unless given
#   AGENTFORM_ENVIRONMENT    the environment; "default" for the default one
#   AGENTFORM_STORE          where the state is: "git" (a ref of its own) or "file" (files beside the documents)
#   AGENTFORM_BRANCH         the branch that is applied; "main" unless given
#   AGENTFORM_GIT_TOKEN      what git shows the remote, with AGENTFORM_GIT_USER; none for a remote that needs none
#   AGENTFORM_REMOTE_URL     the address of the remote `origin`; as the checkout has it unless given
#
# and what results.sh names. They run at the root of the repository.

. "$here/results.sh"

[ -e "$root/.git" ] || fail 64 "the scripts run at the root of a repository"

folder=$(real_folder "${AGENTFORM_WORKSPACE:-.}")
case $folder in
  "$root") prefix= ;;
  "$root"/*) prefix=${folder#"$root/"}/ ;;
  *) fail 64 "the workspace is a folder of the repository" ;;
esac
workspace=${prefix%/}
workspace=${workspace:-.}
environment=${AGENTFORM_ENVIRONMENT:-default}
store=${AGENTFORM_STORE:-git}
branch=${AGENTFORM_BRANCH:-main}

case $environment in
  default) lock=agentform.lock ;;
  *) lock=agentform.$environment.lock ;;
esac
journal=$lock.journal

# Other variables of git's may name another repository, a program or a file to write.
for name in $(env | sed -n 's/^\(GIT_[A-Z0-9_]*\)=.*/\1/p'); do
  case $name in
    GIT_ALLOW_PROTOCOL | GIT_ASKPASS | GIT_CONFIG_GLOBAL | GIT_CONFIG_SYSTEM | GIT_CONFIG_NOSYSTEM | GIT_EXEC_PATH) ;;
    GIT_CONFIG_COUNT | GIT_CONFIG_KEY_* | GIT_CONFIG_VALUE_*) ;;
    GIT_HTTP_* | GIT_LFS_SKIP_SMUDGE | GIT_PROXY_* | GIT_SSH | GIT_SSH_* | GIT_SSL_*) ;;
    *) unset "$name" ;;
  esac
done
export GIT_AUTHOR_NAME=agentform GIT_AUTHOR_EMAIL=agentform@localhost
export GIT_COMMITTER_NAME=agentform GIT_COMMITTER_EMAIL=agentform@localhost
reachable=${GIT_ALLOW_PROTOCOL:-file:git:http:https:ssh}

# What git says, and the index of a commit that is made.
saying_file=$plan.git
index_file=$plan.index
rm -f -- "$saying_file" "$index_file"

# Every call of git goes through this. It works on the repository of the checkout and on no other that a commit may
# have brought, and runs nothing that the files of the commit name. What it says goes to the job's log as text.
git() {
  case $1 in
    fetch | push | ls-remote) protocols=$reachable ;;
    *) protocols=none ;;
  esac
  said=0
  LC_ALL=C GIT_TERMINAL_PROMPT=0 GIT_NO_LAZY_FETCH=1 GIT_ALLOW_PROTOCOL=$protocols command git \
    --git-dir="$root/.git" --work-tree="$root" --no-pager --no-optional-locks --no-replace-objects \
    -c safe.bareRepository=explicit -c core.hooksPath=/dev/null -c core.fsmonitor=false \
    -c core.untrackedCache=false -c core.alternateRefsCommand= -c submodule.recurse=false \
    -c fetch.recurseSubmodules=false -c push.recurseSubmodules=no -c commit.gpgSign=false \
    -c push.gpgSign=false -c gc.auto=0 -c maintenance.auto=false "$@" 2>"$saying_file" || said=$?
  if [ -s "$saying_file" ]; then as_text <"$saying_file" >&2; fi
  return "$said"
}

# What another wrote, so that no line of it is a command to the runner that reads the log.
as_text() {
  LC_ALL=C tr -cd '\n\040-\176' | sed 's/:::*/:/g; s/##*\([A-Za-z]*\[\)/\1/g; s/^/  git: /'
}

if [ -n "${AGENTFORM_REMOTE_URL:-}" ]; then git remote set-url origin "$AGENTFORM_REMOTE_URL"; fi

# Git asks for the token when it needs one; it is written to no file and stands on no command line. It is for the
# host of `origin`, and not for one that another remote names.
host=$(git config --get remote.origin.url | sed -n 's#^\(https\{0,1\}://\)\([^/@]*@\)\{0,1\}\([^/]*\).*#\1\3#p')
if [ -n "${AGENTFORM_GIT_TOKEN:-}" ] && [ -n "$host" ]; then
  export GIT_CONFIG_COUNT=2
  export GIT_CONFIG_KEY_0=credential.helper GIT_CONFIG_VALUE_0=
  export GIT_CONFIG_KEY_1="credential.$host.helper"
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

# The same, compared with the state that was last applied, so that edits of it since are part of the plan.
run_with_state() {
  if [ "$store" = git ]; then run "$@"; else run "$@" --lock-from "$(cat "$base_file")"; fi
}

# Refuses a plan that was made with a lock of elsewhere: a manifest that a change turns to a lock file could bring one.
check_store() {
  planned=$(agentform show "$plan" --format json | sed -n 's/^      "store": "\(.*\)",\{0,1\}$/\1/p')
  if [ "${planned:-file}" != "$store" ]; then
    fail 4 "the manifest keeps the state in the store ${planned:-file}, and AGENTFORM_STORE says $store"
  fi
}

# The ref of the commit whose state was last applied from the branch. Its name is a digest of what tells workspaces
# apart, for a folder may be called what no ref may.
applied_ref() {
  names=$(printf '%s\n' "$branch" "$prefix" "$environment")
  echo "refs/agentform/applied/$(printf '%s' "$names" | git hash-object --stdin)"
}

# Brings a branch and gives its commit.
fetch_branch() {
  git fetch --quiet --no-tags origin "refs/heads/$1"
  git rev-parse --verify --quiet 'FETCH_HEAD^{commit}'
}

# Brings the ref of a git store; agentform's plan uses no network.
fetch_refs() {
  git fetch --quiet --no-tags origin '+refs/agentform/*:refs/agentform/*'
}

# The blob of a file of the workspace in a commit, or nothing.
blob_of() {
  git rev-parse --quiet --verify --end-of-options "$1:$prefix$2" || true
}

# The blob that a file of the workspace is, or nothing.
blob_here() {
  if [ -f "$folder/$1" ] && [ ! -L "$folder/$1" ]; then git hash-object -w --no-filters -- "$folder/$1"; fi
}
