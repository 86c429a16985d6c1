import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { main } from "../../src/cli/main.js";
import { startEmulator } from "../../src/emulator/emulator.js";
import { openStore } from "../../src/store/open-store.js";
import { loadWorkspace } from "../../src/workspace/load-workspace.js";
import { credential, folder as prefix, greeter, manifest, policy, secrets, support } from "../ci/desk.js";
import { codeBlocks, stepsOf } from "./code-block.js";
import { settled, unfold } from "./printed.js";
import { needProgram } from "../harness/need.js";
import { wholeTest } from "../harness/tier.js";

const pages = ["unknown-outcome", "dead-runner"].map((name) =>
  readFileSync(`docs/how-to/${name}.md`, "utf8"),
);

/** A night: a clone of a repository whose last apply has left two outcomes unknown. */
async function makeNight(): Promise<string> {
  needProgram("git");
  const root = mkdtempSync(join(tmpdir(), "agentform-night-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const emulator = await startEmulator({
    faults: [{ method: "POST", path: "/v3/agents/", status: 502, count: 2 }],
  });
  onTestFinished(() => emulator.close());
  execFileSync("git", ["init", "--quiet", "--bare", join(root, "remote.git")]);
  execFileSync("git", ["clone", "--quiet", join(root, "remote.git"), join(root, "clone")], { stdio: "pipe" });
  const folder = join(root, "clone");
  const files = {
    ...manifest(emulator.url, "git"),
    ...policy(),
    ...credential(),
    ...support(),
    ...greeter(),
  };
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, file.slice(prefix.length + 1));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  expect((await run(folder, "agentform apply --yes")).code).toBe(3);
  return folder;
}

async function run(cwd: string, command: string): Promise<{ code: number; printed: string }> {
  const [name, ...args] = command.split(" ");
  if (name === "git") return { code: 0, printed: execFileSync("git", args, { cwd, encoding: "utf8" }) };
  let printed = "";
  const print = (text: string) => {
    printed += text;
  };
  const terminal = { isTerminal: false, canAsk: false, showsProgress: false, out: print, err: print };
  const code = await main(args, { ...terminal, env: { ...secrets }, cwd });
  return { code, printed };
}

wholeTest("the commands of the night print what is shown", async () => {
  const folder = await makeNight();
  const blocks = pages.flatMap(codeBlocks).filter(({ language }) => language === "console");
  const steps = blocks.flatMap((block) => stepsOf(block).map((step) => ({ ...step, line: block.line })));
  expect(steps).toHaveLength(7);
  for (const { command, shown, line } of steps) {
    const nonce = command === "agentform apply --yes" ? await hold(folder) : held;
    const { printed } = await run(folder, command.replace(/(unlock) \w+/, `$1 ${nonce}`));
    const lines = settled(timeless(printed));
    const expected = unfold(settled(timeless(shown.join("\n"))), lines);
    expect(lines, `line ${line}: ${command}`).toEqual(expected);
  }
});

let held = "";

/** Lets this process hold the lock; gives its nonce. */
async function hold(directory: string): Promise<string> {
  const { fleet } = loadWorkspace({ directory });
  if (!fleet) throw new Error("the workspace cannot be read");
  const store = await openStore(fleet.settings, { directory });
  await store.acquire();
  held = (await store.read()).holder?.nonce ?? "";
  return held;
}

// What is another each time: times, the process that holds the lock, and its nonce.
function timeless(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/process \d+ on \S+/g, "PROCESS")
    .replaceAll(/(?<![:\w])[0-9a-f]{16}\b/g, "NONCE");
}

test("every script that it names is in the package, and so is every one that is there", () => {
  const [, table = ""] = readFileSync("docs/how-to/other-ci.md", "utf8").split("| script | does |");
  const named = [...(table.split("\n\n")[0] ?? "").matchAll(/^\| `([\w-]+\.sh)`/gm)].map(
    ([, name = ""]) => name,
  );
  expect(named).toHaveLength(6);
  expect(named.filter((name) => !existsSync(join("ci", name)))).toEqual([]);
  const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
  expect(files).toContain("ci");
});
