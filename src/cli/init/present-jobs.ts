import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isFolder } from "../../disk/make-folder.js";
import { refuseLinks } from "../../disk/refuse-links.js";
import { filesNamed } from "../../git/listed-names.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import type { CiSettings } from "./ci-workspace.js";
import { hostEnvironment } from "./filled-template.js";
import { githubJobs } from "./init-files-github.js";
import { gitlabJobs } from "./init-files-gitlab.js";
import { isSameJobs, isTogether, readFacts, type JobFacts } from "./job-facts.js";
import type { Ci } from "./reserved-secrets.js";

/** A file with jobs that is in the repository. */
export interface PresentFile {
  /** From the root of the repository. */
  readonly file: string;
  /** Which of a workspace's files it is: `plan`, `comment`, `apply` or `drift`; one of GitLab has all jobs. */
  readonly role: string;
  /** What its name ends with; undefined if a person gave it another name. */
  readonly suffix?: string;
  readonly text: string;
  readonly facts: JobFacts;
}

const places = {
  github: { folder: githubJobs, name: /^agentform-(plan|comment|apply|drift)(-.+)?\.yml$/ },
  gitlab: { folder: gitlabJobs, name: /^agentform()(-.+)?\.yml$/ },
};

/** Gives which of a workspace's files a rendered one is. */
export function roleOf(file: string, ci: Ci): string | undefined {
  return places[ci].name.exec(file.slice(file.lastIndexOf("/") + 1))?.[1];
}

/** Reads the files with jobs of all workspaces; throws LinkError where their folder is behind a link. */
export function readPresentJobs(root: string, ci: Ci): PresentFile[] {
  const { folder, name: pattern } = places[ci];
  refuseLinks(join(root, folder, "agentform.yml"), [root]);
  if (!isFolder(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry;
    if (!entry.isFile() || !/\.ya?ml$/.test(name)) return [];
    const file = `${folder}/${name}`;
    const text = readFileSync(join(root, file), "utf8");
    const facts = readFacts(text);
    const [found, role = "", suffix = ""] = pattern.exec(name) ?? [];
    if (found !== undefined) return [{ file, role, suffix, text, facts }];
    const [, step = ""] = ci === "github" ? (/\$AGENTFORM_CI\/(plan|apply|drift)\.sh/.exec(text) ?? []) : [];
    return facts.workspace === undefined ? [] : [{ file, role: step, text, facts }];
  });
}

/** Gives a free suffix, or the present one; `a` with environment `b-c` would share secrets with `a-b` and `c`. */
export function suffixFor(
  { workspace, environments }: Pick<CiSettings, "workspace" | "environments">,
  present: readonly PresentFile[],
): string {
  const owners = new Map<string, string | undefined>();
  const taken = new Set<string>();
  for (const { suffix, facts } of present) {
    if (suffix === undefined) continue;
    owners.set(suffix, owners.get(suffix) ?? facts.workspace);
    for (const each of facts.environments ?? []) taken.add(hostEnvironment(suffix, each).toLowerCase());
  }
  const isAll = isTogether(workspace);
  const own = [...owners].find(([, owner]) => isSameJobs(owner, workspace));
  if (own) return own[0];
  const name = (isAll ? "all" : workspace)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  const numbered = Array.from(
    { length: owners.size + taken.size + 1 },
    (_, index) => `-${name || "root"}-${index + 2}`,
  );
  const isTaken = (suffix: string) =>
    environments.some((each) => taken.has(hostEnvironment(suffix, each).toLowerCase()));
  const free = ["", `-${name || "root"}`, ...numbered].find(
    (each) => owners.get(each) === undefined && !isTaken(each),
  );
  return free ?? "";
}

/** Finds the folders of all workspaces of a repository, from its root; none without git. */
export function workspacesOf(root: string): string[] {
  return filesNamed(root, manifestFile)
    .filter((file) => existsSync(join(root, file)))
    .map((file) => dirname(file))
    .toSorted();
}
