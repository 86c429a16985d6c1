/** Plans without a change, compared with their floors, for workspaces of any size. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compare, median, ratio } from "./measure.mjs";
import { row } from "./table.mjs";

const floor = (name) => fileURLToPath(new URL(`floors/${name}.mjs`, import.meta.url));

/** The command of a floor: what tells that nothing has changed since the last plan with this cache. */
export function lookAgain({ directory, lock, cache, env }) {
  return { args: [process.execPath, floor("look-again"), join(directory, "documents"), lock, cache], env };
}

/** Runs plans of a workspace that was applied to the emulator, without and with a cache of its own, alternating with their floors. */
export function comparePlans({ agentform, node, env }, directory, rounds) {
  const documents = join(directory, "documents");
  const lock = join(directory, ".agentform/emulator/default/agentform.lock");
  const cache = `${directory}-cache`;
  const warm = { ...agentform.plan(directory), env: { ...env, XDG_CACHE_HOME: cache } };
  const script = (name) => ({ args: [process.execPath, floor(name), documents], env });
  return compare(
    {
      cold: unchanged(agentform.plan(directory, "--no-cache")),
      // The warm-up run fills the cache.
      warm: unchanged(warm),
      parse: { ...script("parse-files"), after: ({ stdout }) => ({ alone: Number(stdout) }) },
      read: script("read-files"),
      look: lookAgain({ directory, lock, cache, env }),
      node,
    },
    rounds,
  );
}

/** The rows for the results of comparePlans, with targets for the cold plan and the warm one. */
export function planRows(
  work,
  { cold, warm, parse, read, look, node },
  { cold: coldTarget, warm: warmTarget },
) {
  const memory = (runs) => median(runs, "memory");
  const start = { name: "node -e 0", seconds: median(node) };
  const beside = (name, runs) =>
    row({ work: name, seconds: median(runs), memory: memory(runs), floor: start, ratio: ratio(runs, node) });
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
      floor: { name: "cold", seconds: median(cold) },
      ratio: ratio(warm, cold),
      target: warmTarget,
    }),
    beside(`floor: yaml.parse of ${texts}`, parse),
    beside(`floor: reading ${texts}`, read),
    beside(`floor: digests and what is kept of ${texts}`, look),
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
