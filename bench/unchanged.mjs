/** Plans without a change, compared with their floors, for workspaces of any size. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compare, median, ratio } from "./measure.mjs";
import { row } from "./table.mjs";

const floor = (name) => fileURLToPath(new URL(`floors/${name}.mjs`, import.meta.url));

/** Runs plans of an applied workspace without and with the cache, alternating with their floors. */
export function comparePlans({ agentform, node, env }, directory, rounds) {
  const documents = join(directory, "documents");
  const script = (name) => ({ args: [process.execPath, floor(name), documents], env });
  return compare(
    {
      cold: unchanged(agentform.plan(directory, "--no-cache")),
      // The warm-up run fills the cache.
      warm: unchanged(agentform.plan(directory)),
      parse: { ...script("parse-files"), after: ({ stdout }) => ({ alone: Number(stdout) }) },
      read: script("read-files"),
      node,
    },
    rounds,
  );
}

/** The rows for the results of comparePlans, with targets for the cold plan and the warm one. */
export function planRows(work, { cold, warm, parse, read, node }, { cold: coldTarget, warm: warmTarget }) {
  const memory = (runs) => median(runs, "memory");
  const start = { name: "node -e 0", seconds: median(node) };
  const texts = `${work.replace(/^plan, /, "").replace(/, no change/, "")}`;
  return [
    row({
      work: `${work}, cold`,
      seconds: median(cold),
      memory: memory(cold),
      floor: { name: "yaml.parse alone", seconds: median(parse, "alone") },
      ratio: ratio(cold, parse, "seconds", "alone"),
      target: coldTarget,
    }),
    row({
      work: `${work}, warm`,
      seconds: median(warm),
      memory: memory(warm),
      floor: start,
      ratio: ratio(warm, node),
      target: warmTarget,
    }),
    row({
      work: `floor: yaml.parse of ${texts}`,
      seconds: median(parse),
      memory: memory(parse),
      floor: start,
      ratio: ratio(parse, node),
    }),
    row({
      work: `floor: reading ${texts}`,
      seconds: median(read),
      memory: memory(read),
      floor: start,
      ratio: ratio(read, node),
    }),
  ];
}

function unchanged(command) {
  return {
    ...command,
    after: ({ stdout }) => {
      if (!/no changes/i.test(stdout))
        throw new Error(`the plan of an unchanged workspace has changes: ${stdout.slice(0, 500)}`);
    },
  };
}
