import { expect, test, vi } from "vitest";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { manifestAt } from "../cli/desk.js";
import { runInTerminal } from "./run-in-terminal.js";

const question = "Type `yes` to apply: ";

function applyAsked(typed: string) {
  const { directory } = makeWorkspace({
    "agentform.yaml": manifestAt("https://agents.example.com"),
    "agents/a.yaml": documentText("Agent", "a", { name: "A" }),
  });
  const running = runInTerminal(directory, "apply --emulator", { AGENT_API_KEY: "key" });
  running.type(typed);
  const asked = vi.waitFor(() => expect(running.written()).toContain(question), { timeout: 60_000 });
  return { ...running, asked };
}

test("what was typed before a plan was shown does not agree to it", async () => {
  const { type, asked, ended, written } = applyAsked("yes\nyes\n");
  await asked;
  type("no\n");
  expect(await ended).toBe(1);
  expect(written()).toContain("Nothing was applied.");
});

test("what is typed then is the answer, whatever was typed before", async () => {
  const { type, asked, ended, written } = applyAsked("no\n");
  await asked;
  type("yes\n");
  expect(await ended).toBe(0);
  expect(written()).toContain("Apply complete");
});
