import { join } from "node:path";
import { applyToEmulator } from "./agentform.mjs";
import { makeWorkspace } from "./make-workspace.mjs";
import { measureKilled } from "./killed.mjs";
import { comparePlans, planRows } from "./unchanged.mjs";

/** Measures plans of 100,000 unchanged resources, with a hundred per file and with one per file; and 50,000 creates. */
export async function measureLarge(bench) {
  const rounds = bench.rounds ?? 3;
  const packed = await comparePlans(bench, await applied(bench, "packed", 100), rounds);
  const single = await comparePlans(bench, await applied(bench, "single", 1), rounds);
  return [
    ...planRows("plan, 100,000 resources, 100 a file, no change", packed, {
      cold: { seconds: 11, memory: 1500 },
    }),
    ...planRows("plan, 100,000 resources, 1 a file, no change", single, {}),
    ...(await measureKilled(bench, 50_000, {})),
  ];
}

async function applied({ agentform, scratch }, name, perFile) {
  const directory = join(scratch, `large-${name}`);
  makeWorkspace(directory, 100_000, perFile);
  await applyToEmulator(agentform, directory);
  return directory;
}
