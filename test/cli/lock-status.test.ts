import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { git, makeGitMedium } from "../store/git-medium.js";
import { StateServer } from "../store/state-server.js";
import { manifestAt, openDesk, openEmulator, runIn } from "./desk.js";
import { hold, leaveJournal } from "./store-state.js";
import { sample } from "../harness/tier.js";

describe("lock status", () => {
  test("tells that nothing was applied, and then what is there", async () => {
    const { run, lock } = await openDesk();
    expect(await run("lock", "status")).toEqual({
      code: 0,
      out: "agentform.lock: nothing was applied\nnot held\n",
      err: "",
    });
    await run("apply", "--yes");
    expect((await run("lock", "status")).out).toBe("agentform.lock, serial 1: 4 resources\nnot held\n");
    const { out } = await run("lock", "status", "--format", "json");
    expect(JSON.parse(out)).toEqual({
      format: "agentform/lock-status/v1",
      workspace: "desk",
      environment: null,
      store: "file",
      source: "agentform.lock",
      lock: { lineage: lock().lineage, serial: 1, resources: 4, unknown: 0 },
      moved_to: null,
      moving_from: null,
      seal: null,
      holder: null,
      journal: null,
    });
    expect((await run("lock", "status", "--emulator")).out).toContain(".agentform/emulator/default/");
  });

  test("does not say that nothing was applied where a first apply has not ended", async () => {
    const desk = await openDesk();
    await desk.run("apply", "--yes");
    leaveJournal(desk, "id-7");
    rmSync(join(desk.workspace.directory, "agentform.lock"));
    const { out } = await desk.run("lock", "status");
    expect(out.split("\n").slice(0, 2)).toEqual([
      "agentform.lock: no apply has ended yet",
      "not held; an apply did not end: 1 action begun, 1 done",
    ]);
  });

  test("tells who holds the state, and what that apply has done, as every refusal does", async () => {
    const desk = await openDesk();
    await desk.run("apply", "--yes");
    const nonce = await hold(desk);
    leaveJournal(desk, "id-7");
    const journal = join(desk.workspace.directory, "agentform.lock.journal");
    const seen = new Date(Date.now() + 60_000);
    utimesSync(journal, seen, seen);
    const { code, out, err } = await desk.run("lock", "status");
    expect({ code, err }).toEqual({ code: 4, err: "" });
    const lines = out.split("\n");
    expect(lines[1]).toMatch(
      new RegExp(`^held by process ${process.pid} on .* since 20.*Z \\((now|.* ago)\\)$`),
    );
    expect(lines.slice(2)).toEqual([
      `last sign of life ${seen.toISOString()}`,
      "1 action begun, 1 done",
      `if it is certainly dead: agentform lock unlock ${nonce}`,
      "",
    ]);
    const json = JSON.parse((await desk.run("lock", "status", "--format", "json")).out);
    expect(json).toMatchObject({
      holder: { who: expect.stringContaining("process"), nonce, seen: seen.toISOString(), life: "alive" },
      journal: { claimed: 0, begun: 1, done: 1, failed: 0, unknown: 0, open: 0 },
    });
    const refused = await desk.run("lock", "resolve", "agent:triage", "--not-created");
    expect(refused.code).toBe(4);
    expect(refused.err).toContain(`; last sign of life ${seen.toISOString()}; 1 action begun, 1 done`);
    const planned = await desk.run("plan");
    expect(planned.err).toContain(`; last sign of life ${seen.toISOString()}; 0 actions in flight`);
  });

  test("tells of a journal that was left behind, and of a lock that cannot be used", async () => {
    const desk = await openDesk();
    await desk.run("apply", "--yes");
    leaveJournal(desk);
    const left = await desk.run("lock", "status");
    expect(left).toMatchObject({ code: 0, err: "" });
    expect(left.out).toContain(
      "not held; an apply did not end: 1 action begun, 0 done, 1 without an outcome yet",
    );
    desk.workspace.write({ "agentform.lock": "{" });
    const damaged = await desk.run("lock", "status");
    expect(damaged.code).toBe(1);
    expect(damaged.err).toContain("lock-damaged");
    expect(damaged.out).toContain("agentform.lock: cannot be used\nnot held");
  });
});

test("where nothing older is known of a damaged lock, its restoration says that, and not what was just tried", async () => {
  const desk = await openDesk();
  desk.workspace.write({ ".agentform/emulator/default/agentform.lock": "{" });
  const { code, err } = await desk.run("lock", "restore", "--emulator");
  expect(code).toBe(1);
  expect(err).toContain("lock-damaged");
  expect(err).toContain("no earlier version of it is known here");
  expect(err).not.toContain("lock restore");
});

describe("lock history and lock show --at", () => {
  const agent = (description: string) => ({
    "agents.yaml": documentText("Agent", "support", { name: "Support", description }),
  });

  /** A clone whose state is in files or on a ref, with two applied versions; those in files are committed. */
  async function openClone(store: "file" | "git") {
    const service = await openEmulator();
    const directory = makeGitMedium().clone("desk");
    const write = (files: Readonly<Record<string, string>>) => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    };
    const run = (...args: string[]) => runIn(directory, args);
    write({
      "agentform.yaml": manifestAt(service.url, `  include: [agents.yaml]\n  lock: {store: ${store}}\n`),
      ".gitignore": ".agentform/\n",
    });
    for (const text of ["First", "Second"]) {
      write(agent(text));
      expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
      git(directory, "add", "-A");
      git(directory, "commit", "-q", "-m", text);
    }
    return { directory, write, run };
  }

  test.each(sample("stores with a history", ["file", "git"] as const, 1))(
    "of a state with the store %s",
    async (store) => {
      const { write, run } = await openClone(store);
      const listed = await run("lock", "history", "--format", "json");
      expect(listed).toMatchObject({ code: 0, err: "" });
      const { format, versions } = JSON.parse(listed.out);
      expect(format).toBe("agentform/lock-history/v1");
      const who = store === "git" ? `process ${process.pid} on` : "Tester, commit";
      expect(versions).toEqual(
        [2, 1].map((serial) => ({
          serial,
          at: expect.stringMatching(/^20.*Z$/),
          who: expect.stringContaining(who),
        })),
      );
      expect((await run("lock", "history")).out).toMatch(/: 2 versions\n\nserial +time +who\n2 /);

      write(agent("Third"));
      await run("apply", "--yes");
      const third = JSON.parse((await run("lock", "history", "--format", "json")).out);
      expect(third.versions).toHaveLength(3);
      expect(third.versions[0]).toMatchObject({ serial: 3 });

      const shown = await run("lock", "show", "agent:support", "--at", "1", "--format", "json");
      expect(JSON.parse(shown.out)).toMatchObject({
        lock: { serial: 1 },
        entry: { body: { description: "First" } },
      });
      expect((await run("lock", "show", "--at", "2")).out).toContain(", serial 2: 1 resource");
      const none = await run("lock", "show", "--at", "9");
      expect(none.code).toBe(1);
      expect(none.err).toContain("has no version with the serial 9");
    },
  );

  test("without a history there is a diagnostic, without an address or a serial a usage error", async () => {
    const server = await StateServer.start({ form: "gitlab" });
    onTestFinished(() => server.close());
    const { workspace, emulator, run } = await openDesk();
    expect(await run("lock", "show")).toMatchObject({ code: 64 });
    expect(await run("lock", "show", "--at", "last")).toMatchObject({ code: 64 });
    expect(await run("lock", "history")).toMatchObject({ code: 0, out: "agentform.lock: 0 versions\n" });
    workspace.write({
      "agentform.yaml": manifestAt(emulator.url, "  lock: {store: http, gitlab: {project: group/desk}}\n"),
    });
    for (const args of [["history"], ["show", "--at", "1"]]) {
      const { code, err } = await runIn(workspace.directory, ["lock", ...args], {
        CI_API_V4_URL: server.api,
      });
      expect(code).toBe(1);
      expect(err).toContain("GitLab lists them under Operate > Terraform states");
    }
  });
});
