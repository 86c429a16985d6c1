import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { sample, wholeTest } from "../harness/tier.js";
import { git } from "../store/git-medium.js";
import { usePostgres } from "../store/postgres-medium.js";
import { openDesk, type Desk } from "./desk.js";
import { hold, leaveJournal } from "./store-state.js";
import { inFiles, inGitlab, onRef, openSite, stores } from "./store-site.js";

const statePath = "/api/v4/projects/group%2Fdesk/terraform/state/desk";
const [earlierKey, presentKey] = ["${env:OLD_SEAL}", "${env:EXAMPLE_SEAL}"];

usePostgres();

function writeInto(directory: string) {
  return (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  };
}

const ways = Object.keys(stores).flatMap((from) =>
  Object.keys(stores).flatMap((to) => (from === to ? [] : [[from, to] as const])),
) as (readonly [keyof typeof stores, keyof typeof stores])[];

describe("lock move", () => {
  test.each(sample("ways of a move", ways, 1))("from %s to %s, and back", async (from, to) => {
    const { service, write, run, move } = await openSite([], {
      usesGit: [from, to].includes("git"),
      usesDatabase: [from, to].includes("postgres"),
    });
    write(stores[from]);
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    const moved = await move(stores[to]);
    expect(moved).toMatchObject({ code: 0, err: "" });
    expect(moved.out).toContain("now serial 2");
    expect(moved.out).toContain(`agentform.yaml: write \`lock: {store: ${to}`);

    for (const args of [
      ["plan"],
      ["apply", "--yes"],
      ["lock", "list"],
      ["output"],
      ["lock", "resolve", "agent:support", "--not-created"],
    ]) {
      const { code, err } = await run(...args);
      expect({ args, code }).toEqual({ args, code: 4 });
      expect(err).toContain("lock-moved");
      expect(err).toContain(`to \`{store: ${to}`);
    }
    expect(await move(stores[to])).toMatchObject({ code: 0 });
    expect(await run("lock", "status")).toMatchObject({ code: 4 });

    write(stores[to]);
    const planned = await run("plan", "--detailed-exitcode");
    expect(planned).toMatchObject({ code: 0 });
    expect(planned.out).not.toContain("spec.lock");
    expect((await run("lock", "list")).out).toContain("serial 2: 1 resource");

    expect(await move(stores[from])).toMatchObject({ code: 0 });
    write(stores[from]);
    expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0 });
    expect((await run("lock", "list")).out).toContain("serial 3: 1 resource");
    expect(service.requests).toHaveLength(1);
  });

  test("writes the journal that an apply left into the lock first", async () => {
    const { service, write, run, move, directory } = await openSite();
    write(inFiles);
    await run("apply", "--yes");
    const workspace = { write: writeInto(directory) };
    const lock = () => JSON.parse(readFileSync(join(directory, "agentform.lock"), "utf8"));
    leaveJournal({ workspace, emulator: service, lock } as unknown as Desk, "id-7");
    expect(await move(inGitlab)).toMatchObject({ code: 0 });
    expect(existsSync(join(directory, "agentform.lock.journal"))).toBe(false);
    write(inGitlab);
    const listed = await run("lock", "list");
    expect(listed.out).toContain("serial 3: 2 resources");
    expect(listed.out).toMatch(/^agent:triage +id-7/m);
  });

  test.each([
    ["--no-squash", "--theirs", inGitlab],
    ["--squash", "--theirs", inGitlab],
    ["--no-squash", "--theirs", { ...inGitlab, seal: presentKey }],
    ["--no-squash", "--ours", { ...inGitlab, seal: presentKey }],
    ["--squash", "--ours", inGitlab],
  ])(
    "what main created in files meanwhile is not created again after a merge %s, of whose lock %s is kept (%j)",
    async (way, side, there) => {
      const { service, write, run, move, directory, commit } = await openSite([], { usesGit: true });
      const onOtherMachine = () => {
        for (const folder of [".agentform", ".git/agentform"])
          rmSync(join(directory, folder), { recursive: true, force: true });
      };
      const add = (name: string) =>
        appendFileSync(join(directory, "agents.yaml"), `\n---\n${documentText("Agent", name, { name })}`);
      write(inFiles);
      await run("apply", "--yes");
      commit("begun");
      const main = git(directory, "branch", "--show-current").trim();
      git(directory, "checkout", "-q", "-b", "away");
      await move(there);
      write(there);
      commit("moved");
      git(directory, "checkout", "-q", main);
      onOtherMachine();
      add("late");
      expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
      commit("created meanwhile");
      const { resources } = JSON.parse(readFileSync(join(directory, "agentform.lock"), "utf8"));
      const { id } = resources["agent:late"];
      try {
        git(directory, "merge", "-q", way, "away");
      } catch {
        // Before the conflict is resolved, too.
        const early = await run("apply", "--yes");
        expect(early).toMatchObject({
          code: 1,
          err: expect.stringContaining("agent:late was created already"),
        });
        const { code, err } = await run("lock", "merge");
        expect(code).toBe(1);
        expect(err).toMatch(
          /conflict in agentform\.lock, and the state is in https?:[^]*lock move --to file/,
        );
        git(directory, "checkout", "-q", side, "--", "agentform.lock");
      }
      commit("merged");
      onOtherMachine();

      for (const args of [["plan"], ["apply", "--yes"]]) {
        const { code, err } = await run(...args);
        expect({ args, code }).toEqual({ args, code: 1 });
        expect(err).toContain("lock-behind");
        expect(err).toContain(`agent:late was created already, with the ID ${id}`);
        expect(err).toContain(side === "--ours" ? "from the commit that moved the state" : `--adopt ${id}`);
      }
      expect(service.requests).toHaveLength(2);
      // An old lock would hold on to the ID.
      if (side === "--ours") git(directory, "checkout", "-q", "away", "--", "agentform.lock");
      // Where the object is gone, the mark of the move is given up.
      const mark = readFileSync(join(directory, "agentform.lock"), "utf8");
      rmSync(join(directory, "agentform.lock"));
      expect(await run("plan", "--out", "late.plan")).toMatchObject({ code: 0, err: "" });
      writeFileSync(join(directory, "agentform.lock"), mark);
      const saved = await run("apply", "late.plan", "--yes");
      expect(saved).toMatchObject({
        code: 1,
        err: expect.stringContaining("agent:late was created already"),
      });
      expect(await run("lock", "resolve", "agent:late", "--adopt", id)).toMatchObject({ code: 0 });
      expect(await run("plan")).toMatchObject({ code: 0, err: "" });
      expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
      // An address that no lock had is created.
      add("new");
      expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    },
  );

  test.each(["--theirs", "--ours"])(
    "what an environment created under its earlier name meanwhile is not created again (lock of %s is kept)",
    async (side) => {
      const { service, write, run, directory, commit } = await openSite(["live"], { usesGit: true });
      write(inFiles);
      await run("apply", "-e", "live", "--yes");
      commit("begun");
      const main = git(directory, "branch", "--show-current").trim();
      git(directory, "checkout", "-q", "-b", "renamed");
      const manifest = join(directory, "agentform.yaml");
      writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"live"', '"production"'));
      const renamed = await run("lock", "move", "--from-environment", "live", "-e", "production");
      expect(renamed).toMatchObject({ code: 0 });
      commit("renamed");
      git(directory, "checkout", "-q", main);
      // The other machine does not know of the new name.
      for (const folder of [".agentform", ".git/agentform"])
        rmSync(join(directory, folder), { recursive: true, force: true });
      appendFileSync(
        join(directory, "agents.yaml"),
        `\n---\n${documentText("Agent", "late", { name: "late" })}`,
      );
      expect(await run("apply", "-e", "live", "--yes")).toMatchObject({ code: 0 });
      commit("created meanwhile");
      expect(() => git(directory, "merge", "-q", "renamed")).toThrow();
      for (const merged of [false, true]) {
        if (merged) {
          git(directory, "checkout", "-q", side, "--", "agentform.live.lock");
          commit("merged");
        }
        const { code, err } = await run("apply", "-e", "production", "--yes");
        expect({ merged, code }).toEqual({ merged, code: 1 });
        expect(err).toContain("agent:late was created already");
      }
      expect(service.requests).toHaveLength(2);
    },
  );

  test("does not go where a state is, nor where it is already, nor to what is no store", async () => {
    const { server, write, run, move, directory } = await openSite();
    write(inGitlab);
    await run("apply", "--yes");
    // Another machine does not know of the first.
    for (const folder of [".agentform", ".git/agentform"])
      rmSync(join(directory, folder), { recursive: true, force: true });
    write(inFiles);
    await run("apply", "--yes");
    const occupied = await move(inGitlab);
    expect(occupied.code).toBe(1);
    expect(occupied.err).toContain("lock-occupied");
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
    write(inGitlab);
    const address = `${server.api}/projects/group%2Fdesk/terraform/state/desk`;
    const renamed = await move({ store: "http", address });
    expect([renamed.code, renamed.err]).toEqual([
      1,
      expect.stringContaining("if both are names of one place"),
    ]);
    write(inFiles);
    const same = await move(inFiles);
    expect(same.code).toBe(1);
    expect(same.err).toContain("--to is the store that `spec.lock` names already");
    const sealed = await move({ ...inFiles, seal: presentKey });
    expect(sealed.code).toBe(1);
    expect(sealed.err).toMatch(/names already[^]*agentform lock seal/);
    for (const wrong of [{ store: "shelf" }, { store: "http" }, { store: "git", adress: "x" }]) {
      const { code, err } = await move(wrong);
      expect(code).toBe(1);
      expect(err).toContain("--to: ");
    }
    const leaky = await move({ ...inGitlab, password: "s3cret-canary" });
    expect(leaky.code).toBe(1);
    expect(leaky.err).toContain("secret-literal");
    expect(leaky.out + leaky.err).not.toContain("s3cret-canary");
    expect(await run("lock", "move", "--to", "[file]")).toMatchObject({ code: 64 });
    expect(await run("lock", "move")).toMatchObject({ code: 64 });
  });

  test("goes back to a place that it has left with an earlier key of the seal", async () => {
    const { write, run, move } = await openSite();
    write({ ...inFiles, seal: earlierKey });
    await run("apply", "--yes");
    expect(await move(inGitlab)).toMatchObject({ code: 0 });
    write({ ...inGitlab, seal: presentKey });
    expect(await run("lock", "seal", "--previous", earlierKey)).toMatchObject({ code: 0 });
    expect(await move(inFiles)).toMatchObject({ code: 0, err: "" });
    write({ ...inFiles, seal: presentKey });
    expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  });

  test("of which a part has arrived is finished only with the seal that it had", async () => {
    const { server, write, run, move, directory } = await openSite();
    write({ ...inFiles, seal: presentKey });
    await run("apply", "--yes");
    const hasLeft = () => readFileSync(join(directory, "agentform.lock"), "utf8").includes("agentform/move/");
    server.fault = ({ method }) => (method === "POST" && hasLeft() ? { status: 403 } : undefined);
    await move(inGitlab);
    server.fault = () => undefined;
    const [, nonce = ""] = /agentform lock unlock (\w+)/.exec((await move(inGitlab)).err) ?? [];
    write({ ...inGitlab, seal: presentKey });
    await run("lock", "unlock", nonce);
    write({ ...inFiles, seal: presentKey });
    const putBack = server.backUp();
    server.put(statePath, server.text(statePath)?.replaceAll("Support", "Other") ?? "");
    const forged = await move(inGitlab);
    expect([forged.code, forged.err]).toEqual([1, expect.stringContaining("seal-wrong")]);
    await putBack();
    expect(await move(inGitlab)).toMatchObject({ code: 0, err: "" });
  });

  test("leaves only once the new place shows it, and of a place that loses it then, this machine knows it", async () => {
    const { server, service, write, run, move, directory } = await openSite();
    write(inFiles);
    await run("apply", "--yes");
    const hasLeft = () => readFileSync(join(directory, "agentform.lock"), "utf8").includes("agentform/move/");
    const isState = ({ url }: { readonly url: string }) => !url.includes("/lock");
    let looks = -1;
    server.fault = (request) => {
      const isWritten = server.text(statePath)?.includes("agentform/move/") === true;
      if (!isState(request) || request.method !== "GET" || !isWritten) return undefined;
      looks += 1;
      return looks > 0 && !hasLeft() ? { status: 204 } : undefined;
    };
    expect(await move(inGitlab)).toMatchObject({ code: 4 });
    expect([hasLeft(), looks > 0]).toEqual([false, true]);
    server.forget();

    server.fault = (request) => {
      if (!isState(request) || request.method !== "POST" || !hasLeft()) return undefined;
      server.forget();
      return { status: 403 };
    };
    expect(await move(inGitlab)).toMatchObject({ code: 1 });
    expect([hasLeft(), server.text(statePath)]).toEqual([true, null]);
    server.fault = () => undefined;
    expect(await move(inGitlab)).toMatchObject({ code: 0, err: "" });
    write(inGitlab);
    expect(await run("apply", "--yes")).toMatchObject({ code: 0, err: "" });
    expect(service.requests).toHaveLength(1);
  });

  test("of nothing goes on where it ended", async () => {
    const { server, write, run, move, directory } = await openSite();
    const hasArrived = () => existsSync(join(directory, "agentform.lock"));
    write(inGitlab);
    server.fault = ({ method, url }) =>
      method === "POST" && !url.includes("/lock") && hasArrived() ? { status: 403 } : undefined;
    expect(await move(inFiles)).toMatchObject({ code: 1 });
    server.fault = () => undefined;
    const [, nonce = ""] = /agentform lock unlock (\w+)/.exec((await move(inFiles)).err) ?? [];
    await run("lock", "unlock", nonce);
    expect(await move(inFiles)).toMatchObject({ code: 0, out: expect.stringContaining("now serial 2") });
    write(inFiles);
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  });

  test("moves the states of all environments, for the manifest names one store", async () => {
    const { service, write, run, move } = await openSite(["default", "live", "trial"]);
    write(inFiles);
    await run("apply", "--yes");
    await run("apply", "--yes", "-e", "live");
    const moved = await move(inGitlab);
    expect(moved).toMatchObject({ code: 0 });
    expect(moved.out).toMatch(/agentform\.lock: moved to \S+\/desk, now serial 2/);
    expect(moved.out).toMatch(/agentform\.live\.lock: moved to \S+\/desk-live, now serial 2/);
    expect(moved.out).toContain("commit agentform.lock and agentform.live.lock and agentform.trial.lock");
    write(inGitlab);
    for (const of of [[], ["-e", "live"]]) {
      expect((await run("plan", "--detailed-exitcode", ...of)).code).toBe(0);
    }
    expect(service.requests).toHaveLength(2);
    expect(await move(inFiles, "-e", "live")).toMatchObject({ code: 64 });
  });

  test.each([
    ["another state", (text: string) => text],
    ["the state of another workspace", (text: string) => text.replaceAll("desk", "other")],
  ])("moves none of several environments where the place of one has %s", async (_, change) => {
    const { server, directory, write, run, move } = await openSite(["default", "live"]);
    write(inGitlab);
    await run("apply", "--yes", "-e", "live");
    const path = "/api/v4/projects/group%2Fdesk/terraform/state/desk-live";
    server.put(path, change(server.text(path) ?? ""));
    for (const folder of [".agentform", ".git/agentform"])
      rmSync(join(directory, folder), { recursive: true, force: true });
    write(inFiles);
    for (const name of ["default", "live"]) await run("apply", "--yes", "-e", name);
    const moved = await move(inGitlab);
    expect([moved.code, moved.out]).toEqual([1, ""]);
    expect(moved.err).toMatch(/has a state already|the state of a different workspace/);
    for (const name of ["default", "live"])
      expect(await run("plan", "--detailed-exitcode", "-e", name)).toMatchObject({ code: 0 });
  });

  test.each(sample("ways of a move of nothing", ways, 1))(
    "where nothing was applied, one from %s to %s keeps an older manifest from beginning in the old place",
    async (from, to) => {
      const { service, write, run, move } = await openSite(["live"], {
        usesGit: [from, to].includes("git"),
        usesDatabase: [from, to].includes("postgres"),
      });
      const at = ["-e", "live"];
      write(stores[from]);
      for (const word of ["live", "already"])
        expect(await move(stores[to])).toMatchObject({ code: 0, out: expect.stringContaining(word) });
      const begun = await run("apply", "--yes", ...at);
      expect([begun.code, begun.err]).toEqual([4, expect.stringContaining("lock-moved")]);
      write(stores[to]);
      expect((await run("plan", ...at)).out).toContain("no earlier apply is known");
      expect(await run("apply", "--yes", ...at)).toMatchObject({ code: 0 });
      expect(await move(stores[from])).toMatchObject({ code: 0 });
      write(stores[from]);
      expect(await run("plan", "--detailed-exitcode", ...at)).toMatchObject({ code: 0, err: "" });
      expect(service.requests).toHaveLength(1);
    },
  );

  test("leaves the state of an environment that has the same place in both stores", async () => {
    const { service, write, run, move } = await openSite(["default", "live"]);
    const named = { store: "http", gitlab: { project: "group/desk", name: "desk-{environment}" } };
    write(inGitlab);
    await run("apply", "--yes");
    await run("apply", "--yes", "-e", "live");
    expect((await move({ ...named, seal: presentKey })).code).toBe(1);
    const moved = await move(named);
    expect(moved).toMatchObject({ code: 0, err: "" });
    expect(moved.out).toMatch(/\/desk: moved to \S+\/desk-default, now serial 2/);
    expect(moved.out).not.toContain("desk-live");
    write(named);
    for (const of of [[], ["-e", "live"]]) {
      expect((await run("plan", ...of)).out).toMatch(/No changes\.|Plan: 1 setting to record, 1 unchanged\./);
    }
    expect(service.requests).toHaveLength(2);
  });

  test("waits for a first apply that has written nothing yet", async () => {
    const desk = await openDesk();
    const nonce = await hold(desk);
    const moved = await desk.run("lock", "move", "--to", JSON.stringify(inGitlab));
    expect(moved).toMatchObject({ code: 4, out: "" });
    expect(moved.err).toContain(`lock unlock ${nonce}`);
  });

  test("needs no default environment", async () => {
    const { write, run, move } = await openSite(["live"]);
    write(inFiles);
    expect(await run("apply", "--yes", "-e", "live")).toMatchObject({ code: 0 });
    const { code, out } = await move(inGitlab);
    expect([code, out]).toEqual([0, expect.stringMatching(/agentform\.live\.lock: moved to \S+\/desk-live/)]);
  });

  wholeTest(
    "goes on from a ref that the manifest names, which has the state of one environment",
    async () => {
      const { directory, write, run, move } = await openSite(["live"], { usesGit: true });
      const [named, at] = [{ ...onRef, ref: "refs/agentform/fixed" }, ["-e", "live"]];
      write(named);
      expect(await run("apply", "--yes", ...at)).toMatchObject({ code: 0 });
      const manifest = join(directory, "agentform.yaml");
      const renamed = readFileSync(manifest, "utf8").replace('"name":"desk"', '"name":"bureau"');
      writeFileSync(manifest, renamed);
      for (const word of ["renamed, workspace desk to bureau", "is renamed already"]) {
        const { code, out } = await run("lock", "move", "--from-workspace", "desk");
        expect([code, out]).toEqual([0, expect.stringContaining(word)]);
      }
      expect((await run("lock", "move", "--from-workspace", "bureau")).code).toBe(1);
      writeFileSync(manifest, renamed.replace('"live"', '"real"'));
      const was = await run("plan", "-e", "real");
      expect(was.err).toContain("run `agentform lock move --from-environment live -e real`");
      for (const [from, to] of [
        ["live", "real"],
        ["real", "live"],
      ] as const) {
        writeFileSync(manifest, renamed.replace('"live"', JSON.stringify(to)));
        expect((await run("lock", "move", "--from-environment", from, "-e", to)).code).toBe(0);
      }
      for (const word of ["agentform/fixed: moved to agentform.live.lock", "is moved to"]) {
        expect(await move(inFiles)).toMatchObject({ code: 0, err: "", out: expect.stringContaining(word) });
      }
      writeFileSync(manifest, renamed.replace(JSON.stringify(named), JSON.stringify(inFiles)));
      expect((await run("plan", "--detailed-exitcode", ...at)).code).toBe(0);
    },
  );

  const turns = [
    ["files", inFiles, onRef],
    ["a ref", onRef, inFiles],
  ] as const;
  test.each(sample("moves to another name", turns, 1))(
    "goes on once `default` has a name, and the workspace a new one, from %s",
    async (_, lock, to) => {
      const { directory, write, run, move } = await openSite([], { usesGit: true });
      write(lock);
      expect((await run("apply", "--yes")).code).toBe(0);
      const manifest = join(directory, "agentform.yaml");
      const change = (from: string, now: string) =>
        writeFileSync(manifest, readFileSync(manifest, "utf8").replace(from, now));
      change('"environments":{}', '"environments":{"live":{}}');
      expect((await run("lock", "move", "--from-environment", "default", "-e", "live")).code).toBe(0);
      change('"name":"desk"', '"name":"bureau"');
      for (const word of ["workspace desk to bureau", "already|is moved"]) {
        const { code, out, err } = await run("lock", "move", "--from-workspace", "desk");
        expect([code, out + err]).toEqual([0, expect.stringMatching(word)]);
      }
      expect((await run("plan", "--detailed-exitcode", "-e", "live")).code).toBe(0);
      expect(await move(to)).toMatchObject({ code: 0, err: "" });
    },
  );

  wholeTest("of some environments alone is finished by the same command", async () => {
    const { server, write, run, move } = await openSite(["default", "live"]);
    write(inFiles);
    await run("apply", "--yes");
    await run("apply", "--yes", "-e", "live");
    server.fault = ({ method, url }) =>
      method === "POST" && url.includes("/desk-live") ? { status: 403 } : undefined;
    const half = await move(inGitlab);
    expect(half.code).toBe(1);
    expect(half.out).toContain("agentform.lock: moved to");
    expect(half.err).toContain("run the same command again");
    server.fault = () => undefined;
    const whole = await move(inGitlab);
    expect(whole).toMatchObject({ code: 0 });
    expect(whole.out).toContain("already");
    write(inGitlab);
    for (const of of [[], ["-e", "live"]]) {
      expect((await run("plan", "--detailed-exitcode", ...of)).code).toBe(0);
    }
  });

  wholeTest("is known to a checkout that git takes back to before it, and to lock restore", async () => {
    const { directory, write, run, move, commit } = await openSite([], { usesGit: true });
    write(inFiles);
    await run("apply", "--yes");
    commit("applied");
    await move(inGitlab);
    write(inGitlab);
    commit("moved");
    write(inFiles);
    git(directory, "checkout", "-q", "HEAD~1", "--", "agentform.lock");
    for (const local of [true, false]) {
      if (!local) rmSync(join(directory, ".agentform"), { recursive: true, force: true });
      const refused = [["plan"], ["apply", "--yes"], ["lock", "restore"], ["lock", "move", "--to", "git"]];
      for (const args of sample("commands on an older lock", refused, 2)) {
        const { code, err } = await run(...args);
        expect({ args, code }).toEqual({ args, code: 4 });
        expect(err).toContain("is older than the move of the state to");
      }
    }
  });

  test.each([true, false])(
    "is not believed once the state has come back (copy of this machine: %s)",
    async (local) => {
      const { directory, service, write, run, move, commit } = await openSite([], { usesGit: true });
      write(inFiles);
      await run("apply", "--yes");
      await move(inGitlab);
      write(inGitlab);
      commit("moved");
      expect(await move(inFiles)).toMatchObject({ code: 0 });
      write(inFiles);
      commit("moved back");
      git(directory, "checkout", "-q", "HEAD~1", "--", "agentform.lock");
      if (!local) rmSync(join(directory, ".agentform"), { recursive: true, force: true });
      for (const args of [["plan"], ["apply", "--yes"], ["lock", "status"]]) {
        const { err } = await run(...args);
        expect(err).toContain("it has serial 2, and");
        expect(err).toContain("run `agentform lock restore`");
      }
      expect((await run("lock", "restore")).out).toContain("now serial 4");
      expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0 });
      // Where it was in between, it is still not used.
      write(inGitlab);
      expect((await run("plan")).err).toContain("to `{store: file}`");
      expect(service.requests).toHaveLength(1);
    },
  );

  test("a manifest that was changed before the move does not create everything again", async () => {
    const { service, write, run } = await openSite();
    write(inFiles);
    await run("apply", "--yes");
    write(inGitlab);
    for (const args of [["plan"], ["apply", "--yes"]]) {
      const { code, err } = await run(...args);
      expect({ args, code }).toEqual({ args, code: 1 });
      expect(err).toContain("lock-left-behind");
      expect(err).toContain("agentform lock move --to '{store: http, gitlab: {project: group/desk}}'");
    }
    expect(service.requests).toHaveLength(1);
  });

  wholeTest("a checkout that has not fetched the ref asks for it", async () => {
    const { directory, write, run, move } = await openSite([], { usesGit: true });
    write(inFiles);
    await run("apply", "--yes");
    await move(onRef);
    write(onRef);
    git(directory, "update-ref", "-d", "refs/agentform/desk/default");
    expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  });

  test("nor does one that names a third store, or a store that has lost the state", async () => {
    const { server, service, write, run, move, directory } = await openSite([], { usesGit: true });
    write(inFiles);
    await run("apply", "--yes");
    await move(inGitlab);
    write(onRef);
    const third = await run("apply", "--yes");
    expect(third.code).toBe(1);
    expect(third.err).toContain("the state has moved from agentform.lock to `{store: http");
    write(inGitlab);
    expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0 });
    server.forget();
    expect((await run("apply", "--yes")).err).toContain("run `agentform lock restore`");
    rmSync(join(directory, ".git/agentform"), { recursive: true });
    const lost = await run("apply", "--yes");
    expect(lost.code).toBe(1);
    expect(lost.err).toContain("or was lost");
    expect(service.requests).toHaveLength(1);
  });

  wholeTest("a store that was held is told, and nothing is changed", async () => {
    const { server, write, run, move, directory } = await openSite([], { usesGit: true });
    write(inFiles);
    await run("apply", "--yes");
    server.fault = ({ method, url }) =>
      method === "POST" && url.endsWith("/lock")
        ? { status: 409, body: '{"ID":"0123456789abcdef","Who":"robot","Created":"2026-01-02T03:04:05Z"}' }
        : undefined;
    const held = await move(inGitlab);
    expect(held.code).toBe(4);
    expect(held.err).toContain("is held by robot since 2026-01-02T03:04:05Z");
    // The manifest leads to the store from before.
    expect(held.err).toContain(
      "`agentform lock unlock 0123456789abcdef`, with `lock: {store: http, gitlab: {project: group/desk}}` in agentform.yaml meanwhile",
    );
    server.fault = () => undefined;
    expect(git(directory, "status", "--porcelain")).toContain("agentform.lock");
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
    expect(await move(inGitlab)).toMatchObject({ code: 0 });
  });
});
