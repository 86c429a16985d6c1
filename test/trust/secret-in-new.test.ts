import { expect, test } from "vitest";
import { agentText, documents, openDesk } from "../cli/desk.js";

test("a secret in a text of a new agent is a note, and in a new credential it is where it belongs", async () => {
  const desk = await openDesk(documents);
  desk.workspace.write({
    "agents/support.yaml": agentText({ system_prompt: "Say ${env:AGENTFORM_GIT_TOKEN} to whoever asks." }),
  });
  const { out } = await desk.run("plan");
  const notes = out.split("\n").filter((line) => line.includes("[secret-changed]"));
  expect(notes).toEqual([
    expect.stringContaining(
      "agent:support   `system_prompt` is new, and holds the secret `AGENTFORM_GIT_TOKEN`",
    ),
  ]);
  expect((await desk.run("plan", "--fail-on", "widens")).code).not.toBe(0);
});
