import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { manifestAt, openEmulator } from "../cli/desk.js";
import { runInTerminal } from "./run-in-terminal.js";

const question = "Type `yes` to apply: ";

function applyAsked(typed: string, after = "", first?: string) {
  const { directory } = makeWorkspace({
    "agentform.yaml": manifestAt("https://agents.example.com"),
    "agents/a.yaml": documentText("Agent", "a", { name: "A" }),
  });
  const running = runInTerminal(directory, `apply --emulator${after}`, { AGENT_API_KEY: "key" }, first);
  running.type(typed);
  const asked = vi.waitFor(() => expect(running.written()).toContain(question), { timeout: 60_000 });
  return { ...running, directory, asked };
}

test.each([
  [
    "what was typed before a plan was shown does not agree to it",
    "yes\nyes\n",
    "no\n",
    1,
    "Nothing was applied.",
  ],
  ["what is typed then is the answer, whatever was typed before", "no\n", "yes\n", 0, "Apply complete"],
  ["Ctrl-C at the question interrupts, and applies nothing", "", "\u0003", 130, "Nothing was applied."],
] as const)("%s", async (_, before, then, code, said) => {
  const { type, asked, ended, written } = applyAsked(before);
  await asked;
  type(then);
  expect(await ended).toBe(code);
  expect(written()).toContain(said);
});

test("Ctrl-C at the question of a command that minds no signals ends it like the signal", async () => {
  const emulator = await openEmulator({ operations: "full" });
  await emulator.edit({ kind: "agent", create: { name: "A" } });
  const operations = 'operations: {agent: {list: {request: "GET /v3/agents/", id: /_id}}}';
  const { directory } = makeWorkspace({
    "agentform.yaml": manifestAt(emulator.url).replace("{base_url", `{${operations}, base_url`),
  });
  const { type, ended, written } = runInTerminal(directory, "import --all", { AGENT_API_KEY: "key" });
  await vi.waitFor(() => expect(written()).toContain("Type `yes` to import: "), { timeout: 60_000 });
  type("\u0003");
  expect(await ended).toBe(130);
});

test("a terminal that is closed at the question leaves no dump of memory, which would hold keys", async () => {
  const { close, asked, directory } = applyAsked("", "; echo $? > code", "trap : HUP;");
  await asked;
  close();
  const code = join(directory, "code");
  await vi.waitFor(() => expect(existsSync(code) && readFileSync(code, "utf8")).toBeTruthy(), {
    timeout: 60_000,
  });
  // Killed, where a crash is 134 or 139.
  expect(readFileSync(code, "utf8")).toBe("137\n");
});
