import { join } from "node:path";
import { applyToEmulator } from "./agentform.mjs";
import { makeWorkspace } from "./make-workspace.mjs";
import { compare, median, ratio } from "./measure.mjs";
import { row } from "./table.mjs";

/** Measures what only shows an applied workspace of 10,000: its graph, documents, IDs, and one entry of its lock. */
export async function measureViews({ agentform, scratch, node, rounds = 5 }) {
  const directory = join(scratch, "views");
  makeWorkspace(directory, 10_000);
  await applyToEmulator(agentform, directory);
  const view = (...command) => agentform.on(directory, ...command);
  const { floor, ...measured } = await compare(
    {
      graph: view("graph"),
      around: view("graph", "--around", "policy:policy-7"),
      show: view("lock", "show", "agent:agent-599", "--emulator"),
      list: view("lock", "list", "--emulator"),
      output: view("output", "--emulator"),
      render: view("render"),
      one: view("render", "agent:agent-599"),
      floor: node,
    },
    rounds,
  );
  const start = { name: "node -e 0", seconds: median(floor) };
  const rowOf = (work, runs) => {
    const [seconds, memory] = [median(runs), median(runs, "memory")];
    return row({ work, seconds, memory, floor: start, ratio: ratio(runs, floor) });
  };
  return [
    rowOf("graph of 10,000 resources, warm", measured.graph),
    rowOf("graph around one of them, warm", measured.around),
    rowOf("render of 10,000 resources, warm", measured.render),
    rowOf("render of one of them, warm", measured.one),
    rowOf("output of 10,000 resources", measured.output),
    rowOf("lock list of 10,000 resources", measured.list),
    rowOf("lock show of one of them", measured.show),
  ];
}
