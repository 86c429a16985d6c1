/** Measures whole processes: first a warm-up, then alternating runs, so that changes of the machine affect all alike. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

const timed = process.platform === "linux" && existsSync("/usr/bin/time");

/**
 * Runs commands alternately, once to warm up and then `rounds` times; a single round is a trial, without a warm-up, and
 * where there are many objects with a tenth of them.
 * A command is `{args, env, before, after}`: `before` prepares each run, untimed, and the result of `after` is added
 * to it. Gives the runs of each by name: seconds of wall time, peak memory in MB (10^6 bytes; NaN without `/usr/bin/time`), and output.
 */
export async function compare(commands, rounds) {
  const results = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = rounds === 1 ? 1 : 0; round <= rounds; round++) {
    for (const [name, command] of Object.entries(commands)) {
      await command.before?.(round);
      const result = await run(command.args, command.env);
      const more = await command.after?.(result);
      if (round > 0) results[name].push({ ...result, ...more });
    }
  }
  return results;
}

/** Runs a command once, to its end; rejects if its exit code is not the expected one. */
export async function run(args, env, expected = 0) {
  const [command, ...rest] = timed ? ["/usr/bin/time", "-f", "peak-kib %M", ...args] : args;
  const begun = performance.now();
  const child = spawn(command, rest, { env, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (part) => (stdout += part));
  // The last lines are enough for a message, and for the memory.
  child.stderr.on("data", (part) => (stderr = (stderr + part).slice(-20_000)));
  const code = await new Promise((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", reject);
  });
  const seconds = (performance.now() - begun) / 1000;
  if (code !== expected) throw new Error(`${args.join(" ")}: exit code ${code}\n${stderr.slice(-2000)}`);
  const memory = (Number(/peak-kib (\d+)/.exec(stderr)?.[1] ?? Number.NaN) * 1024) / 1e6;
  return { seconds, memory, stdout };
}

/** The median of one figure over the runs. */
export function median(runs, figure = "seconds") {
  return middle(runs.map((each) => each[figure]));
}

/** The median of the ratios of two commands, pair by pair. */
export function ratio(runs, others, figure = "seconds", other = figure) {
  return middle(runs.map((each, index) => each[figure] / others[index][other]));
}

function middle(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
}
