import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isInHalf, sample, stride, wholeTest } from "../harness/tier.js";
import { StateServer } from "../store/state-server.js";
import { runFailing, startApply, type Ended, type Start } from "./apply-process.js";
import { editions, Scene } from "./scene.js";

async function openScene(edition: 0 | 1): Promise<Scene> {
  const scene = await Scene.open();
  onTestFinished(() => scene.close());
  for (const files of editions.slice(0, edition)) {
    scene.write(files);
    expect((await scene.applyHere()).status).toBe("applied");
  }
  scene.write(editions[edition] ?? {});
  return scene;
}

/** A scene of the first edition whose state is on a server. */
async function openServedScene(): Promise<{ readonly server: StateServer; readonly scene: Scene }> {
  const server = await StateServer.start({ form: "plain" });
  const scene = await Scene.open({}, { store: "http", address: `${server.origin}/crash` });
  onTestFinished(async () => {
    await scene.close();
    await server.close();
  });
  scene.write(editions[0] ?? {});
  return { server, scene };
}

function parallel(concurrency: number): Start {
  return { args: ["--yes", "--concurrency", String(concurrency)] };
}

/** What an apply says whose state could not be saved. */
function expectTold({ code, stderr }: Ended): void {
  expect(code, stderr).toBe(1);
  expect(stderr).toContain("lock-medium");
  expect(stderr).not.toContain("met a bug");
  // Each says what to look at.
  expect(stderr).toMatch(/^ *(hint:|= hint:|help:)/m);
}

/** What holds if no more than this machine's copy of the lock could not be saved. */
async function expectAllSaved(scene: Scene): Promise<void> {
  expect(await scene.unaccounted()).toEqual([]);
  await scene.check();
  expect((await scene.planHere()).plan?.actions).toEqual([]);
}

/** The counts of the last line, which is there if anything was run. */
function countsOf({ stdout }: Ended): { readonly done: number; readonly skipped: number } | undefined {
  const [, done, skipped = 0] = /^Apply incomplete: (\d+) done(?:, (\d+) skipped)?\.$/m.exec(stdout) ?? [];
  return done === undefined ? undefined : { done: Number(done), skipped: Number(skipped) };
}

/** The lines that tell of what was done and could not be saved. */
function printed({ stderr }: Ended): string[] {
  return stderr.split("\n").filter((line) => line.includes("and it could not be saved: keep this"));
}

/** Every object that the state does not know was printed with its ID, and once the medium is well all ends well. */
async function recoverFrom(scene: Scene, ended: Ended, mayDoubt = false): Promise<void> {
  for (const id of await scene.unaccounted()) expect(printed(ended).join("\n")).toContain(id);
  // A medium that stays full takes no word that the beginning before was not sent.
  if (!mayDoubt) expect(await scene.neverMade()).toEqual([]);
  await scene.check();
  await scene.goOn();
}

// Several at once meet in the journal alone.
const failures = [
  { name: "any sync of the journal", call: "fdatasync", code: "EIO" },
  { name: "any sync of another file", call: "fsyncSync", code: "EIO" },
  { name: "any write", call: "writeSync", code: "ENOSPC" },
  { name: "any write and all after it", call: "writeSync", code: "ENOSPC", isLasting: true },
  { name: "any closing", call: "closeSync", code: "EIO" },
  { name: "any renaming", call: "renameSync", code: "EDQUOT" },
  { name: "any opening and all after it", call: "openSync", code: "EROFS", isLasting: true },
].flatMap((failure) => [
  { ...failure, edition: 0, doing: "creating", concurrency: 1 } as const,
  ...(failure.call === "fdatasync" || failure.call === "writeSync"
    ? [{ ...failure, edition: 0, doing: "creating", concurrency: 8 } as const]
    : []),
  { ...failure, edition: 1, doing: "updating", concurrency: 1 } as const,
]);

// How many requests have gone out before each sync of the first edition's journal: of each action the beginning, which
// waits for the connection, and the end.
const sentBefore = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5];

const callsApart = stride("failing calls", 30);
const pagesApart = stride("free pages", 3);

test.each(sample("failing media", failures, 0))(
  "a medium that fails at $name, $doing $concurrency at once",
  async ({ edition, concurrency, isLasting = false, call, code }) => {
    let unsaved = 0;
    let planned: number | undefined;
    let at = 1;
    for (; ; at += callsApart) {
      // A failure of one write and one of all after it begin alike: each is tried at half of the writes.
      if (callsApart === 1 && call === "writeSync" && !isInHalf(isLasting ? "second" : "first", at)) continue;
      const scene = await openScene(edition);
      planned ??= (await scene.planHere()).plan?.actions.length;
      const before = scene.emulator.requests.length;
      const ended = await runFailing(scene.directory, { call, code, at, isLasting }, parallel(concurrency));
      if (ended.calls < at) break;
      if (ended.code === 0) {
        await expectAllSaved(scene);
        continue;
      }
      expectTold(ended);
      unsaved += printed(ended).length;
      const sent = scene.emulator.requests.length - before;
      const counts = countsOf(ended);
      if (counts) expect(counts.done + counts.skipped).toBe(planned);
      // An update of tools takes several requests.
      if (edition === 0 || !counts) expect(sent).toBe(counts?.done ?? 0);
      if (call === "fdatasync" && edition === 0 && concurrency === 1) expect(sent).toBe(sentBefore[at - 1]);
      await recoverFrom(scene, ended, isLasting && concurrency > 1);
    }
    expect(at).toBeGreaterThan(1);
    const mayLose = call === "fdatasync" || call === "writeSync";
    // A sample, and half of the writes, may miss the moments at which something is lost.
    if (!mayLose || (callsApart === 1 && call === "fdatasync")) expect(unsaved > 0).toBe(mayLose);
  },
);

const ofMachine = [
  { name: "any sync", call: "fdatasync", code: "EIO" },
  { name: "any write and all after it", call: "writeSync", code: "ENOSPC", isLasting: true },
] as const;

test.each(sample("failing machines", ofMachine, 0))(
  "where the state is on a server, $name of this machine's journal loses nothing, and gives the state back",
  async (failing) => {
    let failed = 0;
    for (let at = 1; ; at += callsApart) {
      const { server, scene } = await openServedScene();
      const ended = await runFailing(scene.directory, { ...failing, at });
      if (ended.calls < at) break;
      if (ended.code === 0) {
        await expectAllSaved(scene);
        continue;
      }
      failed++;
      expectTold(ended);
      expect(ended.stderr).not.toContain("still held");
      // A runner elsewhere could not know that this process is dead.
      expect(server.lockOf("/crash")).toBeUndefined();
      // As on a runner that begins with an empty folder.
      rmSync(join(scene.directory, ".agentform"), { recursive: true, force: true });
      expect(await scene.unaccounted()).toEqual([]);
      expect(await scene.neverMade()).toEqual([]);
      expect((await scene.applyHere()).status).toMatch(/^(applied|unchanged)$/);
      await scene.check();
    }
    expect(failed).toBeGreaterThan(0);
  },
);

wholeTest(
  "where neither this machine nor the server can write, each ID is shown, and nothing is said to have it",
  async () => {
    const { server, scene } = await openServedScene();
    // As soon as anything is sent to the service, the server answers nothing that writes.
    server.fault = () => (scene.emulator.requests.length > 0 ? { status: 400 } : undefined);
    const ended = await runFailing(scene.directory, { call: "fdatasync", code: "EIO", at: 3 }, parallel(1));
    server.fault = () => undefined;
    expectTold(ended);
    const made = [...scene.objects().values()].flat();
    expect(made.length).toBeGreaterThan(0);
    for (const id of made) expect(ended.stderr).toContain(id);
    expect(ended.stderr).toContain("still held");
    expect(ended.stderr).not.toContain("has everything");
  },
);

/** Mounts a file system of its own over the scene's folder; gives why that cannot be done here. */
function mount(scene: Scene, options: string): string | undefined {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", scene.directory], { stdio: "pipe" });
  } catch {
    return "this test mounts a file system, which takes Linux and its root";
  }
  onTestFinished(() => void execFileSync("umount", ["-l", scene.directory]));
  return undefined;
}

/** Fills a file system up to some pages. */
function fill(scene: Scene, pages: number): string {
  const { bavail, bsize } = statfsSync(scene.directory);
  const filler = join(scene.directory, "filler");
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail - pages) * bsize));
  return filler;
}

wholeTest("a disk with any number of free pages too few", async (context) => {
  let free = 0;
  for (; ; free += pagesApart) {
    const scene = await Scene.open();
    onTestFinished(() => scene.close());
    const obstacle = mount(scene, "size=256k");
    if (obstacle !== undefined) return context.skip(obstacle);
    scene.write(editions[0] ?? {});
    const filler = fill(scene, free);
    const ended = await startApply(scene.directory).ended;
    if (ended.code === 0) break;
    expectTold(ended);
    expect(ended.stderr).toContain("the disk is full (ENOSPC)");
    rmSync(filler);
    await recoverFrom(scene, ended);
  }
  expect(free).toBeGreaterThan(2);
});

test("a disk that is read-only", async (context) => {
  const scene = await Scene.open();
  onTestFinished(() => scene.close());
  const obstacle = mount(scene, "size=256k");
  if (obstacle !== undefined) return context.skip(obstacle);
  scene.write(editions[0] ?? {});
  execFileSync("mount", ["-o", "remount,ro", scene.directory]);
  const ended = await startApply(scene.directory).ended;
  expectTold(ended);
  expect(ended.stderr).toContain("the file system is read-only (EROFS)");
  expect(scene.emulator.requests).toEqual([]);
});

const obstacles = [
  { name: "a file where the local folder should be", file: ".agentform", as: "file" },
  { name: "a folder where the journal should be", file: "agentform.lock.journal", as: "folder" },
  { name: "a folder where the lock should be", file: "agentform.lock", as: "folder" },
  { name: "a link where the journal should be", file: "agentform.lock.journal", as: "link" },
  { name: "a link where the lock should be", file: "agentform.lock", as: "link" },
] as const;

test.each(sample("what is in the way of a file", obstacles, 2))(
  "$name: nothing is sent",
  async ({ file, as }) => {
    const scene = await openScene(0);
    const path = join(scene.directory, file);
    if (as === "file") writeFileSync(path, "");
    else if (as === "folder") mkdirSync(path);
    else symlinkSync("/dev/full", path);
    const ended = await startApply(scene.directory).ended;
    expectTold(ended);
    expect(ended.stderr).toMatch(/in the place of|is a symbolic link/);
    expect(scene.emulator.requests).toEqual([]);
  },
);
