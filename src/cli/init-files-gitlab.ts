import type { CiSettings } from "./ci-settings.js";

/** The file that has the jobs, from the root of the repository. */
export const gitlabJobs = ".gitlab/agentform.yml";

/** Gives the files of GitLab CI by their path from the root of the repository. */
export function gitlabFiles(settings: CiSettings): Readonly<Record<string, string>> {
  return {
    [gitlabJobs]: jobsText(settings),
    ".gitlab-ci.yml": `include:\n  - local: ${gitlabJobs}\n`,
  };
}

function jobsText({ version, workspace, environments, store }: CiSettings): string {
  return `# Written by \`agentform init --ci gitlab\`. docs/gitops.md of agentform says why it is as it is.
#
# Variables of the project:
#   GITLAB_TOKEN           comments: a project access token, role Reporter, scope api; masked
#   AGENTFORM_PUSH_TOKEN   pushes the state: role Developer or more, scope write_repository; masked and protected
#   and what \`agentform apply\` needs; masked and protected

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
    # Away from the checkout, so that none of its files has a say in what is installed and run.
    - cd / && npm install --global --ignore-scripts agentform@${version}
    - export AGENTFORM_CI="$(npm root --global)/agentform/ci"
    - cd "$CI_PROJECT_DIR"

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
    - export AGENTFORM_GIT_USER=agentform AGENTFORM_GIT_TOKEN="$AGENTFORM_PUSH_TOKEN"
    - sh "$AGENTFORM_CI/merged.sh"
  # Of a job that was cancelled or ran out of time, the state is saved here.
  after_script:
    - export AGENTFORM_CI="$(cd / && npm root --global)/agentform/ci"
    - export AGENTFORM_GIT_USER=agentform AGENTFORM_GIT_TOKEN="$AGENTFORM_PUSH_TOKEN"
    - sh "$AGENTFORM_CI/save-state.sh"
`;
}
