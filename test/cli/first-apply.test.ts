import { expect, test } from "vitest";
import type { Plan } from "../../src/generated/plan.js";
import { agentText, openDesk } from "./desk.js";

test("that nothing is known is the first note of a first plan, and of no later one", async () => {
  const { run, workspace } = await openDesk();
  const notes = async (...more: string[]) =>
    (JSON.parse((await run("plan", "--format", "json", ...more)).out) as Plan).notes;
  const [first] = await notes();
  expect(first).toMatchObject({ code: "first-apply", effect: "review", parts: { creates: 4 } });
  expect(first?.message).toBe(
    "no earlier apply is known, so 4 objects are created, even if they are in the service already",
  );
  expect((await run("plan")).out).toMatch(
    /Guardrail notes\n +! review +agentform\.yaml +no earlier apply is known/,
  );
  // The emulator keeps its objects beside its state.
  expect(await notes("--emulator")).toEqual([]);
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.write({ "agents/second.yaml": agentText().replace('"support"', '"second"') });
  expect((await notes()).map(({ code }) => code)).not.toContain("first-apply");
});

test("a first apply that was killed before it began anything is the same plan again", async () => {
  const { run, workspace } = await openDesk();
  const digest = async () => (JSON.parse((await run("plan", "--format", "json")).out) as Plan).digest;
  const reviewed = await digest();
  // What is left of a process that died between the file and its first line.
  workspace.write({ "agentform.lock.journal": "" });
  expect(await digest()).toBe(reviewed);
  expect(await run("apply", "--expect", reviewed)).toMatchObject({ code: 0 });
});
