import { expect, test } from "vitest";
import {
  JournalWriter,
  parseJournal,
  type JournalHeader,
  type JournalRecord,
} from "../../../src/core/state/journal.js";
import { hash } from "../../plan/world.js";

const header: JournalHeader = {
  type: "header",
  format: "agentform/journal/v1",
  workspace: "test",
  environment: null,
  lineage: "lineage",
  serial: 0,
  service: { base_url: "https://agents.example.com" },
};
const done: JournalRecord = { type: "done", n: 1, id: "1" };
const forget: JournalRecord = { type: "forget", address: "agent:a" };

function render(...records: (JournalHeader | JournalRecord)[]): string {
  const writer = new JournalWriter(hash);
  return records.map((record) => writer.render(record)).join("");
}

test("an empty journal has no header and no records", () => {
  expect(parseJournal("", "journal", hash)).toEqual({ records: [] });
});

test("a journal whose first line was torn is as good as empty", () => {
  expect(parseJournal(render(header).slice(0, 30), "journal", hash)).toEqual({ records: [] });
});

test("a last line that is broken although it ends is a torn one", () => {
  const text = render(header, done, forget);
  const torn = `${text.slice(0, -20)}\u0000\u0000\n`;
  expect(parseJournal(torn, "journal", hash)).toEqual({ header, records: [done] });
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
    expect(parseJournal(`${order.join("\n")}\n`, "journal", hash)).toMatchObject([
      { code: "journal-damaged" },
    ]);
  }
});

test("the place of a broken line is named", () => {
  const text = render(header, done, forget);
  const at = text.indexOf('"n":1');
  const broken = `${text.slice(0, at)}"n":2${text.slice(at + 5)}`;
  expect(parseJournal(broken, "journal", hash)).toMatchObject([
    {
      message: "line 2 of the journal is damaged",
      place: { file: "journal", offset: text.indexOf("\n") + 1 },
    },
  ]);
});

test("a journal that does not begin with its header is refused", () => {
  expect(parseJournal(render(done, forget), "journal", hash)).toMatchObject([{ code: "journal-damaged" }]);
});

test("a record of a sort that is unknown is refused before others", () => {
  const strange = { ...forget, type: "strange" as "forget" };
  expect(parseJournal(render(header, strange, done), "journal", hash)).toMatchObject([
    { code: "journal-damaged" },
  ]);
});
