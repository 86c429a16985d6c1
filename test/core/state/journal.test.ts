import { expect, test } from "vitest";
import type { JournalHeader } from "../../../src/generated/journal.js";
import {
  JournalWriter,
  parseJournal,
  soundPart,
  type JournalRecord,
} from "../../../src/core/state/journal.js";
import { emptyLock, parseLock } from "../../../src/core/state/lock.js";
import { lockText } from "../../harness/lock-text.js";
import { madeBy, replay } from "../../../src/core/state/replay.js";
import type { JournalLine } from "../../../src/generated/journal.js";
import { examples, fc } from "../../harness/property.js";
import { journalLines } from "../../schemas/journal-lines.js";
import { variants } from "../../schemas/variants.js";

const owner = { workspace: "test", environment: null };

const header: JournalHeader = {
  type: "header",
  format: "agentform/journal/v1",
  workspace: "test",
  environment: null,
  lineage: "lineage",
  serial: 0,
  write: "w1",
  service: { base_url: "https://agents.example.com" },
};
const done: JournalRecord = { type: "done", n: 1, id: "1" };
const forget: JournalRecord = { type: "forget", address: "agent:a" };

function render(...records: (JournalHeader | JournalRecord)[]): string {
  const writer = new JournalWriter();
  return records.map((record) => writer.render(record)).join("");
}

test("an empty journal has no header and no records", () => {
  expect(parseJournal("", "journal")).toEqual({ ok: true, records: [] });
});

test("a journal whose first line was torn is as good as empty", () => {
  expect(parseJournal(render(header).slice(0, 30), "journal")).toEqual({ ok: true, records: [] });
});

const create = { address: "agent:a", method: "POST", path: "/", body: {}, digest: "d", time: "t" } as const;

test("of a damaged journal, header, claims and beginnings behind the damage count", () => {
  const claim: JournalRecord = { type: "claim", creates: [{ ...create, operation: "create" }] };
  const begin: JournalRecord = { type: "begin", n: 1, operation: "create", ...create };
  const text = `zeros\nmore\n${render(header, claim, begin, done)}`;
  expect(soundPart(text)).toEqual({ header, records: [claim, begin] });
});

test("what a journal without its first line made has a name of its own, the same each time", () => {
  const nameOf = (n: number) =>
    madeBy({ records: [{ type: "begin", n, operation: "create", ...create }] }, emptyLock(owner, "lineage"))
      ?.writes;
  expect([nameOf(1) === nameOf(1), nameOf(1) === nameOf(2), nameOf(1)?.length]).toEqual([true, false, 16]);
});

test("a last line that is broken although it ends is a torn one", () => {
  const text = render(header, done, forget);
  const torn = `${text.slice(0, -20)}\u0000\u0000\n`;
  expect(parseJournal(torn, "journal")).toEqual({ ok: true, header, records: [done] });
});

test("a record counts without the end of its line, and none is lost with the ends of lines", () => {
  const text = render(header, done, forget);
  expect(parseJournal(text.slice(0, -1), "journal")).toEqual({ ok: true, header, records: [done, forget] });
  for (const changed of [
    text.replaceAll("\n", ""),
    text.replaceAll("\n", "\r"),
    text.replaceAll("\n", " "),
    text.slice(0, text.indexOf("\n")).concat("\r"),
    `${text.slice(0, -1)}\r`,
  ]) {
    expect(parseJournal(changed, "journal")).toMatchObject({ problems: [{ code: "journal-damaged" }] });
  }
});

test("a line that was taken out, moved or put in is found", () => {
  const lines = render(header, done, forget).split("\n");
  const [first = "", second = "", third = ""] = lines;
  for (const order of [
    [first, third, second],
    [first, third, third],
    [second, third, first],
    [first, first, second],
  ]) {
    expect(parseJournal(`${order.join("\n")}\n`, "journal")).toMatchObject({
      problems: [{ code: "journal-damaged" }],
    });
  }
});

test("the place of a broken line is named", () => {
  const text = render(header, done, forget);
  const at = text.indexOf('"n":1');
  const broken = `${text.slice(0, at)}"n":2${text.slice(at + 5)}`;
  expect(parseJournal(broken, "journal")).toMatchObject({
    problems: [
      {
        message: "line 2 of the journal is damaged",
        place: { file: "journal", offset: text.indexOf("\n") + 1 },
      },
    ],
  });
});

test("a journal that does not begin with its header is refused", () => {
  expect(parseJournal(render(done, forget), "journal")).toMatchObject({
    problems: [{ code: "journal-damaged" }],
  });
});

test("a record of a sort that is unknown is refused before others", () => {
  const strange = { ...forget, type: "strange" as "forget" };
  expect(parseJournal(render(header, strange, done), "journal")).toMatchObject({
    problems: [{ code: "journal-damaged" }],
  });
});

test("every type of record is accepted", () => {
  const [first, ...records] = journalLines;
  expect(parseJournal(render(...journalLines), "journal")).toEqual({ ok: true, header: first, records });
});

test("what an accepted record puts into the lock can be read again", () => {
  let accepted = 0;
  const record = fc.integer({ min: 1, max: journalLines.length - 1 }).chain((index) => {
    return fc.oneof(fc.constant(journalLines[index]), fc.constantFrom(...variants(journalLines[index])));
  });
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 4 }), (strange) => {
      const lines = [header, ...journalLines.slice(1, 3), ...strange] as JournalLine[];
      const journal = parseJournal(render(...lines), "journal");
      if (!journal.ok) return;
      const replayed = replay({ ...emptyLock(owner, "lineage"), writes: "w1" }, journal, "journal");
      if (!replayed.ok) return;
      const { state } = replayed;
      state.settle();
      accepted += 1;
      expect(parseLock(lockText(state.lock), "agentform.lock", owner).ok).toBe(true);
    }),
    { numRuns: examples(1000) },
  );
  expect(accepted).toBeGreaterThan(10);
});

test.each<[string, object]>([
  ["an action", { type: "forget", address: "memory:a" }],
  ["a move", { type: "move", moves: [{ from: "agent:a", to: "memory:a" }] }],
  [
    "a claim",
    { type: "claim", creates: [], updates: [{ address: "memory:a", operation: "update", body: {} }] },
  ],
  [
    "a reference",
    {
      type: "entry",
      address: "agent:a",
      entry: { body: {}, digest: "sha256:1", references: { "memory:a/b": "m1" } },
    },
  ],
])("a kind that only a newer version has is told as such: in %s", (_what, record) => {
  const text = render(header, record as JournalRecord, done);
  const message = expect.stringContaining("is of the unknown kind `memory`");
  expect(parseJournal(text, "journal")).toMatchObject({ problems: [{ code: "lock-format", message }] });
});

test.each<[string, object]>([
  ["a member of a done record that is no part of an identity", { type: "done", n: 1, body: {} }],
  [
    "a tool set without an outline",
    {
      type: "entry",
      address: "toolset:a",
      entry: { body: { openapi_schema: { paths: {} } }, digest: "sha256:1" },
    },
  ],
  [
    "an entry with an ID that cannot be one",
    { type: "entry", address: "agent:a", entry: { id: "a\n1", body: {}, digest: "sha256:1" } },
  ],
  ["a tool with an ID that cannot be one", { type: "done", n: 1, ids: ["t1"], tools: { read: "t\n1" } }],
  [
    "an unknown outcome with an ID that cannot be one",
    { type: "unknown", n: 1, time: "t", method: "POST", path: "/", message: "m", ids: ["a\n1"] },
  ],
  [
    "a delete of an ID that cannot be one",
    { type: "delete", n: 1, address: "agent:a", id: "a\n1", time: "t", method: "DELETE", path: "/" },
  ],
])("refused: %s", (_what, record) => {
  const text = render(header, record as JournalRecord, done);
  expect(parseJournal(text, "journal")).toMatchObject({ problems: [{ code: "journal-damaged" }] });
});
