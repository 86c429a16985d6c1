import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Emulator, EmulatorOptions } from "../../src/emulator/emulator.js";
import { openEmulator, runIn, type Ran } from "../cli/desk.js";
import { documentText, makeWorkspace, type DiskWorkspace } from "../harness/disk-workspace.js";

/** Several workspaces of one repository, at one service. */
export interface Platform {
  readonly workspace: DiskWorkspace;
  readonly emulator: Emulator;
  /** Runs a command in the folder of one of them, or at the top. */
  run(folder: string, ...args: readonly string[]): Promise<Ran>;
  /** Applies one of them, and expects that it works. */
  apply(folder: string, ...args: readonly string[]): Promise<void>;
}

/** The manifest of a workspace at the service of a platform, with further keys of `spec` as YAML in one line. */
export function manifestOf(name: string, url: string, ...more: readonly string[]): string {
  const lines = [
    `service: {base_url: "${url}", rai_base_url: "${url}", api_key: "\${env:AGENT_API_KEY}"}`,
    ...more,
  ];
  return `apiVersion: agentform/v1
kind: Workspace
metadata: {name: ${name}}
spec:
${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** A policy of a name that bans a topic. */
export const policy = (name: string, topic = "weapons"): string =>
  documentText("Policy", name, { name, banned_topics: { enabled: true, topics: [topic] } });

/** An agent with a policy, and what else is given. */
export const guarded = (reference: string, more: object = {}): string =>
  documentText("Agent", "support", {
    name: "Support",
    features: [{ type: "RAI", priority: 0, config: { policy_id: reference } }],
    ...more,
  });

/** Makes a repository with these files; `URL` in a text is the address of the service. */
export async function openPlatform(
  files: Readonly<Record<string, string>>,
  options: EmulatorOptions = {},
): Promise<Platform> {
  const emulator = await openEmulator(options);
  const filled = (each: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(each).map(([file, text]) => [file, text.replaceAll("URL", emulator.url)]),
    );
  const workspace = makeWorkspace({});
  workspace.remove("agentform.yaml");
  workspace.write({ ".gitignore": ".agentform/\n", ...filled(files) });
  git(workspace.directory, "init", "-q", "-b", "main");
  const run = (folder: string, ...args: readonly string[]) => runIn(join(workspace.directory, folder), args);
  return {
    workspace: { ...workspace, write: (more) => workspace.write(filled(more)) },
    emulator,
    run,
    async apply(folder, ...args) {
      const ran = await run(folder, "apply", "--yes", ...args);
      if (ran.code !== 0) throw new Error(ran.out + ran.err);
    },
  };
}

/** Runs git in a folder. */
export function git(folder: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgSign=false"];
  return execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" });
}

/** The files of a platform where `care` uses the policy of `guard`. */
export const twoTeams: Readonly<Record<string, string>> = {
  "guard/agentform.yaml": manifestOf("guard", "URL"),
  "guard/policies/strict.yaml": policy("strict"),
  "care/agentform.yaml": manifestOf("care", "URL", "uses: {guard: {workspace: ../guard}}"),
  "care/agents/support.yaml": guarded("${policy:strict@guard}"),
};
