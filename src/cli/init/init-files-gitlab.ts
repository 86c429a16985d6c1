import type { CiSettings } from "./ci-settings.js";
import { installedFiles } from "./init-files-package.js";

/** The file with the jobs, from the root of the repository. */
export const gitlabJobs = ".gitlab/agentform.yml";

/** The folder with agentform itself, from the root of the repository. */
export const gitlabPackage = ".gitlab/agentform";

/** Gives the files of GitLab CI by their path from the root of the repository. */
export function gitlabFiles(settings: CiSettings): Readonly<Record<string, string>> {
  return {
    [gitlabJobs]: jobsText(settings),
    ".gitlab-ci.yml": `include:\n  - local: ${gitlabJobs}\n`,
  };
}

function jobsText({ workspace, environments, store }: CiSettings): string {
  const isPushed = store === "file" || store === "git";
  const token = isPushed
    ? 'AGENTFORM_GIT_USER=agentform AGENTFORM_GIT_TOKEN="$AGENTFORM_PUSH_TOKEN"'
    : 'AGENTFORM_GIT_USER=gitlab-ci-token AGENTFORM_GIT_TOKEN="$CI_JOB_TOKEN"';
  return `# Written by \`agentform init --ci gitlab\`. docs/gitops.md of agentform explains it.
#
# Variables of the project:
#   GITLAB_TOKEN           comments: a project access token, role Reporter, scope api; masked
${isPushed ? pushToken : ""}#   and what \`agentform apply\` needs; masked and protected
${store === "http" ? roles : ""}
.agentform:
  image: node:22
  variables:
    GIT_DEPTH: "0"
    AGENTFORM_WORKSPACE: ${JSON.stringify(workspace)}
    AGENTFORM_STORE: ${store}
    AGENTFORM_BRANCH: $CI_DEFAULT_BRANCH
  parallel:
    matrix:
      - AGENTFORM_ENVIRONMENT: ${JSON.stringify(environments)}
  before_script:
${installation}

agentform-plan:
  extends: .agentform
  stage: test
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  interruptible: true
  script:
    - export AGENTFORM_REMOTE_URL="$CI_MERGE_REQUEST_PROJECT_URL.git"
    - export AGENTFORM_ARTIFACT=agentform-plan.json
    - export AGENTFORM_TARGET_BRANCH="$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
    - export AGENTFORM_GIT_USER=gitlab-ci-token AGENTFORM_GIT_TOKEN="$CI_JOB_TOKEN"
    - sh "$AGENTFORM_CI/plan.sh"
    # A fork's pipeline has no token; its plan is the artifact.
    - if [ -n "$GITLAB_TOKEN" ]; then agentform comment --plan agentform-plan.json; fi
  artifacts:
    paths: [agentform-plan.json]
    expire_in: 1 week

agentform-apply:
  extends: .agentform
  stage: deploy
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE =~ /^(push|web)$/
  # One waits for the other. Nothing that is under way is ever cancelled.
  interruptible: false
  resource_group: agentform-apply-$AGENTFORM_ENVIRONMENT
  environment:
    name: $AGENTFORM_ENVIRONMENT
  script:
    - export AGENTFORM_REMOTE_URL="$CI_PROJECT_URL.git"
    - export ${token}
    - sh "$AGENTFORM_CI/merged.sh"
${isPushed ? saving : ""}`;
}

const pushToken = `#   AGENTFORM_PUSH_TOKEN   pushes the state: role Developer or more, scope write_repository; masked and protected
`;

const roles = `#
# The state is in GitLab, read and written with the token of the job: who starts the pipeline of a merge request needs
# the role Developer, who merges the role Maintainer. TF_HTTP_USERNAME and TF_HTTP_PASSWORD (masked and protected), with
# the token of a Maintainer, take its place.
`;

const saving = `  # Of a job that was cancelled or ran out of time, the state is saved here.
  after_script:
    - export AGENTFORM_CI="$CI_PROJECT_DIR.tmp/agentform/node_modules/agentform/ci"
    - export AGENTFORM_GIT_USER=agentform AGENTFORM_GIT_TOKEN="$AGENTFORM_PUSH_TOKEN"
    - sh "$AGENTFORM_CI/save-state.sh"
`;

const installation = `    # What a change brings has no say in what plans it, unless the branch has no agentform yet; and nothing of the
    # checkout, such as an .npmrc, has a say in how it is installed.
    - export AGENTFORM_HOME="$CI_PROJECT_DIR.tmp/agentform" GIT_DIR="$CI_PROJECT_DIR/.git"
    - folder=$(git rev-parse --verify --quiet "\${CI_MERGE_REQUEST_DIFF_BASE_SHA:-HEAD}:${gitlabPackage}" || git rev-parse --verify "HEAD:${gitlabPackage}")
    - rm -rf "$AGENTFORM_HOME" && mkdir -p "$AGENTFORM_HOME"
    - for file in ${installedFiles.join(" ")}; do git cat-file blob "$folder:$file" >"$AGENTFORM_HOME/$file"; done
    - unset GIT_DIR
    - (cd "$AGENTFORM_HOME" && npm ci --offline --ignore-scripts --no-audit --no-fund)
    - export AGENTFORM_CI="$AGENTFORM_HOME/node_modules/agentform/ci" PATH="$AGENTFORM_HOME/node_modules/.bin:$PATH"`;
