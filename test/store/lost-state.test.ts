import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Lock } from "../../src/core/state/lock.js";
import { fullestJournal } from "../../src/store/network/machine-journal.js";
import { startEmulator } from "../../src/emulator/emulator.js";
import { runIn } from "../cli/desk.js";
import { documentText } from "../harness/disk-workspace.js";
import { sample, wholeTest } from "../harness/tier.js";
import { git } from "./git-medium.js";
import { Lines } from "./git-records.js";
import { usePostgres } from "./postgres-medium.js";
import { stateMedia, type StateMedium } from "./state-media.js";

usePostgres();

/** How the manifest of a workspace is written. */
interface Named {
  readonly name?: string;
  readonly environments?: readonly string[];
  readonly lock?: object;
}

/** A service, and machines with the same workspace. */
async function openSite(make: () => Promise<StateMedium>) {
  const [medium, service] = [await make(), await startEmulator()];
  onTestFinished(() => service.close());
  const machines: string[] = [];
  const { url } = service;
  const at = { base_url: url, rai_base_url: url, api_key: "${env:AGENT_API_KEY}" };
  return {
    medium,
    machine(name: string) {
      const directory = medium.machine(name);
      machines.push(directory);
      return {
        directory,
        run: (...args: string[]) => runIn(directory, args, medium.env),
      };
    },
    /** Writes a workspace with so many policies on all machines. */
    write(count: number, { name = "desk", environments, lock = medium.lock }: Named = {}) {
      const named = environments && Object.fromEntries(environments.map((each) => [each, {}]));
      const spec = { service: at, lock, include: ["policies.yaml"], ...(named && { environments: named }) };
      const manifest = { apiVersion: "agentform/v1", kind: "Workspace", metadata: { name }, spec };
      const documents = Array.from({ length: count }, (_, number) =>
        documentText("Policy", `p${number + 1}`, { name: `p${number + 1}` }),
      );
      for (const directory of machines) {
        writeFileSync(join(directory, "agentform.yaml"), JSON.stringify(manifest));
        writeFileSync(join(directory, "policies.yaml"), documents.join("\n---\n"));
        writeFileSync(join(directory, ".gitignore"), ".agentform/\n");
      }
    },
    /** How often each policy was created. */
    counts: () => {
      const names = service.objects().policies.map(({ body }) => String(body.name));
      return names.toSorted().map((name, _, all) => [name, all.filter((each) => each === name).length]);
    },
  };
}

const once = (count: number) => Array.from({ length: count }, (_, number) => [`p${number + 1}`, 1]);
const media = Object.entries(stateMedia) as [keyof typeof stateMedia, () => Promise<StateMedium>][];
const onNetwork = media.filter(([name]) => name !== "file" && name !== "git");
const versioned = media.filter(([name]) => name === "s3 with versions" || name === "postgres");
const ref = "refs/agentform/desk/default";

describe.each(sample("media that lose a state", media, 1))("a state in the store %s", (name, make) => {
  const isGit = name === "git";

  test.each(["set back", "emptied"] as const)(
    "that was %s is refused by who wrote it, with the command that mends it",
    async (how) => {
      const site = await openSite(make);
      const { run, directory } = site.machine("author");
      site.write(1);
      const isEmptied = how === "emptied";
      let putBack = isEmptied ? await site.medium.backUp() : undefined;
      expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
      putBack ??= await site.medium.backUp();
      site.write(2);
      expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
      await putBack();
      site.write(3);
      const commands = [
        ...(isGit
          ? []
          : [["plan"], ["output", "--format", "dotenv"], ["lock", "list"], ["lock", "status"], ["drift"]]),
        ["lock", "resolve", "policy:p1", "--adopt", "x"],
        ["apply", "--yes"],
      ];
      for (const command of commands) {
        const { code, err } = await run(...command);
        expect({ command, code, err }).toEqual({
          command,
          code: 1,
          err: expect.stringMatching(/error\[lock-(behind|medium)\]/),
        });
        expect(err).toContain(isGit ? `\`git push origin ${ref}\`` : "`agentform lock restore`");
      }
      expect(site.counts()).toEqual(once(2));
      if (isGit) git(directory, "push", "-q", "origin", ref);
      else expect(await run("lock", "restore")).toMatchObject({ code: 0 });
      expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
      expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0 });
      expect(site.counts()).toEqual(once(3));
    },
  );

  wholeTest("goes on under a new name of the workspace, and of an environment", async () => {
    const site = await openSite(make);
    const { run } = site.machine("author");
    site.write(2, { environments: ["default", "live"] });
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(await run("apply", "--yes", "-e", "live")).toMatchObject({ code: 0 });
    const counts = site.counts();
    site.write(2, { name: "office", environments: ["default", "live"] });
    const renamed = await run("lock", "move", "--from-workspace", "desk");
    expect(renamed).toMatchObject({ code: 0, err: "" });
    expect(renamed.out).toContain("workspace desk to office");
    expect(await run("lock", "move", "--from-workspace", "desk")).toMatchObject({ code: 0 });
    for (const of of [[], ["-e", "live"]]) {
      const planned = await run("plan", "--detailed-exitcode", ...of);
      expect(planned).toMatchObject({ code: 0 });
    }
    site.write(2, { name: "desk", environments: ["default", "live"] });
    expect((await run("apply", "--yes")).code).not.toBe(0);
    site.write(2, { name: "office", environments: ["default", "production"] });
    const moved = await run("lock", "move", "--from-environment", "live", "-e", "production");
    expect(moved).toMatchObject({ code: 0, err: "" });
    expect(moved.out).toContain("environment live to production");
    expect(await run("lock", "move", "--from-environment", "live", "-e", "production")).toMatchObject({
      code: 0,
    });
    expect(await run("plan", "--detailed-exitcode", "-e", "production")).toMatchObject({ code: 0 });
    expect(await run("lock", "move", "--from-environment", "trial", "-e", "production")).toMatchObject({
      code: 1,
    });
    expect(await run("lock", "move", "--from-environment", "production", "-e", "production")).toMatchObject({
      code: 1,
    });
    expect(site.counts()).toEqual(counts);
  });
});

test.each(sample("media that are emptied", onNetwork, 1))(
  "a state in the store %s that was emptied in order to begin anew begins anew once the copy is deleted",
  async (_name, make) => {
    const site = await openSite(make);
    const { run, directory } = site.machine("author");
    site.write(1);
    const putBack = await site.medium.backUp();
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    await putBack();
    const { err } = await run("plan");
    const [, copy = ""] = /begin anew, delete (\S+)/.exec(err) ?? [];
    rmSync(join(directory, copy));
    expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 2 });
  },
);

test.each(sample("media that two write", onNetwork, 1))(
  "a state in the store %s that another machine wrote after this one is not set back",
  async (_name, make) => {
    const site = await openSite(make);
    const [here, there] = [site.machine("here"), site.machine("there")];
    site.write(1);
    expect(await here.run("apply", "--yes")).toMatchObject({ code: 0 });
    site.write(2);
    expect(await there.run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(await here.run("plan", "--detailed-exitcode")).toMatchObject({ code: 0 });
  },
);

test.each(sample("media with versions", versioned, 0))(
  "a state in the store %s whose medium keeps later versions is refused on any machine",
  async (_name, make) => {
    const site = await openSite(make);
    const { setBack } = site.medium;
    const [author, other] = [site.machine("author"), site.machine("other")];
    site.write(1);
    await author.run("apply", "--yes");
    const back = await setBack?.();
    site.write(2);
    await author.run("apply", "--yes");
    await back?.();
    for (const command of [["plan"], ["apply", "--yes"], ["lock", "list"]]) {
      const { code, err } = await other.run(...command);
      expect({ command, code, err }).toEqual({
        command,
        code: 1,
        err: expect.stringContaining("`agentform lock restore`"),
      });
      expect(err).toContain("a version that the store keeps has serial 2");
    }
    expect(await other.run("lock", "restore")).toMatchObject({ code: 0 });
    expect(await other.run("apply", "--yes")).toMatchObject({ code: 0 });
    expect(await author.run("plan", "--detailed-exitcode")).toMatchObject({ code: 0 });
    expect(site.counts()).toEqual(once(2));
  },
);

wholeTest(
  "a state on a ref that was set back, and applied on since, is merged by `lock restore`",
  async () => {
    const site = await openSite(stateMedia.git);
    const [author, other] = [site.machine("author"), site.machine("other")];
    site.write(1);
    expect(await author.run("apply", "--yes")).toMatchObject({ code: 0 });
    const putBack = await site.medium.backUp();
    site.write(2);
    expect(await author.run("apply", "--yes")).toMatchObject({ code: 0 });
    await putBack();
    expect(await other.run("apply", "--yes")).toMatchObject({ code: 0 });
    site.write(3);
    const refused = await author.run("apply", "--yes");
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`\`git update-ref -d ${ref}\``) });
    git(author.directory, "update-ref", "-d", ref);
    expect(await author.run("apply", "--yes")).toMatchObject({
      code: 1,
      err: expect.stringContaining("`agentform lock restore`"),
    });
    expect(await author.run("lock", "restore")).toMatchObject({ code: 0 });
    expect(await author.run("apply", "--yes")).toMatchObject({ code: 0 });
    // The one that was created twice while nobody could know is in the ledger.
    expect((await author.run("lock", "retired")).out).toContain("policy:p2");
    expect(site.counts()).toEqual([
      ["p1", 1],
      ["p2", 2],
      ["p2", 2],
      ["p3", 1],
    ]);
  },
);

test("of a state that was emptied, what this machine's journal claims and did not begin is not unknown", async () => {
  const site = await openSite(stateMedia.git);
  const { run, directory } = site.machine("author");
  site.write(1);
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  const { lineage, serial, writes: after } = JSON.parse(git(directory, "show", `${ref}:lock.json`)) as Lock;
  const lines = new Lines("desk");
  const journal = lines.header(serial, { lineage, after }) + lines.claim("agent:a", "agent:b");
  writeFileSync(
    join(directory, ".git/agentform/desk%2Fdefault.journal"),
    journal + lines.begin(1, "agent:a") + lines.done(1, "a-1"),
  );
  git(directory, "push", "-q", "origin", `:${ref}`);
  git(directory, "update-ref", "-d", ref);
  expect(await run("lock", "restore")).toMatchObject({ code: 0 });
  const { resources, unknown } = JSON.parse(git(directory, "show", `${ref}:lock.json`)) as Lock;
  expect([Object.keys(resources), unknown]).toEqual([["agent:a", "policy:p1"], {}]);
});

test("of a state that was emptied and begun anew elsewhere, what this machine's journal has done is not lost", async () => {
  const site = await openSite(stateMedia.git);
  const [author, other] = [site.machine("author"), site.machine("other")];
  const { directory } = author;
  site.write(1);
  expect(await author.run("apply", "--yes")).toMatchObject({ code: 0 });
  const { lineage, serial, writes: after } = JSON.parse(git(directory, "show", `${ref}:lock.json`)) as Lock;
  const lines = new Lines("desk");
  const journal = lines.header(serial, { lineage, after }) + lines.claim("agent:a", "agent:b", "agent:c");
  const left = journal + lines.begin(1, "agent:a") + lines.begin(2, "agent:b") + lines.done(1, "a-1");
  writeFileSync(join(directory, ".git/agentform/desk%2Fdefault.journal"), left);
  git(directory, "push", "-q", "origin", `:${ref}`);
  git(directory, "update-ref", "-d", ref);
  expect(await other.run("apply", "--yes")).toMatchObject({ code: 0 });
  for (const command of [["plan"], ["apply", "--yes"]])
    expect(await author.run(...command)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/journal-foreign[^]*`agentform lock restore`/),
    });
  const lock = git(directory, "show", `${ref}:lock.json`);
  // It does not take the place of what an apply to the new state does, or has left behind.
  const { lineage: anew, writes } = JSON.parse(lock) as Lock;
  const begun = new Lines("desk").header(1, { lineage: anew, after: writes });
  expect(fullestJournal({ lock, journal: begun }, left)).toEqual({ journal: begun });
  expect(await author.run("lock", "restore")).toMatchObject({ code: 0 });
  const { resources, unknown } = JSON.parse(git(directory, "show", `${ref}:lock.json`)) as Lock;
  expect([Object.keys(resources), Object.keys(unknown)]).toEqual([["agent:a", "policy:p1"], ["agent:b"]]);
  expect(await author.run("plan")).toMatchObject({ code: 0 });
});
