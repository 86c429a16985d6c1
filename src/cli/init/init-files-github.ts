import type { CiSettings } from "./ci-settings.js";
import { installedFiles } from "./init-files-package.js";

// Pinned to the commit of the version beside it.
const setupNode = "actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0";
const checkout = "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0";
const uploadArtifact = "actions/upload-artifact@330a01c490aca151604b8cf639adc76d48f6c5d4 # v5.0.0";
const downloadArtifact = "actions/download-artifact@018cc2cf5baa6db3ef3c5f8a56943fffe632ef53 # v6.0.0";

/** The folder with agentform itself, from the root of the repository. */
export const githubPackage = ".github/agentform";

const runner = "ubuntu-24.04";
const head = "# Written by `agentform init --ci github`. docs/gitops.md of agentform explains it.";

/** Gives the workflows of GitHub Actions by their path from the root of the repository. */
export function githubFiles(settings: CiSettings): Readonly<Record<string, string>> {
  return {
    ".github/workflows/agentform-plan.yml": planWorkflow(settings),
    ".github/workflows/agentform-comment.yml": commentWorkflow(settings),
    ".github/workflows/agentform-apply.yml": applyWorkflow(settings),
  };
}

function planWorkflow(settings: CiSettings): string {
  return `${head}
# It plans what a merge of the pull request would apply. It holds no secret, so it may run for forks.
name: agentform plan

on:
  pull_request:

permissions: {}

concurrency:
  group: agentform-plan-\${{ github.event.pull_request.number }}
  cancel-in-progress: true

jobs:
  plan:
    runs-on: ${runner}
    timeout-minutes: 10
    permissions:
      contents: read
${matrix(settings)}
    env:
${variables(settings)}
    steps:
      # The merge of the pull request, whose first parent is the base with the lock.
      - uses: ${checkout}
        with:
          fetch-depth: ${settings.store === "file" ? 0 : 2}
          persist-credentials: false
${installation(["HEAD^1", "HEAD"])}
      - name: Plan
        env:
          AGENTFORM_GIT_TOKEN: \${{ github.token }}
        run: sh "$AGENTFORM_CI/plan.sh"
      - uses: ${uploadArtifact}
        with:
          name: agentform-plan-\${{ matrix.environment }}
          path: \${{ runner.temp }}/agentform-plan.json
          if-no-files-found: error
          retention-days: 7
`;
}

function commentWorkflow(settings: CiSettings): string {
  return `${head}
# It comments with the plan. It may write comments, so it never sees the code of the pull request: what it checks
# out is the default branch, for agentform itself.
name: agentform comment

on:
  workflow_run:
    workflows: [agentform plan]
    types: [completed]

permissions: {}

concurrency:
  group: agentform-comment-\${{ github.event.workflow_run.head_repository.full_name }}-\${{ github.event.workflow_run.head_branch }}
  cancel-in-progress: false

jobs:
  comment:
    if: github.event.workflow_run.event == 'pull_request' && github.event.workflow_run.conclusion == 'success'
    runs-on: ${runner}
    timeout-minutes: 10
    permissions:
      actions: read
      contents: read
      pull-requests: write
${matrix(settings)}
    steps:
      - uses: ${checkout}
        with:
          persist-credentials: false
${installation(["HEAD"])}
      - uses: ${downloadArtifact}
        with:
          name: agentform-plan-\${{ matrix.environment }}
          path: plan
          run-id: \${{ github.event.workflow_run.id }}
          github-token: \${{ github.token }}
      - name: Comment
        env:
          GITHUB_TOKEN: \${{ github.token }}
        run: agentform comment --plan plan/agentform-plan.json
`;
}

function applyWorkflow(settings: CiSettings): string {
  return `${head}
# It applies what was merged, if the plan is still the one that the comment shows.
name: agentform apply

on:
  push:
    branches: [${JSON.stringify(settings.branch)}]
  workflow_dispatch:
    inputs:
      digest:
        description: The digest of the plan to apply; the one that the comment shows unless given
        type: string

permissions: {}

jobs:
  apply:
    if: github.ref_name == ${quoted(settings.branch)}
    runs-on: ${runner}
    timeout-minutes: 60
    permissions:
      contents: write
      pull-requests: write
${matrix(settings)}
    # Its secrets are for this job alone, and its rules say who approves.
    environment: \${{ matrix.environment }}
    # One waits for the other. Nothing that is under way is ever cancelled.
    concurrency:
      group: agentform-apply-\${{ matrix.environment }}
      cancel-in-progress: false
    env:
${variables(settings)}
    steps:
      - uses: ${checkout}
        with:
          persist-credentials: false
${installation(["HEAD"])}
      - name: See what was reviewed
        env:
          AGENTFORM_EXPECT: \${{ inputs.digest }}
          AGENTFORM_GIT_TOKEN: \${{ github.token }}
          GITHUB_TOKEN: \${{ github.token }}
${secretLines(settings.storeSecrets)}        run: sh "$AGENTFORM_CI/reviewed.sh"
      - name: Apply
        env:
          AGENTFORM_GIT_TOKEN: \${{ github.token }}
${secretLines(settings.secrets)}        run: sh "$AGENTFORM_CI/apply.sh"
${settings.store === "file" ? savingSteps() : ""}      - name: Report what is left to apply
        if: failure()
        env:
          AGENTFORM_GIT_TOKEN: \${{ github.token }}
          GITHUB_TOKEN: \${{ github.token }}
${secretLines(settings.storeSecrets)}        run: sh "$AGENTFORM_CI/report.sh"
`;
}

function secretLines(names: readonly string[]): string {
  return names.map((name) => `          ${name}: \${{ secrets.${name} }}\n`).join("");
}

// The lock must not be lost with the runner, however the apply ended.
function savingSteps(): string {
  return `      - name: Save the state
        id: save
        if: always()
        env:
          AGENTFORM_GIT_TOKEN: \${{ github.token }}
        run: sh "$AGENTFORM_CI/save-state.sh"
      - if: always() && steps.save.outcome == 'failure'
        uses: ${uploadArtifact}
        with:
          name: agentform-state-\${{ matrix.environment }}
          path: \${{ runner.temp }}/agentform-plan.json.state
`;
}

function matrix({ environments }: CiSettings): string {
  return `    strategy:
      fail-fast: false
      matrix:
        environment: ${JSON.stringify(environments)}`;
}

function variables({ workspace, store, branch }: CiSettings): string {
  return `      AGENTFORM_WORKSPACE: ${JSON.stringify(workspace)}
      AGENTFORM_ENVIRONMENT: \${{ matrix.environment }}
      AGENTFORM_STORE: ${store}
      AGENTFORM_BRANCH: ${JSON.stringify(branch)}`;
}

// A change must not influence the tool that plans it, unless the branch has no agentform yet; and no file of the
// checkout, such as an .npmrc, may influence how the tool is installed.
function installation(commits: readonly string[]): string {
  const [first = "", ...others] = commits.map((commit) => `"${commit}:${githubPackage}"`);
  const found = [
    `git rev-parse --verify --quiet ${first}`,
    ...others.map((each) => `git rev-parse --verify ${each}`),
  ];
  return `      - uses: ${setupNode}
        with:
          node-version: 22
          package-manager-cache: false
      - name: Install agentform
        run: |
          export GIT_DIR="$GITHUB_WORKSPACE/.git"
          folder=$(${found.join(" || ")})
          mkdir "$RUNNER_TEMP/agentform"
          for file in ${installedFiles.join(" ")}; do
            git cat-file blob "$folder:$file" >"$RUNNER_TEMP/agentform/$file"
          done
          cd "$RUNNER_TEMP/agentform"
          npm ci --offline --ignore-scripts --no-audit --no-fund
          echo "AGENTFORM_CI=$PWD/node_modules/agentform/ci" >>"$GITHUB_ENV"
          echo "$PWD/node_modules/.bin" >>"$GITHUB_PATH"`;
}

// A text in an expression of GitHub, inside a YAML text of its own.
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
