import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openEmulator, runIn } from "../cli/desk.js";
import { allOperations, deletesAlone, fullManifest } from "../cli/full-desk.js";
import { documentText } from "../harness/disk-workspace.js";
import { sample, wholeTest } from "../harness/tier.js";
import { git, gitCallsOf, makeGitMedium } from "../store/git-medium.js";
import { guarded, policy } from "./platform.js";

/** A clone with the workspaces `guard` and `care`, whose states are on refs; and another, which has fetched no state. */
async function openClones(operations: object, remote = "origin") {
  const service = await openEmulator({ operations: "full" });
  const medium = makeGitMedium();
  const manifest = (name: string, more = "", store = "git") =>
    fullManifest(
      service.url,
      operations,
      `  lock: {store: ${store}${store === "git" ? `, remote: ${remote}` : ""}}\n${more}`,
    ).replace("desk", name);
  const files = {
    "guard/agentform.yaml": manifest("guard"),
    "guard/policies/strict.yaml": policy("strict"),
    "care/agentform.yaml": manifest("care", "  uses: {guard: {workspace: ../guard}}\n"),
    "care/agents/support.yaml": guarded("${policy:strict@guard}"),
  };
  const open = (name: string) => {
    const directory = medium.clone(name);
    const write = (more: Readonly<Record<string, string>>) => {
      for (const [file, text] of Object.entries(more)) {
        mkdirSync(dirname(join(directory, file)), { recursive: true });
        writeFileSync(join(directory, file), text);
      }
      // Manifests that git does not list are none of the repository's.
      git(directory, "add", "--all");
    };
    if (remote !== "origin") git(directory, "remote", "rename", "origin", remote);
    write(files);
    return {
      write,
      remove: (file: string) => rmSync(join(directory, file)),
      run: async (folder: string, ...args: readonly string[]) => await runIn(join(directory, folder), args),
      git: (...args: readonly string[]) => git(directory, ...args),
    };
  };
  const [theirs, own] = [open("theirs"), open("own")];
  for (const folder of ["guard", "care"]) expect((await theirs.run(folder, "apply", "--yes")).code).toBe(0);
  return { service, theirs, own, manifest };
}

describe("the state of another workspace on a ref that this clone has not fetched", () => {
  const kept = [
    ["origin", "agents/support.yaml", "care"],
    ["states", "agents/support.yaml", "care"],
    ["origin", "agentform.yaml", "refs/agentform/care/default"],
  ] as const;
  test.each(sample("states that were not fetched", kept, 1))(
    "on %s keeps what it uses, also without its %s",
    async (remote, file, where) => {
      const { service, own } = await openClones(deletesAlone(), remote);
      // Not applied yet: the agent in the service still has the policy.
      own.remove(`care/${file}`);
      own.write({ "guard/policies/strict.yaml": policy("strict", "gambling") });
      expect((await own.run("guard", "apply", "--yes")).code).toBe(0);
      const pruned = await own.run("guard", "prune", "--yes");
      expect(pruned.err).toContain(`agent:support refers to it in ${where}\n`);
      expect(service.objects().policies).toHaveLength(2);
      expect(own.git("for-each-ref", "refs/agentform/care")).toBe("");
    },
  );

  wholeTest(
    "keeps nothing that it has let go while an older copy of it, or of the own one, is on another ref",
    async () => {
      const { service, theirs, own } = await openClones(deletesAlone());
      theirs.git("fetch", "-q", "origin", "+refs/agentform/*:refs/copies/*");
      for (const folder of ["guard", "care"])
        theirs.git(
          "push",
          "-q",
          "origin",
          `refs/copies/${folder}/default:refs/agentform/${folder}-old/default`,
        );
      theirs.write({ "care/agents/support.yaml": documentText("Agent", "support", { name: "Support" }) });
      expect((await theirs.run("care", "apply", "--yes")).code).toBe(0);
      own.write({ "guard/policies/strict.yaml": policy("strict", "gambling") });
      expect((await own.run("guard", "apply", "--yes")).code).toBe(0);
      expect(await own.run("guard", "prune", "--yes")).toMatchObject({
        code: 0,
        err: expect.not.stringContaining("stays"),
      });
      expect(service.objects().policies).toHaveLength(1);
    },
  );

  wholeTest("is as its remote has it for what is taken over, although an older one is here", async () => {
    const { service, theirs, own } = await openClones(deletesAlone());
    own.git("fetch", "-q", "origin", "refs/agentform/*:refs/agentform/*");
    theirs.remove("care/agents/support.yaml");
    expect((await theirs.run("care", "apply", "--yes")).code).toBe(0);
    const [adopt] = service.objects().agents.map(({ id }) => id);
    own.write({ "guard/agents/mine.yaml": documentText("Agent", "mine", { name: "Mine" }, { adopt }) });
    expect(await own.run("guard", "apply", "--yes")).toMatchObject({
      code: 0,
      err: expect.not.stringContaining("error"),
    });
  });

  test("has the IDs that an apply sends, although an older one is here", async () => {
    const { service, theirs, own } = await openClones(deletesAlone());
    own.git("fetch", "-q", "origin", "refs/agentform/*:refs/agentform/*");
    own.write({ "care/agents/late.yaml": guarded("${policy:strict@guard}").replaceAll("support", "late") });
    theirs.write({ "guard/policies/strict.yaml": policy("strict", "gambling") });
    expect((await theirs.run("guard", "apply", "--yes")).code).toBe(0);
    expect(await own.run("care", "apply", "--yes")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/lock-behind.*`policy:strict@guard` has another ID since/),
    });
    expect(service.objects().agents).toHaveLength(1);
    own.git("fetch", "-q", "origin", "+refs/agentform/*:refs/agentform/*");
    expect(await own.run("care", "apply", "--yes")).toMatchObject({ code: 0 });
    const { policies, agents } = service.objects();
    expect(JSON.stringify(agents.at(-1))).toContain(policies[1]?.id);
  });

  wholeTest("comes with those of all workspaces that an apply uses, in one request", async () => {
    const { own, manifest } = await openClones(deletesAlone());
    own.git("fetch", "-q", "origin", "refs/agentform/*:refs/agentform/*");
    own.write({ "more/agentform.yaml": manifest("more"), "more/policies/late.yaml": policy("late") });
    expect((await own.run("more", "apply", "--yes")).code).toBe(0);
    const requestsOf = async (files: Readonly<Record<string, string>>) => {
      own.write(files);
      const calls = await gitCallsOf(async () =>
        expect(await own.run("care", "apply", "--yes")).toMatchObject({ code: 0 }),
      );
      return calls.filter((call) => call.includes(" ls-remote ")).length;
    };
    const agent = (name: string, text: string) => ({
      [`care/agents/${name}.yaml`]: guarded(text).replaceAll("support", name),
    });
    const one = await requestsOf(agent("one", "${policy:strict@guard}"));
    const uses = "  uses: {guard: {workspace: ../guard}, more: {workspace: ../more}}\n";
    const both = { ...agent("two", "${policy:strict@guard}"), ...agent("three", "${policy:late@more}") };
    expect(await requestsOf({ "care/agentform.yaml": manifest("care", uses), ...both })).toBe(one);
  });

  wholeTest("is asked for anew where an older one is here", async () => {
    const { service, theirs, own } = await openClones(deletesAlone());
    own.git("fetch", "-q", "origin", "refs/agentform/*:refs/agentform/*");
    theirs.write({
      "guard/policies/late.yaml": policy("late"),
      "care/agents/support.yaml": guarded("${policy:late@guard}"),
    });
    for (const folder of ["guard", "care"]) expect((await theirs.run(folder, "apply", "--yes")).code).toBe(0);
    // Forgets the policy that the other clone made and uses.
    expect((await own.run("guard", "apply", "--yes")).code).toBe(0);
    expect((await own.run("guard", "prune", "--yes")).err).toContain("agent:support refers to it in care");
    expect(service.objects().policies).toHaveLength(2);
  });

  wholeTest("keeps nothing that it used when an older one was fetched", async () => {
    const { service, theirs, own } = await openClones(deletesAlone());
    own.git("fetch", "-q", "origin", "refs/agentform/*:refs/agentform/*");
    theirs.write({ "care/agents/support.yaml": documentText("Agent", "support", { name: "Support" }) });
    expect((await theirs.run("care", "apply", "--yes")).code).toBe(0);
    own.remove("care/agents/support.yaml");
    own.remove("guard/policies/strict.yaml");
    expect((await own.run("guard", "apply", "--yes")).code).toBe(0);
    expect((await own.run("guard", "prune", "--yes")).code).toBe(0);
    expect(service.objects().policies).toEqual([]);
  });

  wholeTest("has its objects for itself", async () => {
    const { own, manifest } = await openClones(allOperations);
    own.remove("guard/policies/strict.yaml");
    own.remove("care/agents/support.yaml");
    own.write({ "new/agentform.yaml": manifest("new") });
    const listed = await own.run("new", "import", "--list");
    expect(listed.out).toContain("0 objects that nobody manages");
    expect(listed.err).toContain("the workspace in `care` has it");
  });

  test("that cannot be asked for lets nothing be taken over", async () => {
    const { own, manifest } = await openClones(allOperations);
    own.write({ "new/agentform.yaml": manifest("new", "", "file") });
    own.git("remote", "set-url", "origin", "/nowhere");
    const imported = await own.run("new", "import", "--all", "--yes");
    expect(imported.err).toContain("the states of other workspaces on `origin` cannot be read");
    expect(imported.code).toBe(1);
  });
});
