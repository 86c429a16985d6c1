import { SurroundingsError, type Discussion } from "./discussion.js";
import { machineClock, type Clock } from "./patient-fetch.js";

/** The forges that can be commented on. */
export const forges = ["github", "gitlab"] as const;
export type Forge = (typeof forges)[number];

/**
 * Opens the comments of the pull request or merge request that this run is about; throws SurroundingsError where
 * the environment lacks something, and ForgeError where the forge refuses.
 */
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
    "neither GITHUB_ACTIONS nor GITLAB_CI is `true` here: name the forge with --on github or --on gitlab",
  );
}
