import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { Repository } from "./repository.js";

/** How far a run of git may reach: only this repository, or also its remotes. */
export type GitReach = "local" | "remote";

/** A program, its arguments and its environment. */
export interface GitCall {
  /** Undefined if git is not installed. */
  readonly program: string | undefined;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Switches off what a repository's configuration could make git run; raw objects need no filter or textconv. */
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
  // What it says is read as this.
  "i18n.logOutputEncoding=UTF-8",
  // A log of one path would be that of a file's other names, and of a pattern none.
  "log.follow=false",
  // No automatic clean-up of the user's repository.
  "gc.auto=0",
  "maintenance.auto=false",
];
const flags = ["--no-pager", "--no-optional-locks", "--no-replace-objects", "--literal-pathspecs"];

// Others may name another repository, a program or a file to write. CI systems pass tokens and helpers in these.
const kept =
  /^GIT_(ALLOW_PROTOCOL|ASKPASS|CONFIG_(COUNT|(KEY|VALUE)_\d+|GLOBAL|SYSTEM|NOSYSTEM)|EXEC_PATH|HTTP_[A-Z_]+|PROXY_[A-Z_]+|SSH|SSH_[A-Z_]+|SSL_[A-Z_]+)$/;

// With `ext` an address can run a command. Checkouts need only these; who uses a helper sets the variable.
const protocols = "file:git:http:https:ssh";

/** Gives the call of git in a known repository. */
export function gitCall(
  { root, gitDir }: Repository,
  args: readonly string[],
  reach: GitReach = "local",
): GitCall {
  return call(["-C", root, `--git-dir=${gitDir}`, `--work-tree=${root}`], args, reach, {});
}

/** Gives the call that asks git where the repository of a folder is, and whether git trusts its owner. */
export function searchCall({ root }: Repository): GitCall {
  return call(["-C", root], ["rev-parse", "--absolute-git-dir"], "local", {
    GIT_CEILING_DIRECTORIES: dirname(root),
  });
}

function call(
  place: readonly string[],
  args: readonly string[],
  reach: GitReach,
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
      // A repository with missing objects would fetch them, with any program that it names.
      GIT_NO_LAZY_FETCH: "1",
      GIT_ALLOW_PROTOCOL: reach === "remote" ? GIT_ALLOW_PROTOCOL : "none",
      ...more,
    },
  };
}

/** Finds the git program; undefined if there is none. By itself, Windows would first look in the current folder. */
function gitProgram({ PATH = "" }: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  if (platform !== "win32") return "git";
  const places = PATH.split(delimiter).filter((folder) => isAbsolute(folder));
  return places.map((folder) => join(folder, "git.exe")).find((file) => existsSync(file));
}
