import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openAsked } from "../cli/sixty.js";
import { codeBlocks, stepsOf } from "./code-block.js";
import { settled, unfold } from "./printed.js";

test("docs/how-to/import.md shows what an import prints", async () => {
  const { run, post } = await openAsked();
  const { _id } = await post("/v1/rai/policies", { name: "Strict", description: "Keeps to the topic" });
  const credential = await post("/v3/tools/credentials", { name: "OpenAI", credentials: { api_key: "sk" } });
  await post("/v3/agents/", {
    name: "Support desk",
    system_prompt: "You help.\n\n- Be brief.\n- Be kind.\n",
    llm_credential_id: credential["credential_id"] ?? credential["_id"] ?? credential["id"],
    features: [{ type: "RAI", priority: 0, config: { policy_id: _id } }],
  });
  const blocks = codeBlocks(readFileSync("docs/how-to/import.md", "utf8"));
  const steps = blocks.filter(({ language }) => language === "console").flatMap(stepsOf);
  expect(steps).toHaveLength(4);
  for (const { command, shown } of steps) {
    const { code, out } = await run(...command.split(" ").slice(1));
    expect(code).toBe(0);
    const lines = settled(out);
    expect(sorted(lines)).toEqual(sorted(unfold(settled(shown.join("\n")), lines)));
  }
});

// Of objects that do not refer to each other, the order depends on their IDs.
function sorted(lines: readonly string[]): readonly string[] {
  return lines.toSorted();
}
