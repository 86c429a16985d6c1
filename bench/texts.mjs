import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyToEmulator } from "./agentform.mjs";
import { compare, median } from "./measure.mjs";
import { writeSmallWorkspace } from "./small-workspace.mjs";
import { row } from "./table.mjs";

/** Measures the comparison of two texts that have nothing in common. */
export async function measureTexts({ agentform, scratch, rounds = 7 }) {
  const same = join(scratch, "texts");
  const other = join(scratch, "texts-changed");
  const files = { "a.md": text(1), "b.md": text(2), "agents/a.yaml": document("../a.md") };
  writeSmallWorkspace(same, files);
  await applyToEmulator(agentform, same);
  cpSync(same, other, { recursive: true });
  writeFileSync(join(other, "agents/a.yaml"), document("../b.md"));
  const measured = await compare({ other: agentform.plan(other), same: agentform.plan(same) }, rounds);
  const unchanged = median(measured.same);
  return [
    row({
      work: "plan, two unlike texts of 20,000 lines, what they add",
      seconds: median(measured.other) - unchanged,
      memory: median(measured.other, "memory"),
      floor: { name: "without the change", seconds: unchanged },
      target: { seconds: 0.3 },
    }),
  ];
}

function text(seed) {
  let state = seed;
  const word = () => ((state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % 100_000).toString(36);
  return Array.from({ length: 20_000 }, () => Array.from({ length: 8 }, word).join(" ")).join("\n");
}

function document(file) {
  return `apiVersion: agentform/v1
kind: Agent
metadata: {name: a}
spec: {name: a, system_prompt: "\${file:${file}}"}
`;
}
