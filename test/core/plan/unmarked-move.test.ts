import { expect, test } from "vitest";
import { applyTo, noLock, planOf } from "../../plan/history.js";
import { examples, fc } from "../../harness/property.js";
import { runs, wholeTest } from "../../harness/tier.js";
import type { JsonObject } from "../../../src/json/json.js";
import { pieceOf, workspaceOf, type Piece } from "../../plan/world.js";

interface Document {
  readonly address: string;
  readonly body: string;
}

const document = fc.record({
  address: fc.constantFrom("agent:a", "agent:b", "agent:c", "agent:d", "policy:a", "policy:b", "policy:c"),
  body: fc.constantFrom("one", "two", "three"),
});
const documents = fc.uniqueArray(document, { selector: ({ address }) => address, maxLength: 7 });

function pieceFor({ address, body }: Document, from?: string): Piece {
  return pieceOf(address, { name: body }, from === undefined ? {} : { lifecycle: { moved_from: from } });
}

const written = /^if it was renamed, add `lifecycle: \{moved_from: (.*)\}` in/;

test("a rename that is told is one: with its line nothing is created and forgotten", async () => {
  const told = fc.asyncProperty(documents, documents, async (old, current) => {
    const fleet = workspaceOf(old.map((each) => pieceFor(each)));
    const lock = (await applyTo(noLock, planOf(fleet, noLock).plan)).after;
    const { findings } = planOf(workspaceOf(current.map((each) => pieceFor(each))), lock);
    const moves = new Map<string, string>();
    for (const { code, address, hint = "" } of findings) {
      const from = code === "move-unmarked" ? written.exec(hint)?.[1] : undefined;
      if (address !== undefined && from !== undefined) moves.set(address, from);
    }
    const isIn = (all: readonly Document[]) => (address: string) =>
      all.some((each) => each.address === address);
    const sameBody = (all: readonly Document[], { address, body }: Document) =>
      all.filter((each) => each.body === body && each.address.split(":")[0] === address.split(":")[0]);
    const come = current.filter(({ address }) => !isIn(old)(address));
    const gone = old.filter(({ address }) => !isIn(current)(address));
    const expected = come.flatMap((each) => {
      const [first, second] = sameBody(gone, each);
      return first && !second && sameBody(come, each).length === 1 ? [[each.address, first.address]] : [];
    });
    expect([...moves].toSorted()).toEqual(expected.toSorted());
    const marked = workspaceOf(current.map((each) => pieceFor(each, moves.get(each.address))));
    const after = planOf(marked, lock);
    for (const [to, from] of moves) {
      expect(after.plan.actions.find(({ address }) => address === to)?.action).toBe("record");
      expect(after.plan.actions.some(({ address }) => address === from)).toBe(false);
    }
  });
  await fc.assert(told, { numRuns: examples(200) });
});

test("a mark that leads to no entry does not hide that the object has another address by now", async () => {
  const apply = async (lock: typeof noLock, piece: Piece) =>
    (await applyTo(lock, planOf(workspaceOf([piece]), lock).plan)).after;
  const first = await apply(noLock, pieceFor({ address: "agent:a", body: "one" }));
  const lock = await apply(first, pieceFor({ address: "agent:b", body: "one" }, "agent:a"));
  const other = workspaceOf([pieceFor({ address: "agent:c", body: "one" }, "agent:a")]);
  expect(planOf(other, lock).findings.filter(({ code }) => code === "move-unmarked")).toMatchObject([
    {
      address: "agent:c",
      message: "`agent:c` is new, and `agent:b`, which had an equal body, is gone",
      hint: expect.stringMatching(
        /^if it was renamed, write `moved_from: \[agent:b, agent:a\]` under `lifecycle` in/,
      ),
    },
  ]);
});

test("a rename that is taken back is told, also with an edit", async () => {
  const apply = async (lock: typeof noLock, ...pieces: Piece[]) =>
    (await applyTo(lock, planOf(workspaceOf(pieces), lock).plan)).after;
  const first = await apply(noLock, pieceFor({ address: "agent:a", body: "one" }));
  const lock = await apply(first, pieceFor({ address: "agent:b", body: "two" }, "agent:a"));
  const back = { address: "agent:a", body: "one" };
  const toldOf = (at: typeof noLock, ...pieces: Piece[]) =>
    planOf(workspaceOf(pieces), at).findings.filter(({ code }) => code === "move-unmarked");
  const told = (piece: Piece) => toldOf(lock, piece);
  expect(told(pieceFor(back))).toMatchObject([
    {
      address: "agent:a",
      message: "`agent:a` is new, and `agent:b`, to which it was renamed before, is gone",
      hint: expect.stringMatching(written),
    },
  ]);
  expect(planOf(workspaceOf([pieceFor(back, "agent:b")]), lock).findings).toEqual([]);
  expect(told(pieceFor({ ...back, body: "two" }))).toHaveLength(1);
  // One more agent of the old name is none, nor is one that takes an object over.
  const kept = pieceFor({ address: "agent:b", body: "two" });
  expect(toldOf(lock, pieceFor(back), kept)).toEqual([]);
  expect(toldOf(await apply(lock, pieceFor(back), kept), pieceFor({ ...back, body: "three" }))).toEqual([]);
  const adopting = pieceOf(
    back.address,
    { name: back.body },
    { lifecycle: { adopt: "0123456789abcdef01234567" } },
  );
  expect(told(adopting)).toEqual([]);
});

test("a rename with an edit is told where the document is in the same file", async () => {
  const inFile = (address: string, body: string, lifecycle?: JsonObject) => ({
    ...pieceOf(address, { name: body }, lifecycle && { lifecycle }),
    file: "agents/desk.yaml",
  });
  const lock = (
    await applyTo(
      noLock,
      planOf(workspaceOf([inFile("agent:a", "one"), inFile("policy:a", "one")]), noLock).plan,
    )
  ).after;
  const toldOf = (...pieces: Piece[]) =>
    planOf(workspaceOf(pieces), lock).findings.filter(({ code }) => code === "move-unmarked");
  const policy = inFile("policy:a", "one");
  expect(toldOf(inFile("agent:b", "two"), policy)).toMatchObject([
    {
      address: "agent:b",
      message: "`agent:b` is new, and `agent:a`, which was in the same file, is gone",
      hint: expect.stringMatching(written),
    },
  ]);
  const elsewhere = pieceOf("agent:c", { name: "one" });
  expect(toldOf(inFile("agent:b", "two"), elsewhere, policy)).toMatchObject([{ address: "agent:c" }]);
  // Which of two it is cannot be told, and a policy would be replaced for its edit all the same.
  expect(toldOf(inFile("agent:b", "two"), inFile("agent:c", "three"), policy)).toEqual([]);
  expect(toldOf(inFile("agent:a", "one"), inFile("policy:b", "two"))).toEqual([]);
  expect(toldOf(inFile("agent:b", "two", { adopt: "0123456789abcdef01234567" }), policy)).toEqual([]);
});

wholeTest("of thousands the first hundred are told, with few addresses where many are alike", async () => {
  const count = runs("renamed resources", 400, 2000);
  const many = (word: string, body: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => pieceOf(`agent:${word}-${index}`, { name: body(index) }));
  const tell = async (body: (index: number) => string) => {
    const lock = (await applyTo(noLock, planOf(workspaceOf(many("old", body)), noLock).plan)).after;
    const { findings } = planOf(workspaceOf(many("new", body)), lock);
    return findings.filter(({ code }) => code === "move-unmarked");
  };
  const renamed = await tell(String);
  expect(renamed.length).toBe(101);
  expect(renamed.at(-1)?.message).toBe(
    `${(count - 100).toLocaleString("en")} more new resources have the body of one that is gone`,
  );
  expect((await tell(() => "same")).map(({ message }) => message)).toEqual([
    `${count.toLocaleString("en")} new resources and ${count.toLocaleString("en")} gone resources have equal bodies`,
  ]);
});
