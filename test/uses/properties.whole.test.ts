import fc from "fast-check";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderName, usesGraph } from "../../src/workspace/others/uses-graph.js";
import { validate } from "../../src/sync/validate.js";
import { documentText } from "../harness/disk-workspace.js";
import { manifestOf, openPlatform, policy } from "./platform.js";

const names = ["a", "b", "c", "d", "e"] as const;
type Name = (typeof names)[number];
const graphs = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), {
  selector: ([from, to]) => `${from} ${to}`,
  maxLength: 8,
});

const filesOf = (edges: readonly (readonly [Name, Name])[]) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const used = edges.flatMap(([from, to]) => (from === name ? [to] : []));
      const uses = used.map((to) => `${to}: {workspace: ../${to}}`).join(", ");
      const texts = used.map((to) => `\${policy:own@${to}}`).join(" ");
      return [
        [`${name}/agentform.yaml`, manifestOf(name, "URL", ...(uses === "" ? [] : [`uses: {${uses}}`]))],
        [`${name}/policies/own.yaml`, policy("own", name)],
        [`${name}/agents/own.yaml`, documentText("Agent", "own", { name, description: texts })],
      ];
    }),
  ) as Record<string, string>;

test("workspaces without a cycle apply in the order of their uses, and with one each way round is a cycle of uses", async () => {
  await fc.assert(
    fc.asyncProperty(graphs, async (edges) => {
      const platform = await openPlatform(filesOf(edges));
      const folders = names.map((name) => join(platform.workspace.directory, name));
      const { order, cycles } = usesGraph(folders);
      for (const cycle of cycles) {
        const way = cycle.map(folderName);
        expect(way[0]).toBe(way.at(-1));
        for (const [at, from] of way.slice(0, -1).entries()) {
          expect(edges).toContainEqual([from, way[at + 1]]);
        }
        const found = await validate({ directory: join(platform.workspace.directory, way[0] ?? "") });
        const told = found.filter(({ code }) => code === "uses-cycle").map(({ message }) => message);
        expect(told).toContain(`workspaces use each other in a cycle: ${way.join(" → ")}`);
      }
      if (cycles.length > 0) return;
      for (const folder of order) await platform.apply(folderName(folder));
    }),
    { numRuns: 6 },
  );
});
