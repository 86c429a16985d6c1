import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandFacts } from "../../src/cli/command-effects.js";
import type { HelpAnswer } from "../../src/generated/help.js";
import { leafCommands } from "../docs/command-reference.js";
import { sample } from "../harness/tier.js";
import { runIn } from "./desk.js";
import { prepare } from "./help/example-site.js";
import { expectOf } from "./json-schemas.js";
import { watchEffects, type Touched } from "./watched-effects.js";

// These end with a signal or an editor, or need a job of a forge.
const notRun = ["comment", "emulator", "language-server"];

// What its examples do not show, and why.
const unseen: Readonly<Record<string, readonly string[]>> = {
  // With --ci it reads the manifests of the repository.
  init: ["reads files"],
  // Nobody has changed anything in the service there.
  drift: ["writes state"],
};

// Words beyond the examples, which do the rest of what is claimed.
const more: Readonly<Record<string, readonly string[]>> = {
  plan: ["agentform plan --out again.json"],
  drift: ["agentform drift --out seen.json"],
  prune: ["agentform prune --yes", "agentform prune --emulator --yes"],
  apply: ["agentform apply --yes"],
  import: ["agentform import --all --yes", "agentform import --all --emulator --yes"],
  output: ["agentform output --out ids.json"],
  "lock resolve": ["agentform lock resolve agent:support --search --yes"],
};

const leaves = await Promise.all(
  leafCommands().map(async ({ path, entry }) => {
    const name = path.join(" ");
    const lines = (await entry.load()).examples.map(([line]) => line);
    const own = [...lines, ...(more[name] ?? [])].filter(
      (line) => line.startsWith(`agentform ${name}`) && !line.includes("--watch") && !line.includes("{store"),
    );
    return { name, lines: own };
  }),
);

const watched = leaves.filter(({ name }) => !notRun.includes(name));

test.each(sample("commands watched", watched, 2))(
  "$name touches what it claims, and nothing else",
  async ({ name, lines }) => {
    const all: Touched = { reads: new Set(), writes: new Set(), network: new Set() };
    for (const line of lines) {
      const { directory, words, emulator } = await prepare(name, line);
      const sent = emulator?.requests.length ?? 0;
      const touched = await watchEffects(directory, async () => await runIn(directory, words));
      for (const part of ["reads", "writes", "network"] as const) {
        for (const each of touched[part]) all[part].add(each);
      }
      for (const { method } of emulator?.requests.slice(sent) ?? []) {
        all[method === "GET" ? "reads" : "writes"].add("service");
      }
    }
    const { effects } = await helpOf(name);
    const claimed = (part: "reads" | "writes" | "network") => new Set<string>(effects[part]);
    for (const part of ["reads", "writes", "network"] as const) {
      const beyond = [...all[part]].filter((each) => !claimed(part).has(each));
      expect({ part, beyond }).toEqual({ part, beyond: [] });
      const missing = [...claimed(part)].filter((each) => {
        // The state of these is in files, and the emulator in the process is the service.
        const isShown = all[part].has(each) || (part === "network" && ["state", "loopback"].includes(each));
        return !isShown && !(unseen[name] ?? []).includes(`${part} ${each}`);
      });
      expect({ part, missing }).toEqual({ part, missing: [] });
    }
  },
);

const repeated = watched.filter(({ name }) => commandFacts[name]?.idempotent);

test.each(sample("commands run again", repeated, 1))(
  "$name again changes nothing more",
  async ({ name, lines }) => {
    // What is saved has the time in it.
    const line = lines.find((each) => !each.includes("--out")) ?? "";
    const { directory, words } = await prepare(name, line);
    await runIn(directory, words);
    const before = filesOf(directory);
    await runIn(directory, words);
    expect(filesOf(directory)).toEqual(before);
  },
);

test("help describes each command to programs, with all of its exit codes", async () => {
  const { code, out } = await runIn("/nonexistent", ["help", "--format", "json"]);
  expect(code).toBe(0);
  const help = JSON.parse(out) as HelpAnswer;
  expectOf("help", help);
  expect(help.commands.map(({ path }) => path.join(" "))).toEqual(leaves.map(({ name }) => name));
  for (const { path, exit_codes, effects, options } of help.commands) {
    expect(exit_codes.filter(({ meaning }) => meaning === "")).toEqual([]);
    expect({ path, asks: effects.asks }).toEqual({
      path,
      asks: options.some(({ long }) => long === "--expect"),
    });
  }
  for (const words of [
    ["help", "plan"],
    ["plan", "--help"],
    ["help", "lock", "list"],
    ["help", "agents"],
  ]) {
    const one = await runIn("/nonexistent", [...words, "--format", "json"]);
    expectOf("help", JSON.parse(one.out));
  }
});

async function helpOf(name: string): Promise<HelpAnswer["commands"][number]> {
  const { out } = await runIn("/nonexistent", ["help", ...name.split(" "), "--format", "json"]);
  const [command] = (JSON.parse(out) as HelpAnswer).commands;
  if (!command) throw new Error(`help does not know ${name}`);
  return command;
}

function filesOf(directory: string): Record<string, string> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile() && !/[/\\]\.git([/\\]|$)/.test(entry.parentPath))
      .map(({ parentPath, name }) => [
        join(parentPath, name),
        readFileSync(join(parentPath, name), "latin1"),
      ]),
  );
}
