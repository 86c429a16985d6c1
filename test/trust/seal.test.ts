import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { JournalWriter } from "../../src/core/state/journal.js";
import { renderMove } from "../../src/core/state/lock-move.js";
import { JournalSealer, sealLock, type SealKey } from "../../src/core/state/seal.js";
import { environmentSecrets } from "../../src/service/secret.js";
import { findSealKey } from "../../src/store/seal/seal-key.js";
import { agentText, documents, manifestAt, openEmulator, runIn, type Ran } from "../cli/desk.js";
import { allOperations, fullManifest } from "../cli/full-desk.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { git, makeGitMedium } from "../store/git-medium.js";
import { sample, wholeTest } from "../harness/tier.js";

const key = "0123456789abcdef0123456789abcdef";
const seal = "${env:STATE_SEAL}";

interface Lock {
  lineage: string;
  serial: number;
  writes: string;
  seal?: string;
  service: Record<string, string>;
  settings: Record<string, Record<string, unknown>>;
  resources: Record<string, Record<string, unknown>>;
  retired: Record<string, unknown>;
}

/** How somebody without the key writes a state: keys sorted as agentform does, and whatever seal there is. */
const textOf = (lock: Lock) => `${JSON.stringify(lock, null, 2)}\n`;

/** A workspace in files with a service that can delete, whose lock anybody may edit. */
async function openFiles(
  lock: object = { store: "file", seal },
  more: Readonly<Record<string, string>> = {},
) {
  const service = await openEmulator({ operations: "full" });
  const manifest = (place: object, url = service.url) =>
    fullManifest(url, allOperations, `  lock: ${JSON.stringify(place)}\n`);
  const workspace = makeWorkspace({ "agentform.yaml": manifest(lock), ...documents, ...more });
  const file = (name: string) => join(workspace.directory, name);
  return {
    service,
    workspace,
    manifest,
    file,
    async run(...args: readonly string[]) {
      return await runIn(workspace.directory, args, { STATE_SEAL: key });
    },
    async runWithout(...args: readonly string[]) {
      return await runIn(workspace.directory, args);
    },
    lock: (name = "agentform.lock") => JSON.parse(workspace.read(name)) as Lock,
    forge(change: (lock: Lock) => void, name = "agentform.lock") {
      const lock = JSON.parse(workspace.read(name)) as Lock;
      change(lock);
      writeFileSync(file(name), textOf(lock));
      // What this machine wrote is not where the attacker writes.
    },
  };
}

function expectRefused(ran: Ran, code: string, exit = 1): void {
  expect(ran.err).toContain(`[${code}]`);
  expect(ran.code).toBe(exit);
}

/** An agent of another team, which this workspace has nothing to do with. */
async function otherTeam(service: Awaited<ReturnType<typeof openEmulator>>): Promise<string> {
  const theirs = makeWorkspace({
    "agentform.yaml": manifestAt(service.url).replace("desk", "payroll"),
    "agents/payroll.yaml": documentText("Agent", "payroll", { name: "Payroll bot of another team" }),
  });
  expect((await runIn(theirs.directory, ["apply", "--yes"])).code).toBe(0);
  return service.objects().agents.find(({ body }) => body.name === "Payroll bot of another team")?.id ?? "";
}

const bodyOf = (service: Awaited<ReturnType<typeof openEmulator>>, id: string) =>
  service.objects().agents.find((agent) => agent.id === id)?.body;

describe("somebody who may push a ref but not apply", () => {
  async function openTeam(lock: object) {
    const service = await openEmulator();
    const medium = makeGitMedium();
    const [desk, attacker] = [medium.clone("desk"), medium.clone("attacker")];
    const ref = "refs/agentform/desk/default";
    const write = (more: object = {}) => {
      const manifest = manifestAt(service.url, `  include: [agents.yaml]\n  lock: ${JSON.stringify(lock)}\n`);
      writeFileSync(join(desk, "agentform.yaml"), manifest);
      writeFileSync(
        join(desk, "agents.yaml"),
        documentText("Agent", "support", { name: "Support", ...more }),
      );
    };
    write();
    const run = (...args: string[]) => runIn(desk, args, { STATE_SEAL: key });
    expect((await run("apply", "--yes")).code).toBe(0);
    const forge = (change: (lock: Lock) => void, more: readonly string[] = [], journal?: string) => {
      git(attacker, "fetch", "-q", "origin", `+${ref}:${ref}`);
      git(attacker, "read-tree", "--empty");
      git(attacker, "read-tree", ref);
      const state = JSON.parse(git(attacker, "show", `${ref}:lock.json`)) as Lock;
      change(state);
      writeFileSync(join(attacker, "forged"), textOf(state));
      const blob = git(attacker, "hash-object", "-w", "forged");
      git(attacker, "update-index", "--add", "--cacheinfo", `100644,${blob},lock.json`);
      if (journal === "") git(attacker, "rm", "-q", "--cached", "journal");
      else if (journal !== undefined) {
        writeFileSync(join(attacker, "forged"), journal);
        const lines = git(attacker, "hash-object", "-w", "forged");
        git(attacker, "update-index", "--add", "--cacheinfo", `100644,${lines},journal`);
      }
      const commit = git(
        attacker,
        "commit-tree",
        git(attacker, "write-tree"),
        "-p",
        ref,
        ...more,
        "-m",
        "apply: serial 1",
      );
      git(attacker, "push", "-q", "origin", `${commit}:${ref}`);
      // As the jobs do before they plan.
      git(desk, "fetch", "-q", "origin", `+${ref}:${ref}`);
    };
    return { service, write, run, forge, desk };
  }

  const states = [
    ["is refused where the state is sealed", { store: "git", seal }, true],
    ["makes an apply write over another team's agent where it is not", { store: "git" }, false],
  ] as const;

  test.each(sample("states of which a ref is pushed", states, 1))("%s", async (_what, lock, isRefused) => {
    const { service, write, run, forge, desk } = await openTeam(lock);
    const theirs = await otherTeam(service);
    forge((state) => {
      (state.resources["agent:support"] ?? {}).id = theirs;
    });
    // A runner that is new each time has written nothing.
    if (!isRefused) rmSync(join(desk, ".git/agentform"), { recursive: true, force: true });
    write({ description: "Reviewed" });
    const { length } = service.requests;
    const planned = await run("plan");
    const applied = await run("apply", "--yes");
    if (isRefused) {
      expectRefused(planned, "seal-wrong");
      expectRefused(applied, "seal-wrong");
      expect(service.requests).toHaveLength(length);
    } else {
      expect(applied.code).toBe(0);
    }
    const name = isRefused ? "Payroll bot of another team" : "Support";
    expect(bodyOf(service, theirs)).toMatchObject({ name });
  });

  const pushes = [
    ["put an old state on top of the later ones", ["old"]],
    ["hide these behind one that cannot be read", ["garbage", "old"]],
    ["merge the old one in", ["merge"]],
  ] as const;

  test.each(pushes)(
    "is found out by any clone, and nothing is created again, if they %s",
    async (_, pushed) => {
      const { service, write, run, forge, desk } = await openTeam({ store: "git", seal });
      const ref = "refs/agentform/desk/default";
      const stateOf = () => JSON.parse(git(desk, "show", `${ref}:lock.json`)) as Lock;
      const [old, first] = [stateOf(), git(desk, "rev-parse", ref)];
      write({ description: "Reviewed" });
      const sales = documentText("Agent", "sales", { name: "Sales" });
      appendFileSync(join(desk, "agents.yaml"), `\n---\n${sales}`);
      expect((await run("apply", "--yes")).code).toBe(0);
      for (const what of pushed) {
        const edit = what === "garbage" ? { serial: 99, resources: 7 } : old;
        forge((lock) => Object.assign(lock, edit), what === "merge" ? ["-p", first] : []);
      }
      // A runner that is new has written nothing.
      rmSync(join(desk, ".git/agentform"), { recursive: true });
      const { length } = service.requests;
      for (const args of [["plan"], ["lock", "status"], ["apply", "--yes"]])
        expectRefused(await run(...args), "lock-behind");
      expect(await run("lock", "restore")).toMatchObject({ code: 0, err: "" });
      expect(await run("apply", "--yes")).toMatchObject({ code: 0, err: "" });
      expect(service.requests).toHaveLength(length);
      expect(Object.keys(stateOf().resources)).toEqual(["agent:sales", "agent:support"]);
    },
  );

  test.each(["all", "all but its header", "a line", "all, with the seal elsewhere in the lock"])(
    "has no object created again by taking from the journal of an apply that died: %s",
    async (what) => {
      const { service, run, forge, desk } = await openTeam({ store: "git", seal });
      appendFileSync(
        join(desk, "agents.yaml"),
        `\n---\n${documentText("Agent", "sales", { name: "Sales" })}`,
      );
      const lock = JSON.parse(git(desk, "show", "refs/agentform/desk/default:lock.json")) as Lock;
      const { writer, header, begin, sealed } = journalOn(lock, service.url);
      const id = await otherTeam(service);
      const lines = [header, begin(1, "agent:sales"), writer.render({ type: "done", n: 1, id })].map(sealed);
      forge(() => undefined, [], lines.join(""));
      const [first = "", , last = ""] = lines;
      const left = { "a line": `${first}${last}`, "all but its header": first }[what] ?? "";
      const isMoved = what.includes("seal elsewhere");
      forge(
        (state) => {
          if (!isMoved) return;
          const { seal: _first, ...rest } = state;
          for (const name of Object.keys(rest)) Reflect.deleteProperty(state, name);
          Object.assign(state, rest);
        },
        [],
        left,
      );
      forget(desk);
      const { length } = service.requests;
      expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
      expect(service.requests.slice(length).map(({ method }) => method)).toEqual(["PUT"]);
      expect(bodyOf(service, id)).toMatchObject({ name: "Sales" });
    },
  );

  test("is not stopped by a journal from before its lock that was on the ref once", async () => {
    const { service, run, forge, desk } = await openTeam({ store: "git", seal });
    const lock = JSON.parse(git(desk, "show", "refs/agentform/desk/default:lock.json")) as Lock;
    const { header, begin, sealed } = journalOn({ ...lock, serial: lock.serial - 1 }, service.url);
    const lines = [header, begin(1, "agent:support")].map(sealed);
    forge(() => undefined, [], lines.join(""));
    forge(() => undefined, [], "");
    forget(desk);
    const { length } = service.requests;
    expect(await run("apply", "--yes")).toMatchObject({ code: 0, err: "" });
    expect(service.requests).toHaveLength(length);
  });

  wholeTest("is shown by `lock seal`, which seals only what was shown", async () => {
    const { run, forge } = await openTeam({ store: "git", seal });
    forge((state) => {
      (state.resources["agent:support"] ?? {}).id = "another";
    });
    const shown = await run("lock", "seal");
    expect(shown.code).toBe(2);
    expect(shown.out).toContain("1 difference from what was sealed (the last write of this machine)");
    expect(shown.out).toContain("agent:support");
    expect(shown.out).toContain("another");
    const [, command = ""] = /To seal it as it is: agentform (.+)/.exec(shown.out) ?? [];
    forge((state) => {
      (state.resources["agent:support"] ?? {}).id = "and another";
    });
    expectRefused(await run(...command.split(" ")), "lock-changed");
    expectRefused(await run("plan"), "seal-wrong");
  });
});

describe("somebody who may write the files of the state", () => {
  test.each([true, false])("cannot have the key sent to another address (sealed: %s)", async (isSealed) => {
    const lock = isSealed ? { store: "file", seal } : { store: "file" };
    const desk = await openFiles(lock);
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    const evil = await openEmulator({ operations: "full" });
    desk.forge((state) => {
      state.service = { base_url: evil.url, rai_base_url: evil.url };
      state.settings.service = { ...state.settings.service, ...state.service };
    });
    desk.workspace.write({
      "agentform.yaml": desk.manifest(lock, evil.url),
      "agents/support.yaml": agentText({ description: "Reviewed" }),
    });
    const ran = await desk.run("apply", "--yes", "--no-check");
    if (isSealed) expectRefused(ran, "seal-wrong");
    expect(evil.requests.length > 0).toBe(!isSealed);
  });

  test("cannot have another team's object deleted by a prune", async () => {
    const desk = await openFiles();
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    const theirs = await otherTeam(desk.service);
    desk.forge((state) => {
      state.retired[theirs] = { address: "agent:old", reason: "forgotten" };
    });
    const { length } = desk.service.requests;
    expectRefused(await desk.run("prune", "--yes"), "seal-wrong");
    expect(desk.service.requests).toHaveLength(length);
    expect(bodyOf(desk.service, theirs)).toBeDefined();
  });

  test.each(["", " ".repeat(200)])("cannot say that it is elsewhere, after %j", async (space) => {
    const desk = await openFiles();
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    const {
      resources: _all,
      retired: _left,
      settings: _by,
      service: _at,
      seal: _own,
      ...state
    } = desk.lock();
    const lock = { ...state, format: "agentform/move/v1" };
    const to = { store: "http", address: "https://state.example.com/theirs" };
    writeFileSync(desk.file("agentform.lock"), `${space}${JSON.stringify({ ...lock, to }, null, 2)}\n`);
    const applied = await desk.run("apply", "--yes");
    expectRefused(applied, "seal-missing");
    expect(applied.err).not.toContain("state.example.com");
  });

  test("cannot write a journal", async () => {
    const desk = await openFiles();
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    const { lineage, serial, service } = desk.lock();
    const writer = new JournalWriter();
    const base_url = String(service.base_url);
    const lines = [
      writer.render({
        type: "header",
        format: "agentform/journal/v1",
        workspace: "desk",
        environment: null,
        lineage,
        serial,
        write: "w9",
        service: { base_url },
      }),
      writer.render({ type: "resolved", address: "agent:support" }),
      writer.render({
        type: "entry",
        address: "agent:support",
        entry: { id: "another", body: {}, digest: "sha256:0" },
      }),
    ];
    desk.workspace.write({ "agentform.lock.journal": lines.join("") });
    expectRefused(await desk.run("apply", "--yes"), "seal-missing");
    const sealedBy = (line: string) => line.replace("\n", ` ${"0".repeat(64)}\n`);
    desk.workspace.write({ "agentform.lock.journal": lines.map(sealedBy).join("") });
    expectRefused(await desk.run("apply", "--yes"), "seal-wrong");
    // A last line that is torn is nobody's forgery.
    desk.workspace.write({ "agentform.lock.journal": (lines[0] ?? "").slice(0, 40) });
    expect((await desk.run("apply", "--yes")).code).toBe(0);
  });

  test("cannot copy the state of another environment or workspace", async () => {
    const environments = { staging: {}, production: {} };
    const desk = await openFiles();
    const withEnvironments = `${desk.manifest({ store: "file", seal })}  environments: ${JSON.stringify(environments)}\n`;
    desk.workspace.write({ "agentform.yaml": withEnvironments });
    expect((await desk.run("apply", "--yes", "-e", "staging")).code).toBe(0);
    const staging = desk.workspace.read("agentform.staging.lock");
    desk.workspace.write({ "agentform.production.lock": staging });
    expectRefused(await desk.run("apply", "--yes", "-e", "production"), "lock-foreign");
    const renamed = staging.replace('"environment": "staging"', '"environment": "production"');
    desk.workspace.write({ "agentform.production.lock": renamed });
    expectRefused(await desk.run("apply", "--yes", "-e", "production"), "seal-wrong");
    desk.workspace.write({
      "agentform.yaml": withEnvironments.replace("{name: desk}", "{name: other}"),
      "agentform.staging.lock": staging.replace('"workspace": "desk"', '"workspace": "other"'),
    });
    expectRefused(await desk.run("apply", "--yes", "-e", "staging"), "seal-wrong");
  });

  const commands: readonly (readonly string[])[] = [
    ["apply", "--yes"],
    ["prune", "--yes"],
    ["drift"],
    ["import", "--all", "--yes"],
    ["lock", "resolve", "agent:support", "--adopt", "another"],
    ["lock", "resolve", "agent:support", "--search", "--yes"],
    ["lock", "restore"],
    ["lock", "move", "--to", "{store: http, address: 'http://127.0.0.1:1/state'}"],
  ];

  wholeTest(
    "reaches no command that changes or sends anything, with and without the seal and its key",
    async () => {
      const desk = await openFiles();
      expect((await desk.run("apply", "--yes")).code).toBe(0);
      const sealed = desk.workspace.read("agentform.lock");
      const { length } = desk.service.requests;
      for (const args of commands) {
        desk.workspace.write({ "agentform.lock": sealed });
        expectRefused(await desk.runWithout(...args), "seal-key");
        desk.forge(({ resources }) => delete resources["agent:support"]);
        expectRefused(await desk.run(...args), "seal-wrong");
        desk.forge((state) => delete state.seal);
        expectRefused(await desk.run(...args), "seal-missing");
      }
      expect(desk.service.requests).toHaveLength(length);
    },
  );
});

describe("a plan of a sealed state", () => {
  test("says without the key that it could not verify it, and is the same with the key", async () => {
    const desk = await openFiles();
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    desk.workspace.write({ "agents/support.yaml": agentText({ description: "Reviewed" }) });
    const [without, verified] = [await desk.runWithout("plan"), await desk.run("plan")];
    expect(without.err).toContain("[seal-unverified]");
    expect(verified.err).not.toContain("[seal-");
    expect([without.code, verified.code]).toEqual([0, 0]);
    const digest = (text: string) => /Digest: (\S+)/.exec(text)?.[1];
    expect(digest(without.out)).toBe(digest(verified.out));
    expect((await desk.run("apply", "--yes", "--expect", digest(without.out) ?? "")).code).toBe(0);
    for (const { out, err } of [without, verified]) {
      expect(out + err).not.toContain(key);
      expect(out).not.toContain("hmac-sha256");
    }
    expect((await desk.runWithout("lock", "status")).out).toContain("sealed; not verified");
    expect((await desk.run("lock", "status")).out).toContain("sealed, and verified");
    for (const file of ["agentform.lock", ".agentform/default.lock"])
      expect(desk.workspace.read(file)).not.toContain(key);
  });

  test("tells first of all that a change takes the seal away", async () => {
    const desk = await openFiles();
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    desk.workspace.write({ "agentform.yaml": desk.manifest({ store: "file" }) });
    const { out } = await desk.runWithout("plan", "--format", "json");
    const { notes, setting_changes: changes } = JSON.parse(out) as Record<string, unknown[]>;
    expect(changes).toEqual([{ path: "lock.seal", before: seal }]);
    expect(notes?.[0]).toMatchObject({ code: "setting-changed", effect: "weakens", path: "lock.seal" });
    expect(out).not.toContain("hmac-sha256");
  });

  test("tells that after a restore of a state that somebody has removed, too", async () => {
    const desk = await openFiles();
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    rmSync(desk.file("agentform.lock"));
    expect((await desk.run("lock", "restore")).code).toBe(0);
    desk.workspace.write({ "agentform.yaml": desk.manifest({ store: "file" }) });
    const { out } = await desk.runWithout("plan", "--format", "json");
    expect(JSON.parse(out)).toMatchObject({ setting_changes: [{ path: "lock.seal", before: seal }] });
  });
});

describe("lock seal", () => {
  const digestIn = ({ out }: Ran) => /--expect (\S+)/.exec(out)?.[1] ?? "";

  test("begins the seal of a state after a look, and an apply goes on", async () => {
    const desk = await openFiles({ store: "file" });
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    desk.workspace.write({ "agentform.yaml": desk.manifest({ store: "file", seal }) });
    expect((await desk.run("plan")).err).toContain("[seal-missing]");
    expectRefused(await desk.run("apply", "--yes"), "seal-missing");
    expectRefused(await desk.runWithout("lock", "seal"), "seal-key");
    const shown = await desk.run("lock", "seal");
    expect(shown.code).toBe(2);
    expect(shown.out).toContain("this is all that is in it");
    for (const address of Object.keys(desk.lock().resources)) expect(shown.out).toContain(address);
    const done = await desk.run("lock", "seal", "--expect", digestIn(shown));
    expect([done.code, done.out]).toEqual([0, "agentform.lock: sealed, now serial 2\n"]);
    expect((await desk.run("lock", "seal")).out).toBe("agentform.lock: sealed with this key already\n");
    expect((await desk.run("apply", "--yes")).code).toBe(0);
  });

  test("is remembered, so that a manifest without the key is told before any apply", async () => {
    const desk = await openFiles({ store: "file" });
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    desk.workspace.write({ "agentform.yaml": desk.manifest({ store: "file", seal }) });
    const shown = await desk.run("lock", "seal");
    expect((await desk.run("lock", "seal", "--expect", digestIn(shown))).code).toBe(0);
    desk.workspace.write({ "agentform.yaml": desk.manifest({ store: "file" }) });
    const { out } = await desk.runWithout("plan", "--format", "json");
    const { notes, setting_changes: changes } = JSON.parse(out) as Record<string, unknown[]>;
    expect(changes).toEqual([{ path: "lock.seal", before: seal }]);
    expect(notes?.[0]).toMatchObject({ effect: "weakens", path: "lock.seal" });
  });

  test("exchanges the key, if the key before is given", async () => {
    const desk = await openFiles();
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    const run = (...args: string[]) =>
      runIn(desk.workspace.directory, args, {
        STATE_SEAL: `new ${key}`,
        OLD_SEAL: key,
        WRONG_SEAL: `no ${key}`,
      });
    expectRefused(await run("apply", "--yes"), "seal-wrong");
    expectRefused(await run("lock", "seal", "--previous", "${env:WRONG_SEAL}"), "seal-wrong");
    expectRefused(await run("lock", "seal", "--previous", "${env:UNSET_SEAL}"), "seal-key");
    expect((await run("lock", "seal", "--previous", key)).code).toBe(64);
    expect((await run("lock", "seal", "--previous", "${env:OLD_SEAL}")).code).toBe(0);
    expect((await run("apply", "--yes")).code).toBe(0);
    expectRefused(await desk.run("apply", "--yes"), "seal-wrong");
  });

  test("can go on after an apply that died with a state whose seal is another's", async () => {
    const desk = await openFiles();
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    const dead = { nonce: "0123456789abcdef", pid: 7, host: "elsewhere", since: "2026-01-02T03:04:05.000Z" };
    writeFileSync(desk.file(".agentform/default.holder"), JSON.stringify(dead));
    const run = (...args: string[]) =>
      runIn(desk.workspace.directory, args, { STATE_SEAL: `new ${key}`, OLD_SEAL: key });
    const exchange = ["lock", "seal", "--previous", "${env:OLD_SEAL}"];
    const held = await run(...exchange);
    expect([held.code, held.err]).toEqual([4, expect.stringContaining(`lock unlock ${dead.nonce}`)]);
    expect((await run("lock", "unlock", dead.nonce)).code).toBe(0);
    expect((await run(...exchange)).code).toBe(0);
    expect((await run("apply", "--yes")).code).toBe(0);
  });

  test("shows what differs from what this machine last sealed", async () => {
    const desk = await openFiles();
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    desk.forge((state) => {
      state.retired["66f1c0"] = { address: "agent:old", reason: "forgotten" };
    });
    const shown = await desk.run("lock", "seal");
    expect(shown.out).toContain("1 difference from what was sealed (the last write of this machine)");
    expect(shown.out).toContain("66f1c0");
    expectRefused(await desk.run("lock", "seal", "--expect", "sha256:0"), "lock-changed");
    expect((await desk.run("lock", "seal", "--expect", digestIn(shown))).code).toBe(0);
    expect((await desk.run("plan")).code).toBe(0);
    desk.forge((state) => {
      state.serial = 9_007_199_254_740_990;
    });
    const ofSerial = await desk.run("lock", "seal");
    expect(ofSerial.out).toContain("1 difference from what was sealed");
    expect(ofSerial.out).toContain("9007199254740990");
    desk.workspace.remove("agentform.lock");
    expectRefused(await desk.run("lock", "seal"), "lock-behind");
  });

  test("needs a key in the manifest, and something that was applied", async () => {
    const desk = await openFiles({ store: "file" });
    expectRefused(await desk.run("lock", "seal"), "seal-key");
    desk.workspace.write({ "agentform.yaml": desk.manifest({ store: "file", seal }) });
    expect((await desk.run("lock", "seal")).out).toContain("the first apply seals it");
  });
});

wholeTest("a moved state is sealed where it arrives, and what it leaves behind, too", async () => {
  const service = await openEmulator();
  const desk = makeGitMedium().clone("desk");
  const write = (lock: object) => {
    const manifest = manifestAt(service.url, `  include: [agents.yaml]\n  lock: ${JSON.stringify(lock)}\n`);
    writeFileSync(join(desk, "agentform.yaml"), manifest);
    writeFileSync(join(desk, "agents.yaml"), documentText("Agent", "support", { name: "Support" }));
    writeFileSync(join(desk, ".gitignore"), ".agentform/\n");
  };
  const run = (...args: string[]) => runIn(desk, args, { STATE_SEAL: key });
  write({ store: "file", seal });
  expect((await run("apply", "--yes")).code).toBe(0);
  const moved = await run("lock", "move", "--to", "git");
  expect(moved.out).toContain(`lock: {seal: "${seal}", store: git}`);
  const ref = "refs/agentform/desk/default";
  for (const text of [
    readFileSync(join(desk, "agentform.lock"), "utf8"),
    git(desk, "show", `${ref}:lock.json`),
  ])
    expect(text).toMatch(/^ {2}"seal": "hmac-sha256:[0-9a-f]{64}",$/m);
  write({ store: "git", seal });
  const applied = await run("apply", "--yes");
  expect([applied.code, applied.out]).toEqual([0, expect.stringContaining("No changes")]);
});

test("a state that is renamed where it is has a seal of its new name, and a forged one is not renamed", async () => {
  const { workspace, manifest, run, forge } = await openFiles();
  expect((await run("apply", "--yes")).code).toBe(0);
  const sound = workspace.read("agentform.lock");
  workspace.write({
    "agentform.yaml": manifest({ store: "file", seal }).replace("name: desk", "name: office"),
  });
  forge((lock) => (lock.serial += 1));
  expectRefused(await run("lock", "move", "--from-workspace", "desk"), "seal-wrong");
  workspace.write({ "agentform.lock": sound });
  expect((await run("lock", "move", "--from-workspace", "desk")).code).toBe(0);
  const applied = await run("apply", "--yes");
  expect([applied.code, applied.out]).toEqual([0, expect.stringContaining("No changes")]);
  expect((await run("lock", "status")).out).toContain("sealed, and verified");
});

/** The key of the seal, as the commands have it. */
function sealKey(): SealKey {
  const found = findSealKey(seal, environmentSecrets({ STATE_SEAL: key }));
  if (!found.key) throw found.why;
  return found.key;
}

/** Makes the lines of a journal that goes on from a lock, and their seals. */
function journalOn({ lineage, serial, writes }: Lock, url: string) {
  const owner = { workspace: "desk", environment: null };
  const [writer, sealer] = [new JournalWriter(), new JournalSealer(owner, sealKey())];
  const [after = ""] = writes.split(" ");
  const kept = { ...owner, lineage, serial, after, write: "w9" };
  const service = { base_url: url, rai_base_url: url };
  const request = { method: "POST", path: "/v3/agents/", time: "2026-01-01T00:00:00.000Z" };
  return {
    writer,
    header: writer.render({ type: "header", format: "agentform/journal/v1", ...kept, service }),
    begin: (n: number, address: string, operation: "create" | "replace" = "create") =>
      writer.render({ type: "begin", n, address, operation, ...request, body: {}, digest: "sha256:0" }),
    sealed: (line: string) => sealer.seal(line),
  };
}

/** Makes the machine one that has not applied. */
function forget(desk: string): void {
  for (const folder of [".agentform", ".git/agentform"])
    rmSync(join(desk, folder), { recursive: true, force: true });
}

describe("what git has of a sealed lock", () => {
  async function openRepository() {
    const service = await openEmulator();
    const desk = makeGitMedium().clone("desk");
    const write = (name: string) =>
      writeFileSync(join(desk, "agents.yaml"), documentText("Agent", "support", { name }));
    const manifest = manifestAt(
      service.url,
      `  include: [agents.yaml]\n  lock: ${JSON.stringify({ store: "file", seal })}\n`,
    );
    writeFileSync(join(desk, "agentform.yaml"), manifest);
    writeFileSync(join(desk, ".gitignore"), ".agentform/\n");
    const lockFile = join(desk, "agentform.lock");
    const commit = () => {
      git(desk, "add", "--all");
      git(desk, "commit", "-q", "--allow-empty", "-m", "commit");
    };
    const run = (...args: string[]) => runIn(desk, args, { STATE_SEAL: key });
    const apply = async (name: string) => {
      write(name);
      expect((await run("apply", "--yes")).code).toBe(0);
      commit();
    };
    const forge = (change: (lock: Lock) => void) => {
      const lock = JSON.parse(readFileSync(lockFile, "utf8")) as Lock;
      change(lock);
      writeFileSync(lockFile, textOf(lock));
      commit();
    };
    return { service, desk, lockFile, run, apply, forge, commit };
  }

  wholeTest("is restored if it is sealed, and not if somebody else wrote it", async () => {
    const { desk, lockFile, run, apply, forge, commit } = await openRepository();
    await apply("One");
    const first = readFileSync(lockFile, "utf8");
    await apply("Two");
    writeFileSync(lockFile, first);
    commit();
    expectRefused(await run("apply", "--yes"), "lock-behind");
    expect((await run("lock", "restore")).code).toBe(0);
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
    const good = readFileSync(lockFile, "utf8");
    forge((lock) => {
      lock.serial += 5;
      lock.writes = `ffffffffffffffff ${lock.writes}`;
      lock.retired["66f1c0"] = { address: "agent:old", reason: "forgotten" };
    });
    writeFileSync(lockFile, good);
    commit();
    const refused = await run("lock", "restore");
    expectRefused(refused, "seal-wrong");
    expect(refused.err).toContain("is not merged");
    expect(readFileSync(lockFile, "utf8")).toBe(good);
    expect(git(desk, "status", "--porcelain")).toBe("");
    // As its hint says, it is passed over.
    const [, write = ""] = /write `(\w+)` before the others/.exec(refused.err) ?? [];
    writeFileSync(lockFile, good.replace('"writes": "', `"writes": "${write} `));
    const shown = await run("lock", "seal");
    expect(shown.out).toContain("1 difference from what was sealed");
    const [, digest = ""] = /--expect (\S+)/.exec(shown.out) ?? [];
    expect((await run("lock", "seal", "--expect", digest)).code).toBe(0);
    commit();
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
    expect(readFileSync(lockFile, "utf8")).not.toContain("66f1c0");
  });

  test("an edit of it that was committed and taken back is in nobody's way", async () => {
    const { lockFile, run, apply, forge, commit } = await openRepository();
    await apply("One");
    const good = readFileSync(lockFile, "utf8");
    for (const more of [{}, { workspace: "help" }]) {
      forge((lock) => {
        Object.assign(lock, more);
        Object.assign(lock.resources["agent:support"] ?? {}, { id: "66f1c0" });
      });
      expect((await run("plan")).code).toBe(1);
      writeFileSync(lockFile, good);
      commit();
    }
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
    expect((await run("lock", "restore")).out).toContain("nothing to restore");
    expect((await run("lock", "list")).out).not.toContain("66f1c0");
  });

  test("an earlier version says what its seal is worth", async () => {
    const { desk, lockFile, run, apply, forge, commit } = await openRepository();
    await apply("One");
    const good = readFileSync(lockFile, "utf8");
    for (const [serial, isSealed] of [
      [7, false],
      [8, true],
    ] as const) {
      forge((lock) => {
        lock.serial = serial;
        if (!isSealed) delete lock.seal;
        Object.assign(lock.resources["agent:support"] ?? {}, { id: "66f1c0" });
      });
      writeFileSync(lockFile, good);
      commit();
    }
    const show = (serial: number) => ["lock", "show", "agent:support", "--at", String(serial)];
    expect(await run(...show(1))).toMatchObject({ code: 0, err: "" });
    expect((await runIn(desk, show(1))).err).toContain("[seal-unverified]");
    expect((await run(...show(7))).err).toContain("[seal-missing]");
    const wrong = await run(...show(8));
    expectRefused(wrong, "seal-wrong");
    expect(wrong.out).toBe("");
  });

  test("a text without its seal does not hide that it was set back", async () => {
    const { desk, lockFile, run, apply, forge, commit } = await openRepository();
    await apply("One");
    const first = readFileSync(lockFile, "utf8");
    await apply("Two");
    const { writes } = JSON.parse(readFileSync(lockFile, "utf8")) as Lock;
    writeFileSync(lockFile, first);
    forge((lock) => {
      lock.serial = 99;
      lock.writes = writes.split(" ").toReversed().join(" ");
    });
    writeFileSync(lockFile, first);
    commit();
    forget(desk);
    expectRefused(await run("plan"), "lock-behind");
  });

  test("a text without a seal in its place or its history sends nobody to another place", async () => {
    const { desk, lockFile, run, apply, commit } = await openRepository();
    await apply("One");
    const good = readFileSync(lockFile, "utf8");
    const { lineage, serial, writes } = JSON.parse(good) as Lock;
    const owner = { workspace: "desk", environment: null };
    const to = { store: "s3", bucket: "elsewhere" };
    writeFileSync(
      lockFile,
      renderMove({ ...owner, lineage, serial: serial + 1, writes: `w9 ${writes}`, to }),
    );
    commit();
    for (const ran of [await run("plan"), await runIn(desk, ["plan"]), await run("lock", "seal")]) {
      expectRefused(ran, "seal-missing");
      expect(ran.err).not.toContain("elsewhere");
      // It may have moved before the seal was begun: what was there before is then an old state.
      expect(ran.err).toContain("if you moved it, set `spec.lock` to where it is now; else put back");
    }
    writeFileSync(lockFile, good);
    commit();
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  test("a state that moved away before there was a seal is not begun anew with one", async () => {
    const { desk, lockFile, run, apply, commit } = await openRepository();
    const sealed = readFileSync(join(desk, "agentform.yaml"), "utf8");
    writeFileSync(join(desk, "agentform.yaml"), sealed.replace(`,"seal":${JSON.stringify(seal)}`, ""));
    await apply("One");
    const before = readFileSync(lockFile, "utf8");
    expect((await run("lock", "move", "--to", "git")).code).toBe(0);
    writeFileSync(join(desk, "agentform.yaml"), sealed);
    commit();
    writeFileSync(lockFile, before);
    expectRefused(await run("plan"), "lock-moved", 4);
    const shown = await run("lock", "seal");
    const [, digest = ""] = /--expect (\S+)/.exec(shown.out) ?? [];
    expectRefused(await run("lock", "seal", "--expect", digest), "lock-moved", 4);
    expect(readFileSync(lockFile, "utf8")).toBe(before);
  });

  test("that git has taken back to before its key is restored, and nothing of a forged one is used", async () => {
    const { lockFile, run, apply, forge, commit } = await openRepository();
    await apply("One");
    const first = readFileSync(lockFile, "utf8");
    await apply("Two");
    const [good, there] = [readFileSync(lockFile, "utf8"), (await run("lock", "list")).out];
    const { seal: _seal, ...unsealed } = JSON.parse(first) as Lock;
    const retired = { "66f1c0": { address: "agent:old", reason: "forgotten" } };
    writeFileSync(lockFile, textOf({ ...unsealed, retired }));
    expectRefused(await run("apply", "--yes"), "seal-missing");
    expect(await run("lock", "restore")).toMatchObject({ code: 0, err: "" });
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
    expect((await run("lock", "list")).out).toBe(there.replace("serial 2", "serial 3"));
    expect(readFileSync(lockFile, "utf8")).not.toContain("66f1c0");
    // One that no known version comes after may be newer.
    writeFileSync(lockFile, good);
    forge((lock) => (lock.serial += 5));
    commit();
    expectRefused(await run("lock", "restore"), "seal-wrong");
    // One of another branch, applied with the key before, can be sealed as little.
    const [, write] = (JSON.parse(good) as Lock).writes?.split(" ") ?? [];
    writeFileSync(lockFile, textOf({ ...unsealed, serial: 2, writes: `0123456789abcdef ${write}` }));
    const { err } = await run("lock", "restore");
    expect(err).toMatch(/does not contain what .+ has, which is sealed: put that version of the lock back/);
  });

  test("that git has taken back to before its key is restored with the journal that an apply left", async () => {
    const { service, desk, lockFile, run, apply } = await openRepository();
    await apply("One");
    const { seal: _seal, ...unsealed } = JSON.parse(readFileSync(lockFile, "utf8")) as Lock;
    await apply("Two");
    const {
      header,
      begin,
      writer,
      sealed: withSeal,
    } = journalOn(JSON.parse(readFileSync(lockFile, "utf8")) as Lock, service.url);
    const lines = [header, begin(1, "agent:triage"), writer.render({ type: "done", n: 1, id: "66f1c0" })];
    const journal = join(desk, "agentform.lock.journal");
    for (const sealed of [false, true]) {
      writeFileSync(lockFile, textOf(unsealed));
      writeFileSync(journal, lines.map((line) => (sealed ? withSeal(line) : line)).join(""));
      const restored = await run("lock", "restore");
      expect([restored.code, restored.out.includes("nothing of it is in the lock")]).toEqual([0, !sealed]);
      expect(existsSync(journal)).toBe(false);
      expect((await run("lock", "list")).out.includes("66f1c0")).toBe(sealed);
    }
  });

  test("with a journal that goes on from another lock leads in no circle", async () => {
    const { service, desk, lockFile, run, apply } = await openRepository();
    await apply("One");
    const lock = JSON.parse(readFileSync(lockFile, "utf8")) as Lock;
    const journal = join(desk, "agentform.lock.journal");
    const { header } = journalOn({ ...lock, lineage: "another" }, service.url);
    writeFileSync(journal, `${header.trimEnd()} ${"0".repeat(64)}\n`);
    expect((await run("plan")).err).toContain("`agentform lock seal`");
    expect((await run("lock", "seal")).err).toContain("`agentform lock restore`");
    const restored = await run("lock", "restore");
    expectRefused(restored, "seal-wrong");
    expect(restored.err).toContain("or remove the journal, if it is of another state");
    rmSync(journal);
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  test("of a damaged journal nothing is restored that has no seal, behind the damage either", async () => {
    const { service, desk, lockFile, run, apply } = await openRepository();
    await apply("One");
    const { header, begin, sealed } = journalOn(
      JSON.parse(readFileSync(lockFile, "utf8")) as Lock,
      service.url,
    );
    const lines = [header, begin(1, "agent:first"), begin(2, "agent:damaged"), begin(3, "agent:third")].map(
      sealed,
    );
    const damaged = lines.map((line, at) => (at === 2 ? line.replace("POST", "PUT!") : line)).join("");
    const payroll = begin(4, "agent:support", "replace").replace(
      '"body":{}',
      '"body":{"name":"Payroll bot"}',
    );
    // Without a seal, and with that of another line.
    const forged = `${payroll}${payroll.slice(0, -1)}${lines[3]?.slice(-66) ?? ""}`;
    writeFileSync(join(desk, "agentform.lock.journal"), damaged + forged);
    expectRefused(await run("apply", "--yes"), "journal-damaged");
    const restored = await run("lock", "restore");
    expect(restored.code).toBe(0);
    const { resources, unknown } = JSON.parse(readFileSync(lockFile, "utf8")) as Lock & { unknown: object };
    expect([Object.keys(resources), Object.keys(unknown)]).toEqual([
      ["agent:support"],
      ["agent:first", "agent:third"],
    ]);
    const [, aside = ""] = /kept as (\S+)/.exec(restored.out) ?? [];
    expect(readFileSync(join(desk, aside), "utf8")).toContain("Payroll bot");
  });

  test("of a damaged journal what was begun under a right seal is unknown, and the rest is told", async () => {
    const { service, desk, lockFile, run, apply } = await openRepository();
    await apply("One");
    const { header, begin, sealed } = journalOn(
      JSON.parse(readFileSync(lockFile, "utf8")) as Lock,
      service.url,
    );
    const names = ["first", "second", "third", "fourth", "fifth"];
    const [top, first, second, third = "", ...rest] = [
      header,
      ...names.map((name, at) => begin(at + 1, `agent:${name}`)),
    ].map(sealed);
    // A line that was put between two, and one of which the end is gone: nobody can verify the one behind that.
    const damaged = [top, first, "<<<<<<< HEAD\n", second, `${third.slice(0, 60)}\n`, ...rest].join("");
    writeFileSync(join(desk, "agentform.lock.journal"), damaged);
    expect((await run("apply", "--yes")).err).toContain(
      "marks what they began under a valid seal as unknown",
    );
    const { code, out } = await run("lock", "restore");
    expect(code).toBe(0);
    const { unknown } = JSON.parse(readFileSync(lockFile, "utf8")) as { unknown: object };
    expect(Object.keys(unknown)).toEqual(["agent:fifth", "agent:first", "agent:second"]);
    expect(out).toContain("say that a request was begun for agent:fourth, which is not in the lock");
  });

  test("a side of a merge that says that it is from before a renaming needs the seal of that name", async () => {
    const { desk, run, apply, forge } = await openRepository();
    await apply("One");
    git(desk, "checkout", "-q", "-b", "theirs");
    const renamed = (isSealed: boolean) => (lock: Lock) => {
      lock.serial += 1;
      lock.writes = `aaaaaaaaaaaaaaaa ${lock.writes}`;
      Object.assign(lock, { workspace: "help" });
      Object.assign(lock.resources["agent:support"] ?? {}, { id: "66f1c0" });
      delete lock.seal;
      if (isSealed)
        Object.assign(
          lock,
          JSON.parse(sealLock(textOf(lock), { workspace: "help", environment: null }, sealKey())),
        );
    };
    forge(renamed(false));
    git(desk, "checkout", "-q", "main");
    await apply("Two");
    const merged = async () => {
      expect(() => git(desk, "merge", "-q", "theirs")).toThrow();
      return await run("lock", "merge");
    };
    expectRefused(await merged(), "seal-wrong");
    expectRefused(await run("lock", "restore"), "seal-wrong");
    git(desk, "reset", "-q", "--hard");
    git(desk, "checkout", "-q", "theirs");
    git(desk, "reset", "-q", "--hard", "main~1");
    forge(renamed(true));
    git(desk, "checkout", "-q", "main");
    expect((await merged()).code).toBe(0);
    expect((await run("lock", "list")).out).toContain("66f1c0");
  });

  test.each([
    ["between its marks alone", (text: string) => text],
    ["joined in places", (text: string) => text.replace("AGENT_API_KEY", "OTHER_KEY")],
  ])("a conflict that was committed, %s, is merged", async (_, joined) => {
    const { desk, lockFile, run, apply, commit } = await openRepository();
    await apply("One");
    git(desk, "branch", "theirs");
    await apply("Ours");
    git(desk, "checkout", "-q", "theirs");
    forget(desk);
    await apply("Theirs");
    git(desk, "checkout", "-q", "main");
    expect(() => git(desk, "merge", "-q", "theirs")).toThrow();
    writeFileSync(lockFile, joined(readFileSync(lockFile, "utf8")));
    git(desk, "checkout", "--ours", "--", "agents.yaml");
    commit();
    expect((await run("plan")).err).toContain("lock merge");
    expect((await run("lock", "merge")).code).toBe(0);
    expect(JSON.parse(readFileSync(lockFile, "utf8"))).toMatchObject({
      resources: { "agent:support": { uncertain: true } },
    });
  });

  wholeTest("is merged if both sides are sealed, and not if one is not", async () => {
    const { desk, lockFile, run, apply, forge } = await openRepository();
    const conflict = () => {
      try {
        git(desk, "merge", "-q", "theirs");
      } catch {
        // A conflict in the lock, and in nothing else that matters here.
      }
      git(desk, "checkout", "--ours", "--", "agents.yaml");
    };
    await apply("One");
    git(desk, "branch", "theirs");
    await apply("Ours");
    git(desk, "checkout", "-q", "theirs");
    forget(desk);
    await apply("Theirs");
    git(desk, "checkout", "-q", "main");
    forget(desk);
    // Git mixes both sides around its marks, so that none has its seal: what is sealed is in the history.
    conflict();
    git(desk, "add", "--all");
    git(desk, "commit", "-q", "-m", "with its marks");
    expect((await run("lock", "merge")).code).toBe(0);
    git(desk, "reset", "-q", "--hard", "HEAD~1");
    forget(desk);
    conflict();
    expect((await run("lock", "merge")).code).toBe(0);
    expect(readFileSync(lockFile, "utf8")).toMatch(/"seal": "hmac-sha256:[0-9a-f]{64}"/);
    git(desk, "add", "--all");
    expect((await run("apply", "--yes")).code).toBe(0);
    git(desk, "reset", "-q", "--hard");
    git(desk, "checkout", "-q", "-f", "theirs");
    forge((lock) => {
      lock.retired["66f1c0"] = { address: "agent:old", reason: "forgotten" };
    });
    git(desk, "checkout", "-q", "-f", "main");
    conflict();
    expectRefused(await run("lock", "merge"), "seal-wrong");
  });
});
