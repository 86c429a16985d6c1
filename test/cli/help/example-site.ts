import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Emulator, EmulatorOptions } from "../../../src/emulator/emulator.js";
import { documentText, makeWorkspace } from "../../harness/disk-workspace.js";
import { git, makeGitMedium } from "../../store/git-medium.js";
import { agentText, documents, policyText, runIn, type Desk } from "../desk.js";
import { allOperations, fullManifest, openFullDesk } from "../full-desk.js";
import { hold } from "../store-state.js";
import { wordsOf } from "./example-words.js";

/** Where an example can be run, and its words there. */
interface Scene {
  readonly directory: string;
  readonly words: readonly string[];
  /** The service, where the example is about one. */
  readonly emulator?: Emulator;
}

const files: Readonly<Record<string, string>> = {
  "policies/strict.yaml": policyText(),
  "policies/lax.yaml": documentText("Policy", "lax", { name: "Lax" }),
  "toolsets/helpdesk.yaml": (documents["toolsets/desk.yaml"] ?? "").replace(
    '"name":"desk"',
    '"name":"helpdesk"',
  ),
  "credentials/provider.yaml": documents["credentials/provider.yaml"] ?? "",
  "agents/support.yaml": agentText({ tools: ["${toolset:helpdesk}"] }),
};

const environments =
  "  environments: {default: {}, staging: {}, production: {}}\n  ignore: [environment-same-service]\n";

/** Makes the place that an example is about, with the IDs that are there in the place of the shown ones. */
export async function prepare(command: string, line: string): Promise<Scene> {
  const words = wordsOf(line);
  const scene = scenes[line] ?? scenes[command];
  if (scene) return await scene(words);
  const { workspace, run, emulator } = await appliedSite();
  await mustRun(run("plan", "--out", "plan.json"));
  return { directory: workspace.directory, words, emulator };
}

// By the line of an example, or by its command.
const scenes: Readonly<Record<string, (words: readonly string[]) => Promise<Scene>>> = {
  init: async (words) => ({ directory: emptyFolder(), words }),
  async import(words) {
    const { emulator, lock } = await appliedSite();
    const { directory } = makeWorkspace({ "agentform.yaml": fullManifest(emulator.url) });
    const ids = ["policy:strict", "policy:lax", "agent:support"].map((address) => idOf(lock, address));
    const shown = replaced(words, { ID1: ids[0], ID2: ids[1], [anId]: ids[2] });
    // What only looks asks nothing.
    return { directory, words: words.includes("--list") ? shown : answered(shown), emulator };
  },
  async apply(words) {
    const { workspace, emulator } = await openSite();
    return { directory: workspace.directory, words: answered(words), emulator };
  },
  async "agentform apply plan.json --yes"(words) {
    const { workspace, run, emulator } = await openSite();
    await mustRun(run("plan", "--out", "plan.json"));
    return { directory: workspace.directory, words, emulator };
  },
  async prune(words) {
    const { workspace, run, lock, emulator } = await appliedSite();
    workspace.remove("policies/lax.yaml");
    await mustRun(run("apply", "--yes"));
    const [id] = Object.keys(lock().retired);
    return { directory: workspace.directory, words: answered(replaced(words, { [anId]: id })), emulator };
  },
  async "agentform output --format typescript --out src/ids.ts --check"(words) {
    const { workspace, run } = await appliedSite();
    workspace.write({ "src/.gitkeep": "" });
    await mustRun(run(...words.filter((word) => word !== "--check")));
    return { directory: workspace.directory, words };
  },
  async "lock resolve"(words) {
    const drop = words.includes("--not-created") ? "before" : "after";
    const { workspace, emulator, run } = await openSite({ faults: [{ path: "/v3/agents/", drop }] });
    await run("apply", "--yes");
    const [agent] = emulator.objects().agents;
    return { directory: workspace.directory, words: replaced(words, { [anId]: agent?.id }), emulator };
  },
  async "agentform lock resolve toolset:helpdesk --adopt createTicket=T1"(words) {
    const { workspace, lock } = await appliedSite({ answers: "opaque" });
    // The reads after the create may have told it.
    const { ids, tools } = (lock().resources["toolset:helpdesk"] ?? {}) as {
      ids?: string[];
      tools?: Record<string, string>;
    };
    const one = tools?.["createTicket"] ?? ids?.[0] ?? "";
    return {
      directory: workspace.directory,
      words: words.map((word) => word.replace("=T1", `=${one}`)),
    };
  },
  async "agentform lock merge"(words) {
    const { workspace, run } = await appliedSite();
    const { directory } = workspace;
    git(directory, "init", "-q", "-b", "main");
    workspace.write({ ".gitignore": ".agentform/\n" });
    const applyOn = async (branch: string, changed: Readonly<Record<string, string>>) => {
      git(directory, "checkout", "-q", "-b", branch, "main");
      // A clone that has not seen what the other branch applied.
      rmSync(join(directory, ".git/agentform"), { recursive: true, force: true });
      workspace.write(changed);
      await mustRun(run("apply", "--yes"));
      commitAll(directory);
    };
    commitAll(directory);
    await applyOn("one", { "agents/support.yaml": agentText({ tools: [], description: "one" }) });
    await applyOn("two", { "policies/lax.yaml": documentText("Policy", "lax", { name: "Two" }) });
    expect(() => git(directory, "merge", "-q", "one")).toThrow("merge -q one");
    return { directory, words };
  },
  async "agentform lock merge base.lock ours.lock theirs.lock"(words) {
    const { workspace } = await appliedSite();
    const lock = workspace.read("agentform.lock");
    workspace.write({ "base.lock": lock, "ours.lock": lock, "theirs.lock": lock });
    return { directory: workspace.directory, words };
  },
  async "agentform lock move --to git"(words) {
    const { emulator } = await openSite();
    const directory = makeGitMedium().clone("desk");
    writeFileSync(join(directory, "agentform.yaml"), fullManifest(emulator.url));
    await mustRun(runIn(directory, ["apply", "--yes"]));
    return { directory, words };
  },
  async "agentform lock move --from-workspace desk"(words) {
    const { workspace } = await appliedSite();
    workspace.write({
      "agentform.yaml": workspace.read("agentform.yaml").replace("name: desk", "name: office"),
    });
    return { directory: workspace.directory, words };
  },
  async "agentform lock move --from-environment live -e production"(words) {
    const { workspace, run } = await openSite();
    const manifest = workspace.read("agentform.yaml");
    workspace.write({ "agentform.yaml": manifest.replace("production: {}", "live: {}") });
    await mustRun(run("apply", "--yes", "-e", "live"));
    workspace.write({ "agentform.yaml": manifest });
    return { directory: workspace.directory, words };
  },
  "lock seal": async (words) => await sealedSite(words, "EXAMPLE_SEAL"),
  "agentform lock seal --previous '${env:OLD_SEAL}'": async (words) => await sealedSite(words, "OLD_SEAL"),
  async "agentform lock unlock 0123456789abcdef"(words) {
    const site = await appliedSite();
    return {
      directory: site.workspace.directory,
      words: replaced(words, { "0123456789abcdef": await hold(site) }),
    };
  },
};

const anId = "66f1c0de0000000000000001";

async function openSite(options: EmulatorOptions = {}): Promise<Desk> {
  const site = await openFullDesk(files, allOperations, { answers: "names", ...options });
  site.workspace.write({ "agentform.yaml": fullManifest(site.emulator.url, allOperations, environments) });
  return site;
}

async function appliedSite(options: EmulatorOptions = {}): Promise<Desk> {
  const site = await openSite(options);
  await mustRun(site.run("apply", "--yes"));
  await mustRun(site.run("apply", "--yes", "-e", "production"));
  return site;
}

/** Makes a state that is sealed with the key of a variable, of a manifest that names EXAMPLE_SEAL. */
async function sealedSite(words: readonly string[], variable: string): Promise<Scene> {
  const { workspace, run, emulator } = await openSite();
  const manifest = workspace.read("agentform.yaml");
  const sealed = (name: string) => `${manifest}  lock: {store: file, seal: "\${env:${name}}"}\n`;
  workspace.write({ "agentform.yaml": sealed(variable) });
  await mustRun(run("apply", "--yes"));
  workspace.write({ "agentform.yaml": sealed("EXAMPLE_SEAL") });
  return { directory: workspace.directory, words, emulator };
}

function commitAll(directory: string): void {
  git(directory, "add", "-A");
  git(directory, "commit", "-q", "-m", "applied");
}

function emptyFolder(): string {
  const { directory, remove } = makeWorkspace({});
  remove("agentform.yaml");
  return directory;
}

async function mustRun(ran: ReturnType<Desk["run"]>): Promise<void> {
  const { code, err } = await ran;
  if (code !== 0) throw new Error(err);
}

function idOf(lock: Desk["lock"], address: string): string | undefined {
  return lock().resources[address]?.["id"] as string | undefined;
}

// There is no terminal that could be asked, and nothing to ask of what is only saved.
function answered(words: readonly string[]): readonly string[] {
  return words.includes("--yes") || words.includes("--out") ? words : [...words, "--yes"];
}

function replaced(
  words: readonly string[],
  by: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return words.map((word) =>
    Object.entries(by).reduce((text, [shown, actual]) => text.replace(shown, actual ?? shown), word),
  );
}
