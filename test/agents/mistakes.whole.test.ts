import { cpSync } from "node:fs";
import { expect, test } from "vitest";
import { makeWorkspace } from "../harness/disk-workspace.js";
import { CodingAgent } from "./coding-agent.js";
import { mistakes, type Mistake } from "./mistakes.js";

async function openWith(made: readonly Mistake[]): Promise<CodingAgent> {
  const { directory } = makeWorkspace({});
  cpSync("examples/support-desk", directory, { recursive: true });
  const agent = new CodingAgent(directory);
  await agent.learn();
  for (const { name, file, right, wrong } of made) {
    const text = agent.read(file);
    expect(text, name).toContain(right);
    agent.write(file, text.replace(right, wrong));
  }
  return agent;
}

test("there are thirty", () => expect(mistakes).toHaveLength(30));

test.each(mistakes)("$name is mended from its diagnostic alone, as it was", async (mistake) => {
  const agent = await openWith([mistake]);
  expect((await agent.errors()).length).toBeGreaterThan(0);
  expect(await agent.mend()).toEqual([]);
  const good = await openWith([]);
  expect(agent.read(mistake.file)).toBe(good.read(mistake.file));
});

test("one in each file at once", async () => {
  const files = [...new Set(mistakes.map(({ file }) => file))];
  const some = files
    .map((file) => mistakes.find((each) => each.file === file))
    .filter((each) => each !== undefined);
  const agent = await openWith(some);
  // Those of the manifest come first, for the documents depend on it.
  expect((await agent.errors()).length).toBeGreaterThan(0);
  expect(await agent.mend()).toEqual([]);
});
