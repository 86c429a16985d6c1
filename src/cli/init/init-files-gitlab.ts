import { storesIn } from "../../core/resources/store-place.js";
import { templates } from "../../generated/templates.js";
import type { CiSettings } from "./ci-workspace.js";
import { fillTemplate, namesOf } from "./filled-template.js";
import { installedFiles } from "./own-package.js";

/** The folder with the jobs, from the root of the repository. */
export const gitlabJobs = ".gitlab";

/** The folder with agentform itself, from the root of the repository. */
export const gitlabPackage = ".gitlab/agentform";

/** Gives the files of GitLab CI by their path from the root of the repository. */
export function gitlabFiles(settings: CiSettings): Readonly<Record<string, string>> {
  const { suffix, workspace, environments, place, lookSecrets } = settings;
  const isPushed = isPushedFrom(place);
  const jobs = fillTemplate(templates["gitlab/agentform.yml"], {
    ...namesOf(suffix),
    workspace: JSON.stringify(workspace),
    environments: JSON.stringify(environments),
    // A `$` would begin a variable of GitLab's.
    place: /^\w+$/.test(place) ? place : JSON.stringify(place.replaceAll("$", "$$$$")),
    "state-is-pushed": isPushed,
    looks: lookSecrets !== undefined,
    "state-in-gitlab": storesIn(place).includes("http"),
    token: isPushed
      ? 'AGENTFORM_GIT_USER=agentform AGENTFORM_GIT_TOKEN="$AGENTFORM_PUSH_TOKEN"'
      : 'AGENTFORM_GIT_USER=gitlab-ci-token AGENTFORM_GIT_TOKEN="$CI_JOB_TOKEN"',
    package: gitlabPackage,
    "installed-files": installedFiles.join(" "),
  });
  return { [`${gitlabJobs}/agentform${suffix}.yml`]: jobs };
}

/** The tokens that the jobs themselves need, beside the secrets of their workspaces. */
export function gitlabTokens({ place }: Pick<CiSettings, "place">): string[] {
  return ["GITLAB_TOKEN", ...(isPushedFrom(place) ? ["AGENTFORM_PUSH_TOKEN"] : [])];
}

function isPushedFrom(place: string): boolean {
  return storesIn(place).some((store) => store === "file" || store === "git");
}
