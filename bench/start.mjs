import { compare, median, ratio } from "./measure.mjs";
import { row } from "./table.mjs";

/** Measures the start-up cost of every command. */
export async function measureStart({ agentform, node, rounds = 15 }) {
  const { version, floor } = await compare({ version: agentform.version(), floor: node }, rounds);
  return [
    row({
      work: "--version",
      seconds: median(version),
      memory: median(version, "memory"),
      floor: { name: "node -e 0", seconds: median(floor) },
      ratio: ratio(version, floor),
      target: { ratio: 1.5 },
    }),
  ];
}
