#!/bin/sh
# Plans the merged commit with the newest state, and says which plan may be applied: the one that was reviewed.
#
#   AGENTFORM_EXPECT         the digest of the plan that a person wants; the comment's unless given

. "$(dirname "$0")/settings.sh"

rm -f "$digest_file" "$outdated_file" "$began_file"
git fetch --quiet origin "refs/heads/$branch"
tip=$(git rev-parse FETCH_HEAD)

# An older commit would undo what newer ones brought.
if ! git diff --quiet HEAD "$tip" -- "$workspace" ":(exclude,glob)**/agentform*.lock" ":(exclude,glob)**/agentform*.lock.journal"; then
  : >"$outdated_file"
  fail 4 "$branch has changed since this commit, so the run of its newest commit is the one that applies"
fi

if [ "$store" = git ]; then
  fetch_refs
else
  for file in "$lock" "$journal"; do
    rm -f "$workspace/$file"
    if [ -n "$(blob_of "$tip" "$file")" ]; then git -C "$workspace" show "$tip:./$file" >"$workspace/$file"; fi
  done
  echo "$tip" >"$began_file"
fi

code=0
run plan --out "$plan" --detailed-exitcode || code=$?
case $code in
  0 | 2 | 3) ;;
  *) exit "$code" ;;
esac

if [ -n "${AGENTFORM_EXPECT:-}" ]; then
  digest=$AGENTFORM_EXPECT
elif [ "$code" = 0 ]; then
  # Nothing would be sent, so there is nothing that anybody must have read.
  digest=$(agentform show "$plan" --format json | sed -n 's/^  "digest": "\(.*\)",\{0,1\}$/\1/p')
else
  digest=$(agentform comment --plan "$plan" --reviewed)
fi
case $digest in
  sha256:*[!0-9a-f]* | sha256:) fail 64 "the digest of a plan is sha256: and 64 hexadecimal digits" ;;
  sha256:*) ;;
  *) fail 4 "no plan of this change was reviewed" ;;
esac
printf '%s\n' "$digest" >"$digest_file"
echo "Reviewed: $digest"
