import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { needProgram } from "../harness/need.js";
import { git } from "../ci/repository.js";
import { agentText, openDesk, runIn } from "./desk.js";

test("an apply in a clone that lacks what its upstream has sends nothing, and says what to do", async () => {
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
  git(parent, "init", "-q", "--bare", "origin");
  git(workspace.directory, "init", "-q", "-b", "main");
  git(workspace.directory, "remote", "add", "origin", join(parent, "origin"));
  expect((await run("apply", "--yes")).code).toBe(0);
  commit();
  git(parent, "clone", "-q", "-b", "main", "origin", "clone");
  const clone = join(parent, "clone");
  workspace.write({ "agents/support.yaml": agentText({ model: "large-1" }) });
  expect((await run("apply", "--yes")).code).toBe(0);
  commit();
  git(clone, "fetch", "-q");
  const sent = emulator.requests.length;
  const args = ["apply", "--yes", "--resend", "agent:support"];
  const { code, err } = await runIn(clone, args);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("error[lock-behind]: ") });
  expect(err).toContain("origin/main has serial 2");
  expect(err).toContain("`git pull`");
  expect(emulator.requests).toHaveLength(sent);
  git(clone, "pull", "-q");
  expect((await runIn(clone, args)).code).toBe(0);
});
