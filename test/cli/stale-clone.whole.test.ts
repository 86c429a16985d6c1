import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { needProgram } from "../harness/need.js";
import { git } from "../ci/repository.js";
import { agentText, openDesk, openEmulator, runIn } from "./desk.js";

async function staleClone() {
  needProgram("git");
  const parent = mkdtempSync(join(tmpdir(), "agentform-stale-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const { workspace, run, emulator } = await openDesk();
  const commit = () => {
    git(workspace.directory, "add", "-A");
    git(
      workspace.directory,
      "-c",
      "user.name=a",
      "-c",
      "user.email=a@example.com",
      "commit",
      "-q",
      "-m",
      "x",
    );
    git(workspace.directory, "push", "-q", "origin", "main");
  };
  git(parent, "init", "-q", "--bare", "-b", "main", "origin");
  git(workspace.directory, "init", "-q", "-b", "main");
  git(workspace.directory, "remote", "add", "origin", join(parent, "origin"));
  expect((await run("apply", "--yes")).code).toBe(0);
  commit();
  git(parent, "clone", "-q", "-b", "main", "origin", "clone");
  const clone = join(parent, "clone");
  workspace.write({ "agents/support.yaml": agentText({ model: "large-1" }) });
  expect((await run("apply", "--yes")).code).toBe(0);
  commit();
  return { clone, emulator, sent: emulator.requests.length };
}

/** Begins a branch that follows one of its own name, and stays on it. */
function branchOff(clone: string): void {
  git(clone, "checkout", "-q", "-b", "change");
  git(clone, "push", "-q", "-u", "origin", "change");
}

const args = ["apply", "--yes", "--resend", "agent:support"];

test("an apply in a clone that lacks what its upstream has sends nothing, and says what to do", async () => {
  const { clone, emulator, sent } = await staleClone();
  git(clone, "fetch", "-q");
  const { code, err } = await runIn(clone, args);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("error[lock-behind]: ") });
  expect(err).toContain("origin/main has serial 2");
  expect(err).toContain("`git pull`");
  expect(emulator.requests).toHaveLength(sent);
  git(clone, "pull", "-q");
  expect((await runIn(clone, args)).code).toBe(0);
});

test("nor does one on a branch that lacks what the default branch has, unless that is for another service", async () => {
  const { clone, emulator, sent } = await staleClone();
  branchOff(clone);
  git(clone, "fetch", "-q");
  const { code, err } = await runIn(clone, args);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("error[lock-behind]: ") });
  expect(err).toContain("origin/main has serial 2");
  expect(err).toContain("merge that branch, then plan again");
  expect(emulator.requests).toHaveLength(sent);
  const other = await openEmulator();
  const manifest = join(clone, "agentform.yaml");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replaceAll(emulator.url, other.url));
  expect((await runIn(clone, ["plan", "--service-moved"])).code).toBe(0);
  expect((await runIn(clone, [...args, "--service-moved"])).err).not.toContain("lock-behind");
  const second = `${clone}-2`;
  git(clone, "clone", "-q", "-b", "change", join(clone, "..", "origin"), second);
  git(second, "merge", "-q", "origin/main");
  expect((await runIn(second, args)).code).toBe(0);
});

test("a state of another lineage on the default branch is none that this one lacks", async () => {
  const { clone } = await staleClone();
  branchOff(clone);
  git(clone, "checkout", "-q", "main");
  git(clone, "pull", "-q");
  const lock = join(clone, "agentform.lock");
  const text = readFileSync(lock, "utf8");
  const { lineage } = JSON.parse(text) as { lineage: string };
  writeFileSync(lock, text.replace(lineage, lineage.replaceAll(/[0-9a-f]/g, "7")));
  git(clone, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-a", "-m", "anew");
  git(clone, "push", "-q", "origin", "main");
  git(clone, "checkout", "-q", "change");
  expect((await runIn(clone, args)).err).not.toContain("lock-behind");
});

test("a lock on the default branch whose seal is wrong stops no apply", async () => {
  const { clone } = await staleClone();
  const commit = (...more: string[]) =>
    git(
      clone,
      "-c",
      "user.name=a",
      "-c",
      "user.email=a@example.com",
      "commit",
      "-q",
      "-a",
      "-m",
      "x",
      ...more,
    );
  git(clone, "pull", "-q");
  const manifest = join(clone, "agentform.yaml");
  const sealed = readFileSync(manifest, "utf8").replace(
    "spec:\n",
    "spec:\n  lock: {store: file, seal: '${env:EXAMPLE_SEAL}'}\n",
  );
  writeFileSync(manifest, sealed);
  const { out } = await runIn(clone, ["lock", "seal"]);
  const digest = /--expect (sha256:\w{64})/.exec(out)?.[1] ?? "";
  expect((await runIn(clone, ["lock", "seal", "--expect", digest])).code).toBe(0);
  commit();
  git(clone, "push", "-q", "origin", "main");
  branchOff(clone);
  git(clone, "checkout", "-q", "main");
  const lock = join(clone, "agentform.lock");
  const text = readFileSync(lock, "utf8");
  writeFileSync(
    lock,
    text.replace(/"serial": \d+/, '"serial": 99').replace('"writes": "', '"writes": "forged '),
  );
  commit();
  git(clone, "push", "-q", "origin", "main");
  git(clone, "checkout", "-q", "change");
  const ran = await runIn(clone, args);
  expect(ran).toMatchObject({ code: 0 });
});
