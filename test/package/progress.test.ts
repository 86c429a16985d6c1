import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/emulator.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { sample, wholeTest } from "../harness/tier.js";
import { runInTerminal } from "./run-in-terminal.js";

const bar = /[█░]/;

async function openFleet(count: number, options: EmulatorOptions) {
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

/** Runs an apply in a terminal; its plan goes to standard output, and is in the way here. */
function applyInTerminal(directory: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const command = `apply --yes ${args.join(" ")} > /dev/null`;
  return runInTerminal(directory, command, { AGENT_API_KEY: "key", ...env });
}

test("a terminal that is closed lets what is in flight finish", async () => {
  const { emulator, directory } = await openFleet(40, { latency: 200 });
  const { close, ended } = applyInTerminal(directory, ["--concurrency", "4"]);
  await vi.waitFor(() => expect(emulator.requests.length).toBeGreaterThan(4), { timeout: 60_000 });
  close();
  await ended;
  const lock = join(directory, "agentform.lock");
  await vi.waitFor(() => expect(existsSync(lock)).toBe(true), { timeout: 60_000 });
  const { resources, unknown } = JSON.parse(readFileSync(lock, "utf8")) as Record<string, object>;
  expect(Object.keys(resources ?? {})).toHaveLength(emulator.requests.length);
  expect(emulator.requests.length).toBeLessThan(40);
  expect(unknown ?? {}).toEqual({});
});

wholeTest("a long apply of a thousand actions shows how far it is, and leaves a line for each", async () => {
  // Some seconds on any machine, and what is in flight at one moment differs.
  const { directory } = await openFleet(1000, { latency: 100 });
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
  expect(counts.length).toBeGreaterThan(1);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(written()).toMatch(/of 1,000 done, [\d.]+\/(s|min), about (\d+m )?\d+s left/);
  expect(written()).toMatch(/ … and \d+ more/);
});

test("a short apply leaves a line for each", async () => {
  const { directory } = await openFleet(3, {});
  const { ended, shown } = applyInTerminal(directory, []);
  expect(await ended).toBe(0);
  expect(shown().lines).toHaveLength(3);
});

const plain: readonly [string, Readonly<Record<string, string>>][] = [
  ["CI", { CI: "true" }],
  ["a terminal that cannot move its cursor", { TERM: "dumb" }],
];

test.each(sample("places without a bar", plain, 0))("in %s nothing is drawn", async (_, env) => {
  const { directory } = await openFleet(4, { latency: 300 });
  const { ended, shown, written } = applyInTerminal(directory, ["--concurrency", "1"], env);
  expect(await ended).toBe(0);
  expect(shown().lines.filter((line) => line.includes(": created"))).toHaveLength(4);
  expect(written()).not.toMatch(bar);
});

test("what a signal brings stands above the bar, and a second one takes the bar away", async () => {
  const { directory } = await openFleet(12, { faults: [{ hang: true, skip: 2, count: 10 }] });
  const { ended, type, shown } = applyInTerminal(directory, ["--concurrency", "12", "--no-color"]);
  await vi.waitFor(() => expect(shown().text).toContain("2 of 12 done"), { timeout: 1_200_000 });
  type("\u0003");
  const lines = await vi.waitFor(
    () => {
      const now = shown().lines;
      expect(now[2]).toBe(
        "Interrupted: requests in flight finish, nothing new starts. Interrupt again to stop at once.",
      );
      expect(now[3]).toMatch(bar);
      expect(now[10]).toBe("  … and 4 more");
      return now;
    },
    { timeout: 1_200_000 },
  );
  type("\u0003");
  expect(await ended).toBe(130);
  expect(shown().lines.slice(0, 3)).toEqual(lines.slice(0, 3));
  expect(shown().text).not.toMatch(bar);
});
