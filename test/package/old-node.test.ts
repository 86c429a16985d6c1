import { expect, test } from "vitest";
import { runCli } from "./run-cli.js";
import { sample } from "../harness/tier.js";

/** A module that gives the process the version of another Node. */
function asNode(version: string): string {
  const text = `Object.defineProperty(process, "version", { value: "v${version}" });
Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`;
  return `--import data:text/javascript,${encodeURIComponent(text)}`;
}

test.each(sample("versions", ["16.20.2", "18.20.8", "20.18.3", "21.7.3", "22.2.0"], 2))(
  "Node %s is told apart from a bug",
  async (version) => {
    const { code, stdout, stderr } = await runCli(["validate"], { env: { NODE_OPTIONS: asNode(version) } });
    expect(stderr).toBe(
      `error: agentform needs Node 20.19 or a later 20, or 22.3 or newer; this is v${version}\n`,
    );
    expect([code, stdout]).toEqual([1, ""]);
  },
);

test.each(sample("versions", ["20.19.0", "22.3.0", "24.1.0"], 1))("Node %s is not", async (version) => {
  const { code, stderr } = await runCli(["--version"], { env: { NODE_OPTIONS: asNode(version) } });
  expect([code, stderr]).toEqual([0, ""]);
});
