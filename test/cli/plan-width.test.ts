import { expect, test } from "vitest";
import { main } from "../../src/cli/main.js";
import { documentText } from "../harness/disk-workspace.js";
import { documents, openDesk } from "./desk.js";

const prompt = (last: string) => `${"Look for the tickets of the customer. ".repeat(8)}${last}`;

test("a plan on a terminal is as wide as that is, and in a pipe has the whole of a changed line", async () => {
  const { run, workspace } = await openDesk({
    ...documents,
    "agents/long.yaml": documentText("Agent", "long", { name: "Long", system_prompt: prompt("Close it.") }),
  });
  expect((await run("apply", "--yes")).code).toBe(0);
  const changed = prompt("Leave it open.");
  workspace.write({
    "agents/long.yaml": documentText("Agent", "long", { name: "Long", system_prompt: changed }),
  });
  expect((await run("plan")).out).toContain(`+ ${changed}\n`);
  let out = "";
  const code = await main(["plan"], {
    env: { NO_COLOR: "1" },
    cwd: workspace.directory,
    isTerminal: true,
    columns: 70,
    canAsk: false,
    showsProgress: false,
    out: (text) => (out += text),
    err: () => undefined,
  });
  expect(code).toBe(0);
  const line = out.split("\n").find((each) => each.includes("Leave it open."));
  expect(line?.length).toBeLessThanOrEqual(70);
});
