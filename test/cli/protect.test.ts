import { expect, test } from "vitest";
import { kindNames } from "../../src/core/kind/kinds.js";
import { documents, openDesk } from "./desk.js";

const addresses = ["agent:support", "credential:provider", "policy:strict", "toolset:desk"];

function withProtect(protect: boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(documents).map(([file, text]) => {
      return [file, JSON.stringify({ ...JSON.parse(text), lifecycle: { protect } })];
    }),
  );
}

test("taking protection away is a note of every kind, a reason to fail, and done by one apply", async () => {
  const { workspace, run } = await openDesk(withProtect(true));
  expect((await run("apply", "--yes")).code).toBe(0);
  workspace.write(withProtect(false));
  const { notes, summary } = JSON.parse((await run("plan", "--format", "json")).out);
  expect(summary).toMatchObject({ record: kindNames.length });
  expect(notes.map(({ address, code }: Record<string, string>) => `${code} ${address}`)).toEqual(
    addresses.map((address) => `protect-removed ${address}`),
  );
  expect((await run("plan", "--fail-on", "weakens")).code).toBe(1);
  expect((await run("apply", "--yes")).code).toBe(0);
  expect(JSON.parse((await run("plan", "--format", "json")).out).actions).toEqual([]);
});
