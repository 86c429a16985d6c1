import { join } from "node:path";
import { UsageError } from "../exit-code.js";
import { groupBy } from "../../json/groups.js";
import { hostEnvironment } from "./filled-template.js";
import { readCiWorkspace, type CiSettings, type CiWorkspace } from "./ci-workspace.js";
import { isSameJobs, isTogether } from "./job-facts.js";
import { suffixFor, type PresentFile } from "./present-jobs.js";
import type { Ci } from "./reserved-secrets.js";

/** Gives the settings of a workspace's jobs: what a person has added to them is part of what they are meant to say. */
export function ownSettings(
  settings: Omit<CiSettings, "suffix">,
  present: readonly PresentFile[],
  isForSome: boolean,
): CiSettings {
  const suffix = suffixFor(settings, present);
  const facts = present
    .filter((each) => each.suffix === suffix || isSameJobs(each.facts.workspace, settings.workspace))
    .map((each) => each.facts);
  const join = (name: "environments" | "secrets" | "storeSecrets" | "lookSecrets") => [
    ...new Set([...(settings[name] ?? []), ...facts.flatMap((each) => each[name] ?? [])]),
  ];
  const [branch = settings.branch] = facts.flatMap((each) => each.branch ?? []);
  return {
    ...settings,
    suffix,
    branch,
    environments: isForSome ? join("environments") : settings.environments,
    secrets: join("secrets"),
    storeSecrets: join("storeSecrets"),
    ...(settings.lookSecrets && { lookSecrets: join("lookSecrets") }),
  };
}

/** Compares the jobs that are there for other workspaces than the one that is asked for. */
export async function compareOthers(
  asked: string,
  all: boolean,
  root: string,
  folders: readonly string[],
  present: readonly PresentFile[],
  ci: Ci,
) {
  const owners = new Set(present.flatMap(({ facts }) => facts.workspace ?? []));
  const computed = [...owners].find((owner) => owner.includes("$"));
  if (computed !== undefined && !owners.has(asked))
    throw new UsageError(
      `jobs of this repository are for the workspace \`${computed}\`, which is known to the CI alone: compare them by hand`,
    );
  if (!all && [...owners].some(isTogether))
    throw new UsageError(
      "jobs of this repository are for all its workspaces together",
      `\`agentform init --ci ${ci} --all\` brings them up to date`,
    );
  const named = new Set([...owners].filter((owner) => !isSameJobs(owner, asked)));
  const [compared, left] = [
    [] as (Extract<CiWorkspace, { ok: true }> & { settings: CiSettings })[],
    [] as string[],
  ];
  for (const workspace of named) {
    const files = present.filter(({ facts }) => facts.workspace === workspace).map(({ file }) => file);
    if (asked.split("\n").includes(workspace)) {
      left.push(
        `${files.join(", ")}: delete them, because the jobs for all workspaces have \`${workspace}\``,
      );
      continue;
    }
    // Not every folder that a job names is one of this repository.
    const other = folders.includes(workspace)
      ? await readCiWorkspace(join(root, workspace), null, ci)
      : undefined;
    if (other?.ok) compared.push({ ...other, settings: ownSettings(other.settings, present, false) });
    else if (other) left.push(`${workspace}: it has errors, so its jobs were not compared`);
    else if (workspace !== computed)
      left.push(
        `${files.join(", ")}: there is no workspace \`${workspace.split("\n").join(", ")}\` in this repository`,
      );
  }
  return { compared, left, named };
}

/** Says which workspaces have jobs with an environment of one name at the code host, and so with one set of secrets. */
export function sharedEnvironments(all: readonly CiSettings[]): string[] {
  const named = all.flatMap(({ workspace, suffix, environments }) =>
    environments.map((each) => ({ workspace, name: hostEnvironment(suffix, each) })),
  );
  const byName = groupBy(named, ({ name }) => name.toLowerCase());
  return [...byName.values()].flatMap(([one, other]) =>
    other === undefined || other.workspace === one.workspace
      ? []
      : `the jobs of \`${one.workspace}\` and \`${other.workspace}\` share the environment \`${one.name}\`, with its secrets and approvals: delete the jobs of one, and run this for it, which gives it another name`,
  );
}

/** Refuses workspaces of one name, which is in comments and in the place of a state; throws UsageError. */
export function refuseSameNames(all: readonly { readonly names: Readonly<Record<string, string>> }[]): void {
  const byName = new Map<string, string>();
  for (const [folder, name] of all.flatMap(({ names }) => Object.entries(names))) {
    const other = byName.get(name);
    byName.set(name, folder);
    if (other === undefined) continue;
    throw new UsageError(
      `the workspaces \`${other}\` and \`${folder}\` are both called \`${name}\`, so they would share a comment and a state: change \`metadata.name\` of one of them`,
    );
  }
}
