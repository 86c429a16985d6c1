import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { sample, wholeTest } from "../harness/tier.js";
import { git } from "../store/git-medium.js";
import { usePostgres } from "../store/postgres-medium.js";
import { inFiles, inGitlab, onRef, openSite, stores } from "./store-site.js";

usePostgres();

/** An applied workspace with two environments, which a commit has. */
async function openApplied(store: object, usesDatabase = false) {
  const environments = ["staging", "production"];
  const site = await openSite(environments, { usesGit: true, usesDatabase });
  site.write(store);
  for (const name of environments) {
    expect(await site.run("apply", "-e", name, "--yes")).toMatchObject({ code: 0 });
  }
  site.commit("both");
  return {
    ...site,
    /** Writes the manifest with these environments. */
    declare(...names: string[]) {
      environments.splice(0, environments.length, ...names);
      site.write(store);
    },
    /** What a plan warns of. */
    async warned(...args: string[]) {
      const { code, err } = await site.run("plan", "-e", "staging", ...args);
      expect({ code, err }).toMatchObject({ code: 0 });
      return err.match(/warning\[environment-gone\]: .*/g) ?? [];
    },
  };
}

const cases = Object.entries(stores).map(([name, store]) => ({ name, store }));

test.each(sample("stores of an environment that is gone", cases, 3))(
  "an environment that a change takes out of the manifest is told, with its state in $name",
  async ({ name, store }) => {
    const { declare, run, warned } = await openApplied(store, name === "postgres");
    expect(await warned("--rules-from", "HEAD")).toEqual([]);
    declare("staging");
    const told = await warned("--rules-from", "HEAD");
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("has the state of the environment `production`");
    // These servers do not list what they have.
    expect(await warned()).toEqual(["http", "s3"].includes(name) ? [] : told);
    declare("staging", "live");
    const renamed = await run("lock", "move", "--from-environment", "production", "-e", "live");
    expect(renamed).toMatchObject({ code: 0 });
    expect(await warned("--rules-from", "HEAD")).toEqual([]);
  },
);

test("an environment whose lock file goes with it is told by the commit before", async () => {
  const { declare, warned, directory } = await openApplied(inFiles);
  declare("staging");
  rmSync(join(directory, "agentform.production.lock"));
  expect(await warned()).toEqual([]);
  const [told] = await warned("--rules-from", "HEAD");
  expect(told).toContain("agentform.production.lock of the commit before the change has the state");
});

wholeTest("a change that ignores the warning of what it does itself has it", async () => {
  const { commit, declare, warned, directory } = await openApplied(inFiles);
  declare("staging");
  const manifest = join(directory, "agentform.yaml");
  const ignoring = readFileSync(manifest, "utf8").replace('"include"', '"ignore":["environment-gone"],$&');
  writeFileSync(manifest, ignoring);
  expect(await warned("--rules-from", "HEAD")).toHaveLength(1);
  expect(await warned()).toEqual([]);
  commit("ignored");
  expect(await warned("--rules-from", "HEAD")).toEqual([]);
});

test("an environment of which nothing can be read is told", async () => {
  const { declare, warned, server } = await openApplied(inGitlab);
  declare("staging");
  server.fault = ({ url }) => (url.includes("production") ? { status: 403 } : undefined);
  const [told] = await warned("--rules-from", "HEAD");
  expect(told).toContain("the environment `production` any more");
  expect(told).toContain("could not be read: the user is not allowed to (HTTP 403)");
});

wholeTest("a state of one that cannot be read is mended by commands that need it declared", async () => {
  const { declare, run, directory } = await openApplied(inFiles);
  writeFileSync(join(directory, "agentform.production.lock"), "{");
  for (const [names, isNeeded] of [
    [["staging", "production"], false],
    [["staging"], true],
  ] as const) {
    declare(...names);
    const { code, err } = await run("prune", "-e", "staging");
    expect([code, err]).toEqual([1, expect.stringContaining("agentform.production.lock")]);
    expect(err.includes("declare the environment `production` in agentform.yaml meanwhile")).toBe(isNeeded);
  }
});

wholeTest(
  "of very many states of environments that are gone, some are looked at, and the rest is counted",
  async () => {
    const { warned, directory } = await openApplied(onRef);
    const [ref = ""] = git(directory, "for-each-ref", "--format=%(refname)", "refs/agentform").split("\n");
    const commit = git(directory, "rev-parse", ref);
    const folder = join(directory, ".git", dirname(ref));
    for (let at = 0; at < 103; at++) writeFileSync(join(folder, `old-${at}`), `${commit}\n`);
    const told = await warned();
    expect(told.at(-1)).toContain("3 more states are of environments that agentform.yaml does not have");
  },
);
