import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../harness/tier.js";
import { documentText } from "../harness/disk-workspace.js";
import { manifestOf, openPlatform, policy } from "./platform.js";

const names = ["a", "b", "c", "d", "e"] as const;
type Name = (typeof names)[number];
type Uses = readonly (readonly [Name, Name])[];

const graphs = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), {
  selector: ([from, to]) => `${from} ${to}`,
  maxLength: 8,
});

function filesOf(uses: Uses, topicOf: (name: Name) => string): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const used = uses.flatMap(([from, to]) => (from === name ? [to] : []));
      const listed = used.map((to) => `${to}: {workspace: ../${to}}`).join(", ");
      const texts = used.map((to) => `\${policy:own@${to}} \${agent:own@${to}}`).join(" ");
      return [
        [`${name}/agentform.yaml`, manifestOf(name, "URL", ...(listed === "" ? [] : [`uses: {${listed}}`]))],
        [`${name}/policies/own.yaml`, policy("own", topicOf(name))],
        [`${name}/agents/own.yaml`, documentText("Agent", "own", { name, description: texts })],
      ];
    }),
  );
}

test("workspaces that use each other are made by one command with one digest, and again after each replacement", async () => {
  await fc.assert(
    fc.asyncProperty(graphs, fc.subarray([...names]), async (uses, replaced) => {
      const platform = await openPlatform(filesOf(uses, () => "weapons"));
      const plan = async () => {
        const ran = await platform.run(".", "plan", "--all", "--format", "json");
        return { ...ran, digest: /"digest": "(.*)"/.exec(ran.out)?.[1] ?? "" };
      };
      const first = await plan();
      if (first.code !== 0) {
        const way = /use each other in a cycle: ([a-e →]+)/.exec(first.err)?.[1]?.trim().split(" → ") ?? [];
        expect(way.length, first.err).toBeGreaterThan(1);
        expect(way[0]).toBe(way.at(-1));
        for (const [at, from] of way.slice(0, -1).entries()) expect(uses).toContainEqual([from, way[at + 1]]);
        return;
      }
      const isBefore = ([from, to]: readonly [Name, Name]) => {
        const at = (name: Name) => first.out.indexOf(`"folder": "${name}"`);
        return at(to) < at(from);
      };
      expect(uses.every(isBefore)).toBe(true);
      expect((await platform.run(".", "apply", "--all", "--expect", first.digest)).code).toBe(0);
      const count = () => {
        const { policies, agents } = platform.emulator.objects();
        return [policies.length, agents.length];
      };
      expect(count()).toEqual([names.length, names.length]);

      platform.workspace.write(filesOf(uses, (name) => (replaced.includes(name) ? "tobacco" : "weapons")));
      const { digest } = await plan();
      const again = await platform.run(".", "apply", "--all", "--expect", digest);
      expect(again.code, again.out + again.err).toBe(0);
      expect(count()).toEqual([names.length + replaced.length, names.length]);
      const last = await platform.run(".", "plan", "--all", "--detailed-exitcode");
      expect(last.code, last.out).toBe(0);
      const ids = new Map(
        names.map((name) => {
          const { resources } = JSON.parse(platform.workspace.read(`${name}/agentform.lock`)) as {
            resources: Record<string, { id: string; references?: Record<string, string> }>;
          };
          return [name, resources] as const;
        }),
      );
      for (const [from, to] of uses) {
        const { references } = ids.get(from)?.["agent:own"] ?? {};
        expect(references?.[`policy:own@${to}`]).toBe(ids.get(to)?.["policy:own"]?.id);
      }
    }),
    { numRuns: runs("graphs of workspaces", 4, 30) },
  );
});
