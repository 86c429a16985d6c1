import { expect, inject, test } from "vitest";
import { topics } from "../../src/cli/help/topics.js";
import { leafCommands } from "../docs/command-reference.js";

test("the package has every page that its help names, and none of the project's own", async () => {
  const { paths } = inject("packed");
  const ofCommands = await Promise.all(
    leafCommands().map(async ({ entry }) => (await entry.load()).documents),
  );
  const named = [...ofCommands.flat(), ...topics.flatMap(({ documents }) => documents)];
  expect(named).toContain("reference/documents.md");
  expect(named.filter((file) => !paths.includes(`docs/${file}`))).toEqual([]);
  expect(paths.filter((path) => path.startsWith("docs/project/"))).toEqual([]);
});
