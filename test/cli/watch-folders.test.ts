import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";
import { watchFolders } from "../../src/cli/watch/watch-folders.js";
import { makeWorkspace } from "../harness/disk-workspace.js";

/** Makes and removes folders in another process, again and again, as git does that goes from branch to branch. */
async function comeAndGo(directory: string): Promise<void> {
  const script = `
    const { mkdirSync, rmSync } = require("node:fs");
    const folders = ["agents/a", "agents/b/c", "agents/d"].map((name) => process.argv[1] + "/" + name);
    process.stdout.write("begun");
    for (;;) {
      for (const each of folders) mkdirSync(each, { recursive: true });
      for (const each of folders) rmSync(each, { recursive: true });
    }`;
  const child = spawn(process.execPath, ["-e", script, directory], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  await once(child.stdout, "data");
}

test("folders that come and go while they are looked for are no error", async () => {
  const { directory } = makeWorkspace({});
  mkdirSync(join(directory, "agents"));
  await comeAndGo(directory);
  for (let round = 0; round < 300; round++) watchFolders([directory], []).close();
});

test("a folder that was removed and made again is watched", async () => {
  const { directory, write } = makeWorkspace({ "agents/support.yaml": "" });
  const before = watchFolders([directory], []);
  rmSync(join(directory, "agents"), { recursive: true });
  mkdirSync(join(directory, "agents"));
  await before.changed;
  before.close();
  const after = watchFolders([directory], []);
  onTestFinished(() => after.close());
  write({ "agents/support.yaml": "" });
  await after.changed;
});
