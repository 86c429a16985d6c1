import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { documents, openDesk } from "./desk.js";

const triage = documentText("Agent", "triage", { name: "Triage" });
const set = documents["toolsets/desk.yaml"] ?? "";

/** What a plan says of a document that comes back after its removal was applied. */
async function hintFor(file: string, text: string, ...options: readonly string[]): Promise<string> {
  const { workspace, run } = await openDesk({ [file]: text });
  expect(await run("apply", "--yes", ...options)).toMatchObject({ code: 0 });
  workspace.remove(file);
  expect(await run("apply", "--yes", ...options)).toMatchObject({ code: 0 });
  workspace.write({ [file]: text });
  const { code, err } = await run("plan", ...options);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining("error[retired-address]") as string,
  });
  return /= hint: (.*)/.exec(err)?.[1] ?? "";
}

test("a hint proposes to adopt with the IDs where it is known what they are of", async () => {
  expect(await hintFor("agents/triage.yaml", triage)).toMatch(
    /^take over what exists with `lifecycle: \{adopt: [0-9a-f]{24}\}`, or create a new one with/,
  );
});

test("of tools that may be any operation of a set, it leaves to say which is which", async () => {
  expect(await hintFor("toolsets/desk.yaml", set)).toBe(
    "take over what exists with `lifecycle: {adopt: [OPERATION=ID, …]}`, or create a new one with `--replace toolset:desk`",
  );
});

test("with the emulator, which does not adopt, it does not propose that", async () => {
  expect(await hintFor("agents/triage.yaml", triage, "--emulator")).toBe(
    "create a new one with `--replace agent:triage`",
  );
});
