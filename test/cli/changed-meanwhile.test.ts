import { readdirSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { makeCacheFolder } from "../harness/cache-folder.js";
import { agentText, documents, runIn } from "./desk.js";
import { openFullDesk } from "./full-desk.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/**
 * A desk whose documents are in the cache, and which is edited as soon as the service is asked. What was parsed by then
 * is not in memory any more, as in a large workspace.
 */
async function openEditedDesk(edits: Readonly<Record<string, string>>) {
  let edit = () => {};
  const withPrompt = {
    ...documents,
    "agents/support.yaml": agentText({ system_prompt: "${file:../prompts/support.md}" }),
    "prompts/support.md": "Help.\n",
  };
  const desk = await openFullDesk(withPrompt, undefined, { log: () => edit() });
  const run = async (...args: readonly string[]) =>
    await runIn(desk.workspace.directory, args, { XDG_CACHE_HOME: cache });
  const cache = makeCacheFolder();
  expect((await run("apply", "--yes")).code).toBe(0);
  expect((await run("plan")).out).toContain("No changes.");
  expect(readdirSync(cache)).not.toEqual([]);
  return {
    ...desk,
    run,
    runEdited: async (...args: readonly string[]) => {
      edit = () => {
        edit = () => {};
        desk.workspace.write(edits);
        collectGarbage();
      };
      return await run(...args);
    },
  };
}

test.each<[string, Readonly<Record<string, string>>, number]>([
  ["is edited", { "agents/support.yaml": agentText({ name: "Edited" }) }, 0],
  ["is emptied", { "agents/support.yaml": "" }, 0],
  ["loses what it includes", { "prompts/support.md": "\0" }, 1],
])("a document that %s while the service is asked is no bug", async (_what, edits, code) => {
  const desk = await openEditedDesk(edits);
  desk.emulator.edit({ kind: "agent", create: { name: "By hand" } });
  const imported = await desk.runEdited("import", "--all", "--yes");
  expect(imported).toMatchObject({ code, out: expect.stringContaining('from "By hand"') });
});

test("a document counts as it was read, whatever it says by the time that the service has answered", async () => {
  const desk = await openEditedDesk({ "agents/support.yaml": "" });
  const drift = await desk.runEdited("drift", "--detailed-exitcode");
  expect(drift).toMatchObject({ code: 0, out: expect.stringContaining("No drift.") });
});
