#!/bin/sh
# Commits lock and journal to the branch, whatever became of the apply. With a git store there is nothing to do.

. "$(dirname "$0")/settings.sh"

if [ "$store" = git ] || [ ! -f "$began_file" ]; then exit 0; fi
began=$(cat "$began_file")
if [ "$(blob_here "$lock")" = "$(blob_of "$began" "$lock")" ] &&
  [ "$(blob_here "$journal")" = "$(blob_of "$began" "$journal")" ]; then exit 0; fi

prefix=$(git -C "$workspace" rev-parse --show-prefix)
export GIT_AUTHOR_NAME=agentform GIT_AUTHOR_EMAIL=agentform@localhost
export GIT_COMMITTER_NAME=agentform GIT_COMMITTER_EMAIL=agentform@localhost

# Makes a commit that is its parent with the lock and journal from here, and touches no file to do so.
commit_onto() {
  GIT_INDEX_FILE=$(git rev-parse --absolute-git-dir)/agentform-ci-index
  export GIT_INDEX_FILE
  git read-tree "$1"
  for file in "$lock" "$journal"; do
    blob=$(blob_here "$file")
    if [ -n "$blob" ]; then
      git update-index --add --cacheinfo "100644,$blob,$prefix$file"
    else
      git update-index --force-remove "$prefix$file"
    fi
  done
  tree=$(git write-tree)
  rm -f "$GIT_INDEX_FILE"
  unset GIT_INDEX_FILE
  git commit-tree "$tree" -p "$1" -m "agentform: state of $environment [skip ci]"
}

for pause in 1 2 4 0; do
  git fetch --quiet origin "refs/heads/$branch"
  tip=$(git rev-parse FETCH_HEAD)
  # Another's state must not be overwritten with this one.
  if [ "$(blob_of "$tip" "$lock")" != "$(blob_of "$began" "$lock")" ] ||
    [ "$(blob_of "$tip" "$journal")" != "$(blob_of "$began" "$journal")" ]; then break; fi
  commit=$(commit_onto "$tip")
  if git push --quiet origin "$commit:refs/heads/$branch"; then
    echo "$commit" >"$began_file"
    echo "state committed to $branch"
    exit 0
  fi
  sleep "$pause"
done

commit=$(commit_onto "$began")
rescue=agentform-state/$environment/$(git rev-parse --short=12 "$commit")
git push --quiet origin "$commit:refs/heads/$rescue" ||
  fail 1 "the state could be pushed neither to $branch nor to $rescue; its IDs are in $lock and $journal of this machine alone"
fail 1 "$branch would not take the state, or has another one, so it is on the branch $rescue: merge that before the next apply"
