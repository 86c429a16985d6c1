import { onTestFinished, expect, test } from "vitest";
import { parse } from "yaml";
import { githubFiles } from "../../src/cli/init/init-files-github.js";
import { gitlabFiles, gitlabPackage } from "../../src/cli/init/init-files-gitlab.js";
import { startEmulator } from "../../src/emulator/emulator.js";
import { fullManifest } from "../cli/full-desk.js";
import { documentText } from "../harness/disk-workspace.js";
import { sample } from "../harness/tier.js";
import { runCli } from "../package/run-cli.js";
import { installed } from "./desk.js";
import type { GitlabJob } from "./gitlab-team.js";
import { Machine } from "./job-process.js";
import { Repository } from "./repository.js";
import { runWorkflow } from "./workflow.js";

const secrets = { AGENT_API_KEY: "k3y-value", STATE_SEAL: "5eal-value-of-32-characters-or-more" };
const settings = {
  suffix: "",
  workspace: ".",
  environments: ["production"],
  place: "git",
  branch: "main",
  secrets: [...Object.keys(secrets), "OF_A_DOCUMENT"],
  storeSecrets: [],
  lookSecrets: Object.keys(secrets),
};

interface Nightly {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the nightly job in a fresh clone, as its code host does. */
const jobs = {
  github: async (repository: Repository, machine: Machine): Promise<Nightly> => {
    const text = githubFiles(settings)[".github/workflows/agentform-drift.yml"] ?? "";
    expect(text).not.toContain("OF_A_DOCUMENT");
    const { codes, output } = await runWorkflow(text, {
      repository,
      machine,
      ref: "refs/heads/main",
      env: {},
      contexts: {
        "matrix.environment": "production",
        "github.token": "t0ken",
        ...Object.fromEntries(Object.entries(secrets).map(([name, value]) => [`secrets.${name}`, value])),
      },
      artifacts: repository.folder,
    });
    return { code: codes["Look"] ?? null, output };
  },
  gitlab: async (repository: Repository, machine: Machine): Promise<Nightly> => {
    const all = parse(gitlabFiles(settings)[".gitlab/agentform.yml"] ?? "") as Record<string, GitlabJob>;
    const job = { ...all[".agentform"], ...all["agentform-drift"] };
    const checkout = repository.checkOut("refs/heads/main", 0);
    return await machine.run([...(job.before_script ?? []), ...(job.script ?? [])].join("\n"), checkout, {
      ...job.variables,
      ...secrets,
      AGENTFORM_ENVIRONMENT: "production",
      AGENTFORM_BRANCH: "main",
      CI_JOB_ID: "71",
      CI_JOB_TOKEN: "job-t0ken",
      CI_PROJECT_DIR: checkout,
      CI_PROJECT_URL: repository.url.replace(/\.git$/, ""),
    });
  },
};

test.each(sample("code hosts", ["github", "gitlab"] as const, 0))(
  "the nightly job of %s sees, in a fresh clone, what somebody changed in the service",
  async (host) => {
    const emulator = await startEmulator({ operations: "full" });
    onTestFinished(() => emulator.close());
    const more = `  environments: {production: {}}\n  lock: {store: git, seal: "\${env:STATE_SEAL}"}\n`;
    const repository = new Repository({
      "agentform.yaml": fullManifest(emulator.url, undefined, more),
      "agents/support.yaml": documentText("Agent", "support", { name: "Support", temperature: 0.2 }),
      ...installed(host === "github" ? ".github/agentform" : gitlabPackage),
    });
    const machine = new Machine(repository.folder);
    const clone = repository.checkOut("refs/heads/main", 0);
    const applied = await runCli(["apply", "-e", "production", "--yes"], { cwd: clone, env: secrets });
    expect(applied.code, applied.stderr).toBe(0);
    const before = await jobs[host](repository, machine);
    expect(before.code, before.output).toBe(0);

    const [, id = ""] = /agent:support: created \((\w+)\)/.exec(applied.stdout + applied.stderr) ?? [];
    emulator.edit({ kind: "agent", id, changes: { temperature: 0.9 } });
    const after = await jobs[host](repository, machine);
    expect(after.code, after.output).toBe(2);
    if (host === "gitlab") expect(after.output).toContain("temperature");
  },
);
