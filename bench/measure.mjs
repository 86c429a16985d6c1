/** Times whole processes: a warm-up first, then runs in turn, so that a drift of the machine hits all alike. */
import { spawnSync } from "node:child_process";

/** One run of a command: wall milliseconds, and the peak memory in MiB where `/usr/bin/time` is there. */
function run([command, ...args]) {
  const begun = process.hrtime.bigint();
  const { status, stderr } = spawnSync("/usr/bin/time", ["-f", "peak-kib %M", command, ...args], {
    encoding: "utf8",
  });
  const wall = Number(process.hrtime.bigint() - begun) / 1e6;
  const peak = /peak-kib (\d+)/.exec(stderr ?? "")?.[1];
  if (status !== null && peak !== undefined) return { wall, peak: Number(peak) / 1024 };
  const again = process.hrtime.bigint();
  spawnSync(command, args);
  return { wall: Number(process.hrtime.bigint() - again) / 1e6, peak: Number.NaN };
}

/** The value in the middle. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs named commands in turn; gives the medians of each. */
export function compare(commands, runs = 7) {
  const names = Object.keys(commands);
  const results = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round <= runs; round++) {
    for (const name of names) {
      const result = run(commands[name]);
      if (round > 0) results[name].push(result);
    }
  }
  return Object.fromEntries(
    names.map((name) => {
      const walls = results[name].map(({ wall }) => wall);
      return [name, { wall: median(walls), peak: median(results[name].map(({ peak }) => peak)), walls }];
    }),
  );
}

/** The median of the ratios of two commands, pair by pair. */
export function ratio(a, b) {
  return median(a.walls.map((wall, index) => wall / b.walls[index]));
}
