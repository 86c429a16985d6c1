import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { StoreHeldError } from "../../src/core/state/lock-store.js";
import { Company, useActors } from "./company.js";
import { changeHolder, makeMedium, openStore } from "./medium.js";
import { needFile } from "../harness/need.js";

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

  // Without an identity of the machine, a different boot may be one of a different machine.
  const isKnownMachine =
    existsSync("/etc/machine-id") && readFileSync("/etc/machine-id", "utf8").trim() !== "";
  const ofThisProcess: [string, Record<string, unknown>, "alive" | "dead"][] = [
    ["nothing changed", {}, "alive"],
    ["the pid given to another process", { started: "1" }, "dead"],
    ["another boot of this machine", { boot: "another" }, isKnownMachine ? "dead" : "alive"],
    ["another host", { host: "another", pid: 1, boot: "another", started: "1" }, "alive"],
    ["another machine of the same host name", { machine: "another", boot: "another" }, "alive"],
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
    const parent = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 3600"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void parent.kill("SIGKILL"));
    const [line] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(line.toString());
    let stat = "";
    while (!stat.includes(") Z ")) {
      await sleep(5);
      stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    }
    await openStore(medium).acquire();
    changeHolder(medium, { pid, started: stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] });
    expect((await openStore(medium).read()).holder).toMatchObject({ pid, life: "dead" });
  });
});

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
