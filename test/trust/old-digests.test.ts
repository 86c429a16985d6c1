import { describe, expect, test } from "vitest";
import { isObject, type Json, type JsonObject } from "../../src/json/json.js";
import { bodyDigest, type LockEntry } from "../../src/core/state/lock.js";
import { hash } from "../../src/digest.js";
import { openDesk, documents, type Desk } from "../cli/desk.js";

/** Cuts the digests of an outline to 64 bits, as older versions kept them. */
function cut(value: Json): Json {
  if (typeof value === "string") return /^[0-9a-f]{64}$/.test(value) ? value.slice(0, 16) : value;
  if (Array.isArray(value)) return value.map(cut);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cut(member)]));
}

const lockFile = "agentform.lock";

/** A desk that an older version applied: its tool set has described operations, and short digests in the lock. */
async function appliedLongAgo(): Promise<{
  readonly desk: Desk;
  readonly described: (text: string) => string;
}> {
  const described = (text: string) =>
    (documents["toolsets/desk.yaml"] ?? "").replaceAll(
      '"responses":{}',
      `"summary":"${text}","responses":{}`,
    );
  const desk = await openDesk();
  desk.workspace.write({ "toolsets/desk.yaml": described("Lists") });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const lock = JSON.parse(desk.workspace.read(lockFile)) as { resources: Record<string, LockEntry> };
  const entry = lock.resources["toolset:desk"];
  if (!entry) throw new Error("the tool set is in the lock");
  const body = cut(entry.body) as JsonObject;
  expect(body).not.toEqual(entry.body);
  lock.resources["toolset:desk"] = { ...entry, body, digest: bodyDigest(body, hash) };
  desk.workspace.write({ [lockFile]: `${JSON.stringify(lock, null, 2)}\n` });
  return { desk, described };
}

function digestsIn(desk: Desk): string[] {
  return desk.workspace.read(lockFile).match(/"description": "[0-9a-f]+"/g) ?? [];
}

describe("a lock with short digests", () => {
  test("shows no change where nothing changed, and says what it was compared with", async () => {
    const { desk } = await appliedLongAgo();
    const { out, err } = await desk.run("plan");
    expect(out).toContain("toolset:desk");
    expect(out).toContain("short digests of an older version");
    expect(out + err).toContain("lock-old-digests");
    const plan = JSON.parse((await desk.run("plan", "--format", "json")).out) as {
      summary: object;
      actions: readonly { action: string; changes: readonly unknown[]; requests?: readonly unknown[] }[];
    };
    expect(plan.summary).toMatchObject({ record: 1, update: 0, replace: 0 });
    expect(plan.actions).toMatchObject([{ action: "record", changes: [] }]);
    expect(plan.actions[0]?.requests ?? []).toEqual([]);
  });

  test("has whole ones after the next apply, without a request", async () => {
    const { desk } = await appliedLongAgo();
    const { length } = desk.emulator.requests;
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    expect(desk.emulator.requests).toHaveLength(length);
    expect(digestsIn(desk)).toHaveLength(2);
    for (const digest of digestsIn(desk)) expect(digest).toMatch(/"[0-9a-f]{64}"$/);
    expect((await desk.run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  test("shows a change of what it had, and says with what it was compared", async () => {
    const { desk, described } = await appliedLongAgo();
    desk.workspace.write({ "toolsets/desk.yaml": described("Lists all") });
    const { out } = await desk.run("plan");
    expect(out).toContain("openapi_schema.operations[GET /tickets].description");
    expect(out).toContain("short digests of an older version");
    expect(out).toContain("-/+ toolset:desk");
  });
});

test("what decides that two things are equal has 256 bits in a new lock", async () => {
  const desk = await openDesk();
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const lock = desk.workspace.read(lockFile).replaceAll(/"writes?": "[^"]*"/g, "");
  const found = lock.match(/"(?:sha256:)?[0-9a-f]{16,}"/g) ?? [];
  expect(found.length).toBeGreaterThan(4);
  for (const digest of found) expect(digest).toMatch(/^"(?:sha256:)?[0-9a-f]{64}"$|^"[0-9a-f]{24}"$/);
});
