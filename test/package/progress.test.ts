import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/emulator.js";
import { TerminalScreen } from "../cli/screen.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { needProgram } from "../harness/need.js";
import { wholeTest } from "../harness/tier.js";

const bar = /[█░]/;

async function openFleet(count: number, options: EmulatorOptions) {
  needProgram("script", "needs a terminal, which takes `script` of util-linux");
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  const agents = Array.from({ length: count }, (_, index) =>
    documentText("Agent", `a${index}`, { name: `Agent ${index}` }),
  );
  const { directory } = makeWorkspace({
    "agentform.yaml": manifestAt(emulator),
    "agents/all.yaml": agents.join("\n---\n"),
  });
  return { emulator, directory };
}

function manifestAt({ url }: Emulator): string {
  return `apiVersion: agentform/v1
kind: Workspace
metadata: {name: fleet}
spec: {service: {base_url: "${url}", rai_base_url: "${url}", api_key: "\${env:AGENT_API_KEY}"}}
`;
}

/** Runs an apply in a terminal of 100 × 30; gives all that was written to it, and takes what is typed. */
function applyInTerminal(directory: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const cli = join(inject("installed"), "node_modules/agentform/dist/cli.js");
  // The plan goes to standard output, and is in the way here.
  const command = `stty cols 100 rows 30; exec '${process.execPath}' '${cli}' apply --yes ${args.join(" ")} > /dev/null`;
  const { PATH } = process.env;
  const child = spawn("script", ["--quiet", "--return", "--flush", "--command", command, "/dev/null"], {
    cwd: directory,
    env: { PATH, TERM: "xterm", SHELL: "/bin/sh", AGENT_API_KEY: "key", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let written = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (written += text));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const type = (text: string) => void child.stdin.write(text);
  const shown = () => new TerminalScreen().write(written);
  return { ended, type, shown, written: () => written };
}

wholeTest("a long apply of a thousand actions shows how far it is, and leaves a line for each", async () => {
  const { directory } = await openFleet(1000, { latency: 40 });
  const { ended, shown, written } = applyInTerminal(directory, ["--concurrency", "40"]);
  expect(await ended).toBe(0);
  const lines = shown().lines;
  expect(new Set(lines.map((line) => line.replace(/ \(.*/, "")))).toEqual(
    new Set(Array.from({ length: 1000 }, (_, index) => `agent:a${index}: created`)),
  );
  expect(lines).toHaveLength(1000);
  const counts = [...written().matchAll(/ ([\d,]+) of 1,000 done/g)].map(([, count = ""]) =>
    Number(count.replace(",", "")),
  );
  expect(counts.length).toBeGreaterThan(3);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(written()).toMatch(/of 1,000 done, \d+\/s, about \d+s left/);
  expect(written()).toContain("… and 34 more");
});

test("a short apply leaves a line for each", async () => {
  const { directory } = await openFleet(3, {});
  const { ended, shown } = applyInTerminal(directory, []);
  expect(await ended).toBe(0);
  expect(shown().lines).toHaveLength(3);
});

test.each([
  ["CI", { CI: "true" }],
  ["a terminal that cannot move its cursor", { TERM: "dumb" }],
])("in %s nothing is drawn", async (_, env) => {
  const { directory } = await openFleet(4, { latency: 300 });
  const { ended, shown, written } = applyInTerminal(directory, ["--concurrency", "1"], env);
  expect(await ended).toBe(0);
  expect(shown().lines).toHaveLength(4);
  expect(written()).not.toMatch(bar);
});

test("what a signal brings stands above the bar, and a second one takes the bar away", async () => {
  const { directory } = await openFleet(12, { faults: [{ hang: true, skip: 2, count: 10 }] });
  const { ended, type, shown } = applyInTerminal(directory, ["--concurrency", "12", "--no-color"]);
  await vi.waitFor(() => expect(shown().text).toContain("2 of 12 done"), { timeout: 1_200_000 });
  type("\u0003");
  await vi.waitFor(() => expect(shown().text).toContain("Interrupt again"), { timeout: 1_200_000 });
  const lines = shown().lines;
  expect(lines[2]).toBe(
    "Interrupted: requests in flight finish, nothing new starts. Interrupt again to stop at once.",
  );
  expect(lines[3]).toMatch(bar);
  expect(lines[10]).toBe("  … and 4 more");
  type("\u0003");
  expect(await ended).toBe(130);
  expect(shown().lines.slice(0, 3)).toEqual(lines.slice(0, 3));
  expect(shown().text).not.toMatch(bar);
});
