import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/json/json.js";
import { applyTo, noLock, planOf } from "../../plan/history.js";
import { examples, fc } from "../../harness/property.js";
import { pieceOf, workspaceOf, type Piece } from "../../plan/world.js";

type Keys = Readonly<Record<string, JsonObject>>;

/** A document that makes an agent for each key. */
function expanded(name: string, keys: Keys, lifecycle?: JsonObject): Piece {
  return {
    address: "agent:many",
    file: "agents/many.yaml",
    document: {
      apiVersion: "agentform/v1",
      kind: "Agent",
      metadata: { name },
      for_each: { ...keys },
      spec: { name: "${each:body}" },
      ...(lifecycle && { lifecycle }),
    },
  };
}

const agent = (name: string, body: string) => pieceOf(`agent:${name}`, { name: body });

async function tell(before: readonly Piece[], after: readonly Piece[]) {
  const lock = (await applyTo(noLock, planOf(workspaceOf(before), noLock).plan)).after;
  const { findings } = planOf(workspaceOf(after), lock);
  const told = findings.filter(({ code }) => code === "move-unmarked");
  return { lock, told, hints: told.map(({ hint }) => hint) };
}

test("each key gets its own old address", async () => {
  const keys = { de: { body: "German" }, fr: { body: "French" }, it: { body: "Italian" } };
  const { told, hints } = await tell(
    [expanded("old-${each:key}", { de: { body: "German" }, fr: { body: "French" } })],
    [expanded("new-${each:key}", keys, { protect: true })],
  );
  expect(told).toMatchObject([
    {
      message:
        "`agent:new-de` (and 1 more of its document) is new, and `agent:old-de`, which had an equal body, is gone",
      related: [
        { message: "`agent:new-de` was `agent:old-de`" },
        { message: "`agent:new-fr` was `agent:old-fr`" },
      ],
    },
  ]);
  expect(hints).toEqual([
    'if it was renamed, add `moved_from: "${each:from}"` under `lifecycle` in agents/many.yaml, and give each key its earlier address as `from`, or `from: []`: then its object keeps its ID',
  ]);
});

test("a mark by which another key moves is not written over", async () => {
  const before = [agent("old-de", "German"), agent("mid-fr", "French")];
  const marked = (keys: Keys, from: string) => [expanded("new-${each:key}", keys, { moved_from: from })];
  const { lock, hints } = await tell(
    before,
    marked({ de: { body: "German" }, fr: { body: "French" } }, "agent:old-${each:key}"),
  );
  expect(hints).toEqual([
    'if it was renamed, write `moved_from: "${each:from}"` under `lifecycle` in agents/many.yaml, and give each key its earlier address as `from`, or `from: []`: then its object keeps its ID',
  ]);
  const followed = marked(
    { de: { body: "German", from: "agent:old-de" }, fr: { body: "French", from: "agent:mid-fr" } },
    "${each:from}",
  );
  expect(planOf(workspaceOf(followed), lock).plan.actions).toMatchObject([
    { action: "record", from: "agent:old-de" },
    { action: "record", from: "agent:mid-fr" },
  ]);
});

const keys = ["de", "fr", "it", "a"];
const bodies = fc.constantFrom("one", "two", "three", "four", "five");
const old = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom("old-de", "old-fr", "old-it", "old-a", "desk", "new-it", "alpha"),
    body: bodies,
  }),
  { selector: ({ name }) => name, maxLength: 6 },
);
const staying = fc.subarray(["old-de", "old-fr", "old-it", "desk", "new-it"], { maxLength: 1 });
const now = fc.dictionary(fc.constantFrom(...keys), fc.record({ body: bodies }), { minKeys: 1 });

test("a hint that is followed moves what it names, and makes no mistake", async () => {
  const followed = fc.asyncProperty(old, staying, now, async (before, stays, entries) => {
    const kept = before.filter(({ name }) => stays.includes(name) && name !== "new-it");
    const rest = kept.map(({ name, body }) => agent(name, body));
    const { lock, told } = await tell(
      before.map(({ name, body }) => agent(name, body)),
      [expanded("new-${each:key}", entries), ...rest],
    );
    const [first, second] = told.filter(
      ({ related, address }) => related !== undefined || address !== undefined,
    );
    expect(second).toBeUndefined();
    const [, from] = /moved_from: "(.*?)"/.exec(first?.hint ?? "") ?? [];
    if (!first || from === undefined) return;
    const pairs = new Map<string, string>();
    for (const { message } of first.related ?? []) {
      const [, to = "", earlier = ""] = /^`(.*)` was `(.*)`$/.exec(message) ?? [];
      pairs.set(to, earlier);
    }
    const marked = Object.entries(entries).map(([key, entry]) => {
      return [key, { ...entry, from: pairs.get(`agent:new-${key}`) ?? [] }];
    });
    const document = expanded("new-${each:key}", Object.fromEntries(marked) as Keys, { moved_from: from });
    const { plan, findings } = planOf(workspaceOf([document, ...rest]), lock);
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
    for (const [to, earlier] of pairs) {
      expect(plan.actions.find(({ address }) => address === to)).toMatchObject({
        action: "record",
        from: earlier,
      });
    }
  });
  await fc.assert(followed, { numRuns: examples(200) });
});

test("one old address for all keys is an error that says how each key gets its own", async () => {
  const { lock } = await tell([agent("desk", "German")], []);
  const keys = { de: { body: "German" }, fr: { body: "French" } };
  const { findings } = planOf(
    workspaceOf([expanded("desk-${each:key}", keys, { moved_from: "agent:desk" })]),
    lock,
  );
  expect(
    findings.filter(({ code }) => code === "move-invalid").map(({ message, hint }) => ({ message, hint })),
  ).toEqual([
    {
      message: "`agent:desk` already moves to `agent:desk-de`",
      hint: 'give each key of `for_each` an address of its own: write `moved_from: "${each:from}"`, and `from: []` for a key where nothing moves',
    },
  ]);
});
