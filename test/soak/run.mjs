/** Runs the model for minutes, from a seed that is printed: `node test/soak/run.mjs [MINUTES]`. */
import { spawnSync } from "node:child_process";

const [minutes = "10"] = process.argv.slice(2);
const vitest = ["node_modules/vitest/vitest.mjs", "run", "--mode", "all", "--project", "alone", "test/soak"];
const { status } = spawnSync(process.execPath, vitest, {
  env: { ...process.env, SOAK_MINUTES: minutes },
  stdio: "inherit",
});
process.exitCode = status ?? 1;
