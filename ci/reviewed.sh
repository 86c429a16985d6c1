#!/bin/sh
# Plans the merged commit with the newest state, and decides which plan may be applied: the one that was reviewed.
#
#   AGENTFORM_EXPECT         the digest of the plan that a person approves; that of the comment unless given
#   AGENTFORM_BASE           the commit that the branch had before the change; "HEAD^1" unless given, or given as zeros

here=$(dirname "$0")
. "$here/settings.sh"

rm -f -- "$AGENTFORM_TOLD" "$digest_file" "$outdated_file" "$began_file" "$base_file" "$locks_file" \
  "$applied_file" "$rules_file" "$marks_file"
tip=$(fetch_branch "$branch")

# An older commit would undo what newer commits brought. A state is none of that, of a workspace in this one's folders
# neither.
printf '%s' "$prefixes" | while IFS= read -r prefix; do
  state=":(top,exclude,glob)${prefix}**/agentform"
  git diff-tree -r --quiet --ignore-submodules=none HEAD "$tip" -- ":(top,literal)$prefix" \
    "$state.lock" "$state.*.lock" "$state.lock.journal" "$state.*.lock.journal" || exit 1
done || {
  put "$outdated_file" </dev/null
  fail 4 "$branch has changed since this commit, so only the run of its newest commit applies"
}

fetch_refs
# Of several commits that were merged as they are, the parent of the last one is part of the change itself.
given=$(printf '%s\n' "${AGENTFORM_BASE:-}" | sed '/^0*$/d')
before() { git rev-parse --quiet --verify "${given:-HEAD^1}^{commit}"; }
if ! before >/dev/null && [ "$(git rev-parse --is-shallow-repository)" = true ]; then
  if [ -n "$given" ]; then set -- --depth=1 origin "$given"; else set -- --deepen=1 origin "refs/heads/$branch"; fi
  git fetch --quiet --no-tags "$@" || true
fi
if ! before=$(before); then
  [ -z "$given" ] ||
    fail 1 "the commit before the change, $given, cannot be fetched, and the rules of it hold: read the plan, and start the job by hand"
  # The first commit has none before it.
  before=$(git rev-parse HEAD)
fi
printf '%s\n' "$before" | put "$rules_file"

if [ "$stores" = file ]; then
  for file in $states; do
    rm -f -- "$root/$file"
    blob=$(blob_of "$tip" "$file")
    if [ -n "$blob" ]; then git cat-file blob "$blob" | put "$root/$file"; fi
    [ "$(blob_here "$file")" = "$blob" ] || fail 1 "$file of $branch cannot be read"
  done
  echo "$tip" | put "$began_file"
  # The history tells which states were written by applies and which by others.
  if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
    git fetch --quiet --no-tags --unshallow origin "refs/heads/$branch"
  fi
  # Jobs of another folder or environment, or for other workspaces beside it, do not wait for these, and may have the
  # same state: it keeps its lineage. Each says that it is there before it looks, so that never two miss each other.
  lineages=$(for file in $states; do sed -n 's/^  "lineage": "\([0-9a-f-]*\)",$/\1/p' "$root/$file" 2>/dev/null || true; done)
  marks=$(group=$(group) && for lineage in $lineages; do echo "refs/agentform/applying/$lineage/$group"; done)
  if [ -n "$marks" ]; then
    printf '%s\n' "$marks" | put "$marks_file"
    git push --quiet origin $(printf "+$tip:%s\n" $marks) || true
  fi
  # Git also lists what ends in the name, such as a branch of anybody who may push one.
  listed=$(git ls-remote origin 'refs/agentform/app*' 'refs/heads/agentform-state-*')
  for mark in $marks; do
    # The name is printed, so it is one that these scripts may have made.
    other=$(printf '%s\n' "$listed" | awk -v own="$mark" -v name="^${mark%/*}/[0-9a-f]+\$" '
      $2 != own && $2 ~ name { print $2; exit }')
    if [ -n "$other" ]; then
      put "$outdated_file" </dev/null
      fail 4 "another job applies the same state: wait for it, or if it is gone, delete $other on the remote"
    fi
  done
  # One that is there no more may have saved another state since this one was read.
  if [ -n "$marks" ]; then
    newest=$(fetch_branch "$branch")
    has_states_of "$newest" || {
      put "$outdated_file" </dev/null
      fail 4 "another job has just applied the same state: run this one again"
    }
  fi
  # The commit with the state that was last applied, of a state in its own folder; a given one if none is recorded yet.
  base_of() {
    ref=$(applied_ref "$1")
    base=$(printf '%s\n' "$listed" | awk -v ref="$ref" '$2 == ref { print $1 }')
    [ -z "$base" ] || git rev-parse --quiet --verify "$base^{commit}" >/dev/null ||
      git fetch --quiet --no-tags --no-filter origin "$ref"
    echo "${base:-$2}"
  }
  bases=$(for file in $states; do base_of "$file" "$before"; done)
  bases=$(printf '%s\n' "$bases" | sort -u)
  # A state that the branch did not take is behind the ref of its folder alone, which may have moved since; of a folder
  # that has not moved, the branch has the state from before.
  rescued=$(printf '%s\n' "$listed" | awk '
    index($2, "refs/agentform/applied/") == 1 { applied[$1] }
    index($2, "refs/heads/agentform-state-") == 1 && $1 in applied { print $2 }')
  for rescue in $rescued; do
    commit=$(fetch_branch "${rescue#refs/heads/}")
    if git merge-base --is-ancestor "$commit" "$tip"; then continue; fi
    if git diff-tree -r --quiet --diff-filter=D "$commit" "$tip" -- ":(top,glob)**/agentform*.lock" &&
      { ! printf '%s\n' "$bases" | grep -qxF "$commit" || has_states_of "$commit"; }; then continue; fi
    put "$outdated_file" </dev/null
    fail 4 "the state of an apply is on the branch ${rescue#refs/heads/}, and $branch does not have it: merge that branch, then delete it"
  done
  printf '%s\n' "$bases" | put "$base_file"
  # What other workspaces have applied since is used as it is now. A workspace whose folder has moved since has its state
  # in the folder from before.
  own=$states
  gone=$(for base in $bases; do states_gone "$base" "$tip"; done)
  last_applied() {
    known=$before
    case "$IFS$own$IFS" in
      *"$IFS$1$IFS"*) ;;
      *) for commit in $bases; do [ -z "$(blob_of "$commit" "$1")" ] || known=$commit; done ;;
    esac
    blob_of "$(base_of "$1" "$known")" "$1"
  }
  # What came after the oldest of these commits may be an edit of another one's state, so it is not in its history.
  rest=$(for file in $gone; do base_of "$file" "$before"; done)
  oldest=$(git merge-base --octopus $bases $rest)
  locks=$(states=$(printf '%s\n' "$own" "$gone") && commit_states "$oldest" "$tip" last_applied)
  echo "$locks" | put "$locks_file"
fi

code=0
run_with_state plan --out "$plan" --detailed-exitcode || code=$?
case $code in
  0 | 2 | 3) ;;
  *) exit "$code" ;;
esac

if [ -n "${AGENTFORM_EXPECT:-}" ]; then
  digest=$AGENTFORM_EXPECT
elif [ "$code" = 0 ]; then
  # Nothing would be sent, so no review is needed.
  digest=$(agentform show "$plan" --format json | sed -n 's/^  "digest": "\(.*\)",\{0,1\}$/\1/p')
else
  digest=$(agentform comment --plan "$plan" --reviewed)
fi
case $digest in
  sha256:*[!0-9a-f]* | sha256:) fail 64 "the digest of a plan must be sha256: and 64 hexadecimal digits" ;;
  sha256:*) ;;
  *) fail 4 "no plan of this change was reviewed" ;;
esac
printf '%s\n' "$digest" | put "$digest_file"
echo "Reviewed: $digest"
