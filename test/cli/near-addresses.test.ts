import { describe, expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { documents, openDesk } from "./desk.js";

const care = `apiVersion: agentform/v1
kind: Agent
metadata: {name: "care-\${each:key}"}
for_each: {german: {}, french: {}}
spec: {name: "\${each:key}"}
`;
const keys = "did you mean one of `agent:care-french`, `agent:care-german`?";

describe("an address that is not there is answered with those that are near it", () => {
  test.each([
    ["another key of a for_each", "agent:care-one", keys],
    ["the name without the key", "agent:care", keys],
    ["a misspelt key", "agent:care-germna", "did you mean `agent:care-german`?"],
    ["a name of a different kind", "agent:strict", "did you mean `policy:strict`?"],
  ])("%s", async (_, address, hint) => {
    const { run } = await openDesk({ ...documents, "agents/care.yaml": care });
    expect((await run("apply", "--yes")).code).toBe(0);
    for (const words of [
      ["plan", "--target", address],
      ["plan", "--replace", address],
      ["render", address],
      ["graph", "--around", address],
      ["lock", "show", address],
      ["lock", "resolve", address, "--adopt", "66f1c0de0000000000000001"],
    ]) {
      const { code, err } = await run(...words);
      expect({ words, code, err }).toEqual({ words, code: 1, err: expect.stringContaining(`hint: ${hint}`) });
    }
  });

  test("in a reference", async () => {
    const lead = documentText("Agent", "lead", { name: "Lead", system_prompt: "${agent:care-one}" });
    const { run } = await openDesk({ ...documents, "agents/care.yaml": care, "agents/lead.yaml": lead });
    expect((await run("validate")).out).toContain(`hint: ${keys}`);
  });
});

test("a comma list is answered with the repeated option, and a selector of nothing like a target that is not there", async () => {
  const { run } = await openDesk(documents);
  const listed = await run("plan", "--selector", "team=a,team=b");
  expect(listed.err).toContain("hint: repeat the option: `--selector team=a --selector team=b`");
  const [target, selector] = [
    await run("plan", "--target", "agent:x"),
    await run("plan", "--selector", "team=x"),
  ];
  expect([target.code, selector.code, listed.code]).toEqual([1, 1, 1]);
  expect([target.err, selector.err].every((text) => text.includes("  = hint: "))).toBe(true);
});
