import { templates } from "../../generated/templates.js";
import { storesIn } from "../../core/resources/store-place.js";
import type { CiSettings } from "./ci-workspace.js";
import { fillTemplate, namesOf } from "./filled-template.js";
import { installedFiles } from "./own-package.js";

// Pinned to the commit of the version beside it.
const actions = {
  "setup-node": "actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0",
  checkout: "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0",
  "upload-artifact": "actions/upload-artifact@330a01c490aca151604b8cf639adc76d48f6c5d4 # v5.0.0",
  "download-artifact": "actions/download-artifact@018cc2cf5baa6db3ef3c5f8a56943fffe632ef53 # v6.0.0",
};

/** The folder with the workflows, from the root of the repository. */
export const githubJobs = ".github/workflows";

/** The folder with agentform itself, from the root of the repository. */
export const githubPackage = ".github/agentform";

/** Gives the workflows of GitHub Actions by their path from the root of the repository. */
export function githubFiles(settings: CiSettings): Readonly<Record<string, string>> {
  const { suffix, workspace, environments, place, branch, secrets, storeSecrets, lookSecrets } = settings;
  const isInFiles = storesIn(place).includes("file");
  const values = {
    ...actions,
    ...namesOf(suffix),
    workspace: JSON.stringify(workspace),
    environments: JSON.stringify(environments),
    place: /^\w+$/.test(place) ? place : JSON.stringify(place),
    branch: JSON.stringify(branch),
    // A tag may have the name of the branch.
    "quoted-ref": quoted(`refs/heads/${branch}`),
    // A plan looks for earlier locks in all of history.
    depth: isInFiles ? "0" : "2",
    // The lock must not be lost with the runner, however the apply ended.
    "state-in-files": isInFiles,
    secrets: secretLines(secrets),
    "state-secrets": secretLines(storeSecrets),
    "look-secrets": secretLines(lookSecrets ?? []),
  };
  const workflow = (name: "plan" | "comment" | "apply" | "drift", commits: readonly string[]) => ({
    [`${githubJobs}/agentform-${name}${suffix}.yml`]: fillTemplate(
      templates[`github/agentform-${name}.yml`],
      {
        ...values,
        installation: installation(commits),
      },
    ),
  });
  return {
    ...workflow("plan", ["HEAD^1", "HEAD"]),
    ...workflow("comment", ["HEAD"]),
    ...workflow("apply", ["HEAD"]),
    ...(lookSecrets && workflow("drift", ["HEAD"])),
  };
}

function secretLines(names: readonly string[]): readonly string[] {
  return names.map((name) => `${name}: \${{ secrets.${name} }}`);
}

// No change may influence the tool that plans it, unless the branch has none; no .npmrc here may, how it is installed.
function installation(commits: readonly string[]): readonly string[] {
  const [first = "", ...others] = commits.map((commit) => `"${commit}:${githubPackage}"`);
  const found = [
    `git rev-parse --verify --quiet ${first}`,
    ...others.map((each) => `git rev-parse --verify ${each}`),
  ];
  const steps = fillTemplate(templates["github/installation.yml"], {
    ...actions,
    folder: found.join(" || "),
    "installed-files": installedFiles.join(" "),
  });
  return steps.trimEnd().split("\n");
}

// A text in an expression of GitHub, inside a YAML text of its own.
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
