import { spawn } from "node:child_process";
import { once } from "node:events";
import fs, { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { StoreHeldError } from "../../src/core/state/lock-store.js";
import { Company, useActors } from "./company.js";
import { changeHolder, makeMedium, openStore } from "./medium.js";
import { needFile } from "../harness/need.js";
import { wholeTest } from "../harness/tier.js";

useActors();

describe("a holder's life", () => {
  test("a process that was killed is dead, and the store is taken over from it", async () => {
    const medium = makeMedium();
    const actor = await new Company(medium).start();
    expect(await actor.ask({ do: "acquire" })).toBe("in");
    const store = openStore(medium);
    expect((await store.read()).holder).toMatchObject({ life: "alive" });
    await expect(store.acquire()).rejects.toThrow(StoreHeldError);
    await actor.kill();
    expect((await store.read()).holder).toMatchObject({ life: "dead" });
    await store.acquire();
    expect((await store.read()).holder).toMatchObject({ life: "alive", pid: process.pid });
  });

  const ofThisProcess: [string, Record<string, unknown>, "alive" | "dead"][] = [
    ["nothing changed", {}, "alive"],
    ["the pid given to another process", { started: "1" }, "dead"],
    // A machine of the same image has the same name and identity.
    ["another boot", { boot: "another", pid: 1, started: "1" }, "alive"],
    // One that was copied while it ran has the same boot, too.
    ["another host", { host: "another", started: "1" }, "alive"],
    ["another machine of the same host name", { machine: "another", started: "1" }, "alive"],
    ["another container of this machine", { namespaces: "another", pid: 1, started: "1" }, "alive"],
    ["an unknown start", { started: null }, "alive"],
    ["an unknown boot", { boot: null, started: "1" }, "alive"],
  ];
  test.each(ofThisProcess)("with %s: %s is %s", async (_name, fields, life) => {
    const medium = makeMedium();
    const [store, second] = [openStore(medium), openStore(medium)];
    await store.acquire();
    changeHolder(medium, fields);
    expect((await second.read()).holder).toMatchObject({ life });
    const outcome = await second.acquire().then(
      () => "dead",
      (thrown: unknown) => (thrown instanceof StoreHeldError ? "alive" : thrown),
    );
    expect(outcome).toBe(life);
  });

  test("a process that was killed and not yet waited for is dead", async () => {
    needFile("/proc/self/stat");
    const medium = makeMedium();
    const child = await unwaitedChild();
    process.kill(child.pid, "SIGKILL");
    while (statOf(child.pid).state !== "Z") await sleep(5);
    await openStore(medium).acquire();
    changeHolder(medium, child);
    expect((await openStore(medium).read()).holder).toMatchObject({ pid: child.pid, life: "dead" });
  });
});

wholeTest(
  "a guard that is left from an earlier start of the system is told, and unlocked by its own nonce",
  async () => {
    const medium = makeMedium();
    const [store, person] = [openStore(medium), openStore(medium)];
    await store.acquire();
    const nonce = (await person.read()).holder?.nonce ?? "";
    const record = JSON.parse(readFileSync(medium.holderFile, "utf8")) as object;
    const guard = { ...record, nonce: "0123456789abcdef", boot: "another" };
    writeFileSync(`${medium.holderFile}.${nonce}`, JSON.stringify(guard));
    await expect(person.unlock(nonce)).rejects.toMatchObject({ holder: { nonce: guard.nonce } });
    expect(await person.unlock(guard.nonce)).toBe(true);
    expect(await person.unlock(nonce)).toBe(true);
    await person.acquire();
  },
);

describe("a holder file that cannot be read", () => {
  test.each([
    "",
    '{"nonce": "12',
    "null",
    '{"nonce":"../x","pid":1,"host":"h","since":"s"}',
    '{"nonce":"a","pid":-1}',
  ])("%j counts as alive, and can be unlocked by the nonce that is shown", async (text) => {
    const medium = makeMedium();
    mkdirSync(dirname(medium.holderFile));
    writeFileSync(medium.holderFile, text);
    const store = openStore(medium);
    const { holder } = await store.read();
    expect(holder).toMatchObject({ life: "alive", pid: 0, host: "unknown" });
    await expect(store.acquire()).rejects.toThrow(StoreHeldError);
    expect(await store.unlock(holder?.nonce ?? "")).toBe(true);
    await store.acquire();
  });
});

test("a disk that fails while the store is taken leaves no draft", async () => {
  const medium = makeMedium();
  const store = openStore(medium);
  const original = fs.fsyncSync;
  fs.fsyncSync = () => {
    throw Object.assign(new Error("full"), { code: "ENOSPC", errno: -28 });
  };
  syncBuiltinESMExports();
  try {
    await expect(store.acquire()).rejects.toThrow("the disk is full (ENOSPC)");
  } finally {
    fs.fsyncSync = original;
    syncBuiltinESMExports();
  }
  expect(readdirSync(dirname(medium.holderFile))).toEqual([".gitignore"]);
  await store.acquire();
});

test("nor an empty .gitignore, which would stay", async () => {
  const medium = makeMedium();
  const store = openStore(medium);
  const original = fs.writeFileSync;
  fs.writeFileSync = (file, _, options) => {
    original(file, "", options);
    throw Object.assign(new Error("full"), { code: "ENOSPC", errno: -28 });
  };
  syncBuiltinESMExports();
  try {
    await expect(store.acquire()).rejects.toThrow("the disk is full (ENOSPC)");
  } finally {
    fs.writeFileSync = original;
    syncBuiltinESMExports();
  }
  await store.acquire();
  expect(readFileSync(join(dirname(medium.holderFile), ".gitignore"), "utf8")).toBe("*\n");
});

describe("unlocking", () => {
  test("removes the holder of the nonce alone", async () => {
    const medium = makeMedium();
    const [store, second] = [openStore(medium), openStore(medium)];
    expect(await second.unlock("0123456789abcdef")).toBe(false);
    await store.acquire();
    const { holder } = await second.read();
    expect(await second.unlock("0123456789abcdef")).toBe(false);
    expect((await second.read()).holder).toEqual(holder);
    expect(await second.unlock(holder?.nonce ?? "")).toBe(true);
    expect((await second.read()).holder).toBeNull();
  });
});

/** A process whose parent lives on and never waits for it: a shell would, so it is `sleep`. */
async function unwaitedChild(): Promise<{ pid: number; started: string }> {
  const script = "sleep 3600 & echo $$ $!; exec sleep 3600";
  const { stdout } = spawn("sh", ["-c", script], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(stdout, "data")) as [Buffer];
  const [parent, pid] = line.toString().split(" ").map(Number) as [number, number];
  onTestFinished(() => void process.kill(-parent, "SIGKILL"));
  while (statOf(parent).command !== "sleep") await sleep(5);
  return { pid, started: statOf(pid).started };
}

/** Fields 2, 3 and 22 of `/proc/PID/stat`. */
function statOf(pid: number): { command: string; state: string; started: string } {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const end = stat.lastIndexOf(")");
  const { 0: state = "", 19: started = "" } = stat.slice(end + 2).split(" ");
  return { command: stat.slice(stat.indexOf("(") + 1, end), state, started };
}
