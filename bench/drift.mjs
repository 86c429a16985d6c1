import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeWorkspace } from "./make-workspace.mjs";
import { compare, median, run } from "./measure.mjs";
import { startService } from "./service.mjs";
import { row } from "./table.mjs";

const latency = 20;
// How many reads drift has in flight.
const concurrency = 8;

/** Measures drift and import of 1,000 objects of a service that can read and list them. */
export async function measureDrift({ agentform, scratch, rounds = 5 }) {
  const count = rounds === 1 ? 100 : 1000;
  const service = await startService(scratch, latency, "full");
  try {
    const directory = join(scratch, "drift");
    makeWorkspace(directory, count, 1, service.url);
    writeOperations(directory, (one) => ({ read: `GET ${one}/{id}` }));
    const apply = agentform.apply(directory, 16);
    await run(apply.args, apply.env);
    await service.seen();
    const into = join(scratch, "import");
    const before = () => {
      rmSync(into, { recursive: true, force: true });
      makeWorkspace(into, 0, 1, service.url);
      mkdirSync(join(into, "documents"));
      writeOperations(into, (one, all) => ({
        read: `GET ${one}/{id}`,
        list: { request: `GET ${all}`, id: "/_id" },
      }));
    };
    const after = () => service.seen();
    const measured = await compare(
      {
        drift: { ...agentform.on(directory, "drift"), after },
        import: {
          ...agentform.on(into, "import", "--all", "--yes", "--into", join(into, "documents")),
          before,
          after,
        },
      },
      rounds,
    );
    return [driftRow(measured.drift, count), importRow(measured.import, count)];
  } finally {
    service.stop();
  }
}

function writeOperations(directory, operationsAt) {
  const operations = {
    policy: operationsAt("/v1/rai/policies", "/v1/rai/policies"),
    toolset: operationsAt("/v3/tools", "/v3/tools/"),
    agent: operationsAt("/v3/agents", "/v3/agents/"),
  };
  const file = join(directory, "agentform.yaml");
  const line = `    operations: ${JSON.stringify(operations)}\n`;
  writeFileSync(file, readFileSync(file, "utf8").replace("    tool_ids:", `${line}    tool_ids:`));
}

function driftRow(runs, count) {
  const seconds = median(runs);
  const requests = median(runs, "requests");
  const ideal = (Math.ceil(requests / concurrency) * latency) / 1000;
  return row({
    work: `drift, ${count.toLocaleString("en")} objects in ${requests.toLocaleString("en")} reads at ${latency} ms, ${concurrency} in flight`,
    seconds,
    memory: median(runs, "memory"),
    floor: { name: "ideal", seconds: ideal },
    ratio: seconds / ideal,
  });
}

function importRow(runs, count) {
  const work = `import, ${count.toLocaleString("en")} objects in ${median(runs, "requests")} lists at ${latency} ms`;
  return row({ work, seconds: median(runs), memory: median(runs, "memory") });
}
