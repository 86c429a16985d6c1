import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { commandFacts } from "../../src/cli/command-effects.js";
import { main } from "../../src/cli/main.js";
import { makeCacheFolder } from "../harness/cache-folder.js";
import { documentText, makeWorkspace, type DiskWorkspace } from "../harness/disk-workspace.js";
import { canaries, findCanaries } from "./canaries.js";

/** The manifest of a workspace whose service is at `url`. */
export function manifestAt(url: string, more = ""): string {
  return `apiVersion: agentform/v1
kind: Workspace
metadata: {name: desk}
spec:
  service: {base_url: "${url}", rai_base_url: "${url}", api_key: "\${env:AGENT_API_KEY}"}
${more}`;
}

/** Documents with a secret in every place that may hold one, at a revision. */
export function documentsAt(revision: number): Record<string, string> {
  const env = (name: string): string => `\${env:${name}@${revision}}`;
  return {
    "policies/strict.yaml": documentText("Policy", "strict", { name: "Strict" }),
    "credentials/provider.yaml": documentText("Credential", "provider", {
      name: "Provider",
      credentials: {
        api_key: env("CREDENTIAL"),
        signing: { keys: [{ id: env("SIGNING_KEY"), pair: `${env("SIGNING_KEY")}:${env("CREDENTIAL")}` }] },
      },
    }),
    "toolsets/desk.yaml": documentText("ToolSet", "desk", {
      tool_set_name: "desk",
      openapi_schema: {
        openapi: "3.1.0",
        info: { title: "Desk", version: "1" },
        paths: {
          "/x": { get: { operationId: "list", responses: {} }, post: { operationId: "add", responses: {} } },
        },
      },
      default_headers: { Authorization: `Bearer ${env("HEADER_TOKEN")}` },
      enhance_descriptions: true,
      provider_api_key: env("ENHANCER_KEY"),
    }),
    "agents/support.yaml": documentText("Agent", "support", {
      name: "Support",
      description: `At revision ${revision}`,
      tools: ["${toolset:desk}"],
      llm_credential_id: "${credential:provider}",
      features: [{ type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } }],
    }),
  };
}

/** An agent whose prompt has a secret in a longer text; no emulator masks it there. */
export const promptingAgent: Readonly<Record<string, string>> = {
  "agents/prompting.yaml": documentText("Agent", "prompting", {
    name: "Prompting",
    system_prompt: "Say ${env:PROMPT_TOKEN} and `${NOT_A_SECRET}`, then ${env:PROMPT_TOKEN@3}.",
  }),
};

// What commands that only look are asked, beside nothing.
const given: Readonly<Record<string, readonly (readonly string[])[]>> = {
  show: [["saved.plan.json"]],
  graph: [[], ["--plan", "saved.plan.json"]],
  "lock show": [["credential:provider"], ["toolset:desk"]],
};

/** A workspace that commands are run in; all that they write is kept. */
export interface Scene {
  readonly workspace: DiskWorkspace;
  /** The folder of the cache. */
  readonly cache: string;
  /** Everything that was written to standard output and standard error. */
  written(): string;
  run(...args: readonly string[]): Promise<number>;
  /** Runs every command that only looks, in every format that it has. */
  look(): Promise<void>;
}

/** Makes a scene in a workspace, or in a folder that holds one. */
export function openScene(files: Readonly<Record<string, string>>): Scene {
  const workspace = makeWorkspace(files);
  return sceneIn(workspace);
}

/** Makes a scene of a workspace that is there. */
export function sceneIn(workspace: DiskWorkspace, env?: NodeJS.ProcessEnv): Scene {
  let written = "";
  const cache = makeCacheFolder();
  const run = async (...args: readonly string[]): Promise<number> => {
    const write = (text: string): void => void (written += text);
    return await main(args, {
      env: env ?? { ...canaries, XDG_CACHE_HOME: cache },
      cwd: workspace.directory,
      isTerminal: false,
      canAsk: false,
      showsProgress: false,
      out: write,
      err: write,
    });
  };
  const lookWith = async (...args: readonly string[]): Promise<void> => {
    const code = await run(...args);
    if (code === 64 || code === 70)
      throw new Error(`${args.join(" ")} ended with ${code}\n${written.slice(-2000)}`);
  };
  const formatsOf = async (...command: readonly string[]): Promise<string[]> => {
    const before = written.length;
    await run(...command, "--help");
    const help = written.slice(before).replaceAll(/\s+/g, " ");
    const [, choices = ""] =
      /--format <format> [^(]*\(choices: ([^)]*?)(?:, default[^)]*)?\)/.exec(help) ?? [];
    return [...choices.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
  };
  const look = async (): Promise<void> => {
    await lookWith("plan", "--out", "saved.plan.json", "--verbose");
    await lookWith("plan", "--verbose");
    for (const [name, { reads, writes }] of Object.entries(commandFacts)) {
      if (name === "language-server" || reads.length === 0 || (writes.length > 0 && name !== "output"))
        continue;
      const words = name.split(" ");
      const formats = await formatsOf(...words);
      for (const more of given[name] ?? [[]]) {
        for (const format of formats) await lookWith(...words, ...more, "--format", format, "--verbose");
        await lookWith(...words, ...more, "--verbose");
      }
    }
    for (const format of await formatsOf("plan")) await lookWith("plan", "--format", format, "--verbose");
  };
  return { workspace, cache, run, look, written: () => written };
}

/** Everything that a folder holds, whatever it is called: names, contents, and what git keeps compressed. */
export function everythingIn(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const repositories = files
    .filter((file) => file.endsWith("/HEAD"))
    .map((file) => file.slice(0, -"/HEAD".length));
  const kept = repositories.filter((directory) => files.includes(join(directory, "config"))).map(objectsIn);
  return [...files, ...files.map((file) => readFileSync(file, "utf8")), ...kept].join("\n");
}

function objectsIn(gitDirectory: string): string {
  const arguments_ = ["--git-dir", gitDirectory, "cat-file", "--batch-all-objects", "--batch"];
  return execFileSync("git", arguments_, { encoding: "utf8", maxBuffer: 1e8, stdio: "pipe" });
}

/** The canaries that a scene has let out: on the terminal, or in a file. */
export function leaksOf({ workspace, cache, written }: Scene): string[] {
  return [
    ...findCanaries(written()).map((found) => `terminal: ${found}`),
    ...findCanaries(everythingIn(workspace.directory)).map((found) => `files: ${found}`),
    ...findCanaries(everythingIn(cache)).map((found) => `cache: ${found}`),
  ];
}
