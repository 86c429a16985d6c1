# The common settings of the scripts in this folder; each script reads this file first, with `here` set to its own
# folder. All settings come from the environment:
#
#   AGENTFORM_WORKSPACE      the folder of agentform.yaml, from the repository's root; "." unless given. Of several
#                            workspaces that are planned and applied together, one a line
#   AGENTFORM_ENVIRONMENT    the environment; "default" for the default one
#   AGENTFORM_STORE          where the state is, as `spec.lock` of the manifest has it: "git" (a ref of its own) unless
#                            given, "file" (files beside the documents), or a mapping that begins with the store, such
#                            as "{store: http, address: https://state.example.com/desk}". Each command refuses a
#                            manifest that names a different place, before it asks anything of the network. Where
#                            several workspaces have different ones, one a line, each with its folder from the
#                            repository's root, such as "{store: git, folder: care}"; "file" is alone
#   AGENTFORM_BRANCH         the branch from which changes are applied; "main" unless given
#   AGENTFORM_GIT_TOKEN      the token that git sends to the remote, with AGENTFORM_GIT_USER; unset if none is needed
#   AGENTFORM_REMOTE_URL     the address of the remote `origin`; as in the checkout unless given
#
# and those that results.sh lists. The scripts run at the root of the repository.

. "$here/results.sh"

[ -e "$root/.git" ] || fail 64 "the scripts must run at the root of a repository"

# All lists have one name a line.
set -f
IFS='
'

# Prints the folders of the workspaces from the root, each with a slash at its end; nothing for the root itself.
prefixes() {
  for named in ${AGENTFORM_WORKSPACE:-.}; do
    [ -e "$named" ] ||
      fail 1 "there is no folder $named, which the jobs name: if this change moves it, run \`agentform init --ci\` for it again; if it removes the workspace, first take out its documents and apply that"
    folder=$(real_folder "$named") || exit
    case $folder in
      "$root") echo ;;
      "$root"/*) printf '%s\n' "${folder#"$root/"}/" ;;
      *) fail 64 "the workspace must be a folder of the repository" ;;
    esac
  done
}

# A substitution would lose the line of the root at the end.
prefixes=$(prefixes && echo .)
prefixes=${prefixes%.}
environment=${AGENTFORM_ENVIRONMENT:-default}
export AGENTFORM_STORE="${AGENTFORM_STORE:-git}"
stores=$(printf '%s\n' "$AGENTFORM_STORE" | sed 's/^{ *"\{0,1\}store"\{0,1\}: *"\{0,1\}\([a-z0-9]*\).*/\1/' | sort -u)
for store in $stores; do
  case $store in
    file | git | http | postgres | s3) ;;
    *) fail 64 "AGENTFORM_STORE must be the name of a store, or a mapping that begins with \`{store: NAME\`" ;;
  esac
  [ "$store" != file ] || [ "$stores" = file ] ||
    fail 64 "a state in files cannot be applied together with a state elsewhere"
done
branch=${AGENTFORM_BRANCH:-main}

case $environment in
  default) lock=agentform.lock ;;
  *) lock=agentform.$environment.lock ;;
esac
states=$(printf '%s' "$prefixes" | while IFS= read -r prefix; do
  printf '%s\n' "$prefix$lock" "$prefix$lock.journal"
done)

# Other variables of git may name a different repository, a program or a file to write.
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

# The output of git, and the index of a commit that is being made.
saying_file=$plan.git
index_file=$plan.index
rm -f -- "$saying_file" "$index_file"

# All calls of git go through this one. It works only on the repository of the checkout, never on one that a commit
# may have brought, and runs nothing that the files of the commit name. Its output goes to the job's log as text.
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

# Prints text of others so that no line of it is a command to the runner that reads the log. A `#` and a `:` stay, so
# that what was around the others does not come together to a command.
as_text() {
  LC_ALL=C tr -cd '\n\040-\176' | sed 's/:::*/:/g; s/##*\([A-Za-z]*\[\)/#\1/g; s/^/  git: /'
}

if [ -n "${AGENTFORM_REMOTE_URL:-}" ]; then git remote set-url origin "$AGENTFORM_REMOTE_URL"; fi

# Git asks for the token when it needs one; it is neither written to a file nor passed on a command line. It is only
# for the host of `origin`, not for the host of any other remote.
host=$(git config --get remote.origin.url | sed -n 's#^\(https\{0,1\}://\)\([^/@]*@\)\{0,1\}\([^/]*\).*#\1\3#p')
if [ -n "${AGENTFORM_GIT_TOKEN:-}" ] && [ -n "$host" ]; then
  # After the configuration that the CI gives in this way, such as a proxy.
  count=${GIT_CONFIG_COUNT:-0}
  export "GIT_CONFIG_KEY_$count=credential.helper" "GIT_CONFIG_VALUE_$count="
  count=$((count + 1))
  export "GIT_CONFIG_KEY_$count=credential.$host.helper"
  export "GIT_CONFIG_VALUE_$count"='!f() { test "$1" = get && printf "username=%s\npassword=%s\n" "${AGENTFORM_GIT_USER:-x-access-token}" "$AGENTFORM_GIT_TOKEN"; }; f'
  export GIT_CONFIG_COUNT=$((count + 1))
fi

# Runs a command of agentform on the workspaces and their environment.
run() {
  name=$1
  shift
  set -- "--environment=$environment" "$@"
  for workspace in ${AGENTFORM_WORKSPACE:-.}; do set -- "--workspace=$workspace" "$@"; done
  passing_signals agentform "$name" "$@"
}

# Runs a program to its end, also where the job is cancelled: the CI may ask only the first process of a step to end,
# and saves the state once that has.
passing_signals() {
  "$@" &
  trap 'kill "$!" 2>/dev/null || :' INT TERM
  ended=0
  wait "$!" || ended=$?
  # A signal ends the wait, but not the program.
  while kill -0 "$!" 2>/dev/null; do
    ended=0
    wait "$!" || ended=$?
  done
  trap - INT TERM
  return "$ended"
}

# The same, compared with the state that was last applied, so that later edits of the state are part of the plan.
# The rules of the commit before hold as well, as they did for the plan that was reviewed.
run_with_state() {
  if [ -f "$rules_file" ]; then set -- "$@" --rules-from "$(cat "$rules_file")"; fi
  if [ "$stores" = file ]; then run "$@" --lock-from "$(cat "$locks_file")"; else run "$@"; fi
}

# The ref of the commit whose state was last applied from the branch, in the folder of a state: other jobs for that
# workspace know it, too. Its name is a digest of the names of workspace and environment, because a folder may have a
# name that a ref may not have.
applied_ref() {
  echo "refs/agentform/applied/$(digest_of "${1%"$lock"*}$IFS")"
}
group() {
  digest_of "$prefixes"
}
digest_of() {
  printf '%s\n%s%s' "$branch" "$1" "$environment" | git hash-object --stdin
}

# Makes a commit onto a parent, with the tree of a commit but for the states, whose blobs a command gives by their
# names. It touches no file. No pipeline is needed for the branch that gets it.
skip=' [skip ci]'
commit_states() {
  parent=$1
  export GIT_INDEX_FILE="$index_file"
  git read-tree "$2"
  shift 2
  for file in $states; do
    blob=$("$@" "$file")
    if [ -n "$blob" ]; then
      git update-index --add --cacheinfo "100644,$blob,$file"
    else
      git update-index --force-remove -- "$file"
    fi
  done
  tree=$(git write-tree)
  rm -f -- "$index_file"
  unset GIT_INDEX_FILE
  git commit-tree "$tree" -p "$parent" -m "agentform: state of $environment$skip"
}

# The states of the environment that a commit has, in any folder, and a later one has not.
states_gone() {
  git diff-tree -r -z --no-renames --diff-filter=D --name-only "$1" "$2" -- \
    ":(top,glob)**/$lock" ":(top,glob)**/$lock.journal" | tr '\000' '\n'
}

# Fetches a branch and gives its commit. A partial clone gets all of what it fetches, for nothing is fetched later.
fetch_branch() {
  git fetch --quiet --no-tags --no-filter origin "refs/heads/$1" &&
    git rev-parse --verify --quiet 'FETCH_HEAD^{commit}'
}

# Fetches the refs of git stores, if there are any; agentform's plan uses no network.
fetch_refs() {
  case $stores in *git*) ;; *) return 0 ;; esac
  git fetch --quiet --no-tags --no-filter origin '+refs/agentform/*:refs/agentform/*'
}

# The blob of a file in a commit, or nothing.
blob_of() {
  git rev-parse --quiet --verify --end-of-options "$1:$2" || true
}

# The blob of a file in the checkout, or nothing.
blob_here() {
  if [ -f "$root/$1" ] && [ ! -L "$root/$1" ]; then git hash-object -w --no-filters -- "$root/$1"; fi
}

# Whether the checkout has the states of a commit.
has_states_of() {
  for file in $states; do
    # What git cannot take, such as on a full disk, is not what a commit has.
    blob=$(blob_here "$file") && [ "$blob" = "$(blob_of "$1" "$file")" ] || return 1
  done
}
