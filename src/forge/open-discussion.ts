import { SurroundingsError, type Discussion } from "./discussion.js";
import { machineClock, type Clock } from "./patient-fetch.js";

/** The forges on which agentform can comment. */
export const forges = ["github", "gitlab"] as const;
export type Forge = (typeof forges)[number];

/** Opens the comments of this run's pull or merge request; throws SurroundingsError or ForgeError. */
export async function openDiscussion(
  on: Forge | undefined,
  env: NodeJS.ProcessEnv,
  clock: Clock = machineClock,
): Promise<Discussion> {
  if ((on ?? detectForge(env)) === "github") {
    const { openGithub } = await import("./github.js");
    return await openGithub(env, clock);
  }
  const { openGitlab } = await import("./gitlab.js");
  return await openGitlab(env, clock);
}

function detectForge({ GITHUB_ACTIONS, GITLAB_CI }: NodeJS.ProcessEnv): Forge {
  if (GITHUB_ACTIONS === "true") return "github";
  if (GITLAB_CI === "true") return "gitlab";
  throw new SurroundingsError(
    "neither GITHUB_ACTIONS nor GITLAB_CI is `true`: choose the code host with --on github or --on gitlab",
  );
}
