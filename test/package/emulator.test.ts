import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { makeWorkspace } from "../harness/disk-workspace.js";
import { runCli } from "./run-cli.js";
import { wholeTest } from "../harness/tier.js";

interface Started {
  readonly url: string;
  readonly consoleKey: string;
  /** Ends it as a terminal does, and gives its exit code. */
  stop: () => Promise<number | null>;
}

async function start(cwd: string, ...args: string[]): Promise<Started> {
  const bin = join(inject("installed"), "node_modules/.bin/agentform");
  const { PATH, HOME } = process.env;
  const child = spawn(bin, ["emulator", ...args], { cwd, env: { PATH, HOME }, stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stderr.resume();
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  const address = (): string | undefined => /http:\S+(?=\n)/.exec(said)?.[0];
  const consoleKey = (): string | undefined => /: ([0-9a-f]{32})\n/.exec(said)?.[1];
  await expect.poll(consoleKey).toBeDefined();
  return { url: address() ?? "", consoleKey: consoleKey() ?? "", stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<number | null> {
  const closed = once(child, "close");
  child.kill("SIGTERM");
  await closed;
  return child.exitCode;
}

wholeTest("the emulator has the operations and the lists of its options, over a restart", async () => {
  const { directory: cwd } = makeWorkspace({});
  const headers = { "x-api-key": "k", "content-type": "application/json" };
  const first = await start(cwd, "--operations", "full", "--lists", "key", "--data", "data");
  const body = JSON.stringify({ kind: "agent", create: { name: "by hand" } });
  const byHand = { method: "POST", headers: { ...headers, "x-api-key": first.consoleKey }, body };
  const edited = await fetch(`${first.url}/__emulator/edit`, byHand);
  expect(await edited.json()).toEqual({ ids: [expect.any(String)] });
  const listed = await fetch(`${first.url}/v3/agents/`, { headers });
  expect(await listed.json()).toMatchObject({ agents: [{ name: "by hand" }] });
  expect(await first.stop()).toBe(0);

  const second = await start(cwd, "--operations", "full", "--lists", "pages", "--data", "data");
  const paged = await fetch(`${second.url}/v3/agents/`, { headers });
  expect(await paged.json()).toMatchObject({
    data: { items: [{ name: "by hand" }] },
    paging: { next: null, total: 1 },
  });
  expect(await second.stop()).toBe(0);

  const third = await runCli(["emulator", "--data", "data"], { cwd });
  expect(third).toMatchObject({ code: 1, stdout: "" });
  expect(third.stderr).toContain("has the objects of an emulator with operations `full`");
});

test("the emulator refuses a form of lists where there are none, and operations that it does not know", async () => {
  const { directory: cwd } = makeWorkspace({});
  const listed = await runCli(["emulator", "--lists", "key"], { cwd });
  expect(listed).toMatchObject({ code: 64, stdout: "" });
  expect(listed.stderr).toContain("--lists needs --operations full");
  expect(await runCli(["emulator", "--operations", "all"], { cwd })).toMatchObject({ code: 64 });
});
