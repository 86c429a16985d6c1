import { expect, test } from "vitest";
import { Monorepo, setUpOf } from "./monorepo.js";

const setUp = setUpOf("docs/how-to/teams.md", "Security and two teams in one repository");
const suffixes = { guard: "", care: "-care", sales: "-sales" } as const;
type Team = keyof typeof suffixes;
const teams = ["guard", "care", "sales"] as const;
const secretsOf = (team: Team) => ({
  AGENT_API_KEY: `key-of-${team}`,
  STATE_SEAL: `5ea1-of-${team}`.padEnd(32, "0"),
});

const inFiles = (text: string) => text.replace(/ {2}lock: .*\n/, "  lock: {store: file}\n");
const texts = setUp.files;
const strict = texts["guard/policies/strict.yaml"] ?? "";
const support = texts["care/agents/support.yaml"] ?? "";
const offers = support.replace("support", "offers").replace("Support desk", "Offers");
const banning = (topic: string) => ({ "guard/policies/strict.yaml": strict.replace("weapons", topic) });
const saying = (file: string, text: string, prompt: string) => ({
  [file]: text.replace("  features:", `  system_prompt: ${prompt}\n  features:`),
});

test.each(["git", "file"] as const)(
  "security and two teams, as the page says, with a %s store",
  async (store) => {
    const monorepo = await Monorepo.open(setUp, store === "git" ? undefined : inFiles);
    const apply = (team: Team, commit: string, digest?: string) =>
      monorepo.apply(suffixes[team], commit, secretsOf(team), digest);
    const propose = (files: Readonly<Record<string, string>>) =>
      monorepo.propose(files, Object.values(suffixes));

    const prune = async () => {
      const clone = monorepo.clone();
      const commands = `git fetch --quiet origin '+refs/agentform/*:refs/agentform/*'
        sed -i 's,api_key:,operations: {policy: {delete: "DELETE /v1/rai/policies/{id}"}}\\, api_key:,' guard/agentform.yaml
        agentform prune -C guard --yes 2>&1`;
      return await monorepo.must(clone, commands, secretsOf("guard"));
    };
    for (const team of teams) {
      const shown = await apply(team, monorepo.tip());
      expect(shown.codes["See what was reviewed"], shown.output).toBe(1);
      const [digest = ""] = /sha256:\w{64}/.exec(shown.output) ?? [];
      const applied = await apply(team, monorepo.tip(), digest);
      expect(applied.isSuccessful, applied.output).toBe(true);
    }
    expect(monorepo.sent()).toEqual(["POST /v1/rai/policies", "POST /v3/agents/", "POST /v3/agents/"]);

    // A change of care's is nothing of guard's.
    const own = await propose(saying("care/agents/support.yaml", support, "Help."));
    for (const team of ["guard", "sales"]) expect(monorepo.commentOn(own, team)).toContain("no changes");
    expect(monorepo.commentOn(own, "care")).toContain("Help.");
    const merged = monorepo.merge(own);
    const before = monorepo.sent().length;
    const applied = await Promise.all(teams.map((team) => apply(team, merged)));
    expect(applied.map(({ isSuccessful, output }) => isSuccessful || output)).toEqual([true, true, true]);
    expect(monorepo.sent().slice(before)).toEqual([expect.stringMatching(/^PUT \/v3\/agents\//)]);

    // A policy is replaced: guard's plan says who has it, and the others have nothing to do before that is applied.
    const replacing = await propose(banning("tobacco"));
    expect(monorepo.commentOn(replacing, "guard")).toMatch(/care.*agent:support.*sales.*agent:offers/s);
    for (const team of ["care", "sales"]) expect(monorepo.commentOn(replacing, team)).toContain("no changes");
    const replaced = monorepo.merge(replacing);
    expect((await apply("guard", replaced)).isSuccessful).toBe(true);

    // Who sees it at once refuses what nobody has reviewed; once that is read, the same job applies it.
    const unseen = await apply("care", replaced);
    expect(unseen.codes).toMatchObject({ Apply: 4, "Report what is left to apply": 0 });
    expect(monorepo.commentOn(replacing, "care")).toContain("`policy:strict` of guard has a new ID");
    const kept = await prune();
    expect(kept).toContain("agent:support refers to it in care");
    expect((await apply("care", replaced)).isSuccessful).toBe(true);

    // Both merge at the same time, and each job has a machine of its own.
    const alcohol = await propose(banning("alcohol"));
    const offering = await propose(saying("sales/agents/offers.yaml", offers, "Offer."));
    expect(monorepo.commentOn(offering, "sales")).toContain("`policy:strict` of guard has a new ID");
    const commits = [monorepo.merge(alcohol), monorepo.merge(offering)];
    await Promise.all(
      teams.map(async (team) => {
        for (const commit of commits) await apply(team, commit);
      }),
    );
    // What was refused is run again, once its comment is read; guard's first, which the others use.
    for (const group of [["guard"], ["care", "sales"]] as const) {
      let left: readonly Team[] = group;
      for (let round = 0; left.length > 0; round++) {
        expect(round, left.join()).toBeLessThan(3);
        const again = await Promise.all(left.map((team) => apply(team, commits[1] ?? "")));
        left = left.filter((_, index) => again[index]?.isSuccessful !== true);
      }
    }

    const posts = monorepo.sent().filter((each) => each.startsWith("POST"));
    expect(posts.toSorted()).toEqual([
      ...Array<string>(3).fill("POST /v1/rai/policies"),
      ...Array<string>(2).fill("POST /v3/agents/"),
    ]);
    const { policies, agents } = monorepo.emulator.objects();
    const newest = policies.find(({ body }) => JSON.stringify(body).includes("alcohol"))?.id ?? "";
    expect(agents.map(({ body }) => JSON.stringify(body).includes(newest))).toEqual([true, true]);
    await prune();
    expect(monorepo.emulator.objects().policies.map(({ id }) => id)).toEqual([newest]);
  },
);
