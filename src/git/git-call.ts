import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { Repository } from "./repository.js";

/** What a run of git may reach: this repository alone, or also its remotes. */
export type Reach = "local" | "remote";

/** A program with its arguments and environment. */
export interface GitCall {
  /** Undefined where git is not installed. */
  readonly program: string | undefined;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/**
 * What the configuration of a repository may not have done on the way. Git is given the raw files and objects to
 * look at, so that no filter, no textconv and no external diff comes into it.
 */
const settings = [
  "safe.bareRepository=explicit",
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.alternateRefsCommand=",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "push.recurseSubmodules=no",
  "commit.gpgSign=false",
  "push.gpgSign=false",
  // Nothing is tidied up behind the user's back.
  "gc.auto=0",
  "maintenance.auto=false",
];
const flags = ["--no-pager", "--no-optional-locks", "--no-replace-objects", "--literal-pathspecs"];

// Any other variable of git's may name another repository, a program or a file to write. These say how to reach a
// remote and where the user's configuration is, and CI gives tokens and helpers by them.
const kept =
  /^GIT_(ALLOW_PROTOCOL|ASKPASS|CONFIG_(COUNT|(KEY|VALUE)_\d+|GLOBAL|SYSTEM|NOSYSTEM)|EXEC_PATH|HTTP_[A-Z_]+|PROXY_[A-Z_]+|SSH|SSH_[A-Z_]+|SSL_[A-Z_]+)$/;

// `ext` would run what an address says. A checkout's own remotes need no other; whoever uses a helper of their own
// says so in the environment.
const protocols = "file:git:http:https:ssh";

/** Gives the call of git in a repository that is known. */
export function gitCall(
  { root, gitDir }: Repository,
  args: readonly string[],
  reach: Reach = "local",
): GitCall {
  return call(["-C", root, `--git-dir=${gitDir}`, `--work-tree=${root}`], args, reach, {});
}

/** Gives the call that asks git whether it takes the repository of a folder for its own user's, and where it is. */
export function searchCall({ root }: Repository): GitCall {
  return call(["-C", root], ["rev-parse", "--absolute-git-dir"], "local", {
    GIT_CEILING_DIRECTORIES: dirname(root),
  });
}

function call(
  place: readonly string[],
  args: readonly string[],
  reach: Reach,
  more: NodeJS.ProcessEnv,
): GitCall {
  const given = settings.flatMap((setting) => ["-c", setting]);
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("GIT_") || kept.test(name),
  );
  const { GIT_ALLOW_PROTOCOL = protocols, ...surroundings } = Object.fromEntries(inherited);
  return {
    program: gitProgram(process.env, process.platform),
    args: [...place, ...flags, ...given, ...args],
    env: {
      ...surroundings,
      LC_ALL: "C",
      GIT_TERMINAL_PROMPT: "0",
      GCM_INTERACTIVE: "never",
      // A repository that lacks objects would fetch them, with whatever program it names.
      GIT_NO_LAZY_FETCH: "1",
      GIT_ALLOW_PROTOCOL: reach === "remote" ? GIT_ALLOW_PROTOCOL : "none",
      ...more,
    },
  };
}

/** Finds the program to start; undefined where there is none. Windows would look in the folder that it is started in first. */
function gitProgram({ PATH = "" }: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  if (platform !== "win32") return "git";
  const places = PATH.split(delimiter).filter((folder) => isAbsolute(folder));
  return places.map((folder) => join(folder, "git.exe")).find((file) => existsSync(file));
}
