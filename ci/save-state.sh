#!/bin/sh
# Commits lock and journal to the branch, however the apply ended, and records which commit has them. With any other
# store there is nothing to do.

here=$(dirname "$0")
. "$here/settings.sh"

# Other jobs with the same state may begin once it is saved.
take_marks() {
  if [ -f "$marks_file" ] && git push --quiet origin $(sed 's/^/:/' "$marks_file"); then rm -f -- "$marks_file"; fi
}
trap 'take_marks || true' EXIT

if [ "$stores" != file ] || [ ! -f "$began_file" ]; then exit 0; fi
for file in $states; do
  if [ -L "$root/$file" ]; then fail 1 "$file is a symbolic link, so it cannot be the state"; fi
done
began=$(cat "$began_file")

# Records the commit with the applied state; without it, the next run shows that state as edited, and asks for a review.
# What report.sh shows is compared as that run will compare it, so that it is the plan that is approved.
mark_applied() {
  if git push --quiet origin $(for file in $states; do echo "+$1:$(applied_ref "$file")"; done | sort -u); then
    echo "$1" | put "$base_file"
    echo "$1" | put "$locks_file"
  else
    echo "warning: refs/agentform/applied/ could not be pushed to, so the next plan may show this state as edited" >&2
  fi
}

if has_states_of "$began"; then
  # The reviewed plan may consist of edits of the state only.
  if [ -f "$applied_file" ] && [ "$(cat "$base_file")" != "$began" ]; then mark_applied "$began"; fi
  exit 0
fi

# For the job to keep as an artifact if no branch takes the state.
rm -rf -- "$plan.state"
mkdir -- "$plan.state"
for file in $states; do
  mkdir -p -- "$(dirname -- "$plan.state/$file")"
  if [ -f "$root/$file" ]; then cp -- "$root/$file" "$plan.state/$file"; fi
done

for pause in 1 2 4 0; do
  last=
  # Where another job was faster, what it pushed is a new try, however many there are.
  while tip=$(fetch_branch "$branch") && [ "$tip" != "$last" ]; do
    last=$tip
    # A state written by a different run must not be overwritten, and in a folder that has moved meanwhile nobody looks.
    for file in $states; do
      [ "$(blob_of "$tip" "$file")" = "$(blob_of "$began" "$file")" ] || break 3
      [ -n "$(blob_of "$tip" "${file%"$lock"*}agentform.yaml")" ] || break 3
    done
    commit=$(commit_states "$tip" "$tip" blob_here)
    if git push --quiet origin "$commit:refs/heads/$branch"; then
      echo "$commit" | put "$began_file"
      mark_applied "$commit"
      echo "state committed to $branch"
      exit 0
    fi
  done
  sleep "$pause"
done

# The change that merges it needs its plan, which forges would not run.
skip=
commit=$(commit_states "$began" "$began" blob_here)
# Of one level: a branch with the name of a folder above, which anybody may have pushed, would be in the way.
rescue=agentform-state-$environment-$(git rev-parse --short=12 "$commit")
git push --quiet origin "$commit:refs/heads/$rescue" ||
  fail 1 "the state could be pushed neither to $branch nor to $rescue; only $lock and its journal on this machine have its IDs"
mark_applied "$commit"
fail 1 "$branch did not accept the state, or has a newer one, so it is on the branch $rescue: merge that before the next apply"
