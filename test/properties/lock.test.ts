import { fc } from "../harness/property.js";
import { expect, test } from "vitest";
import {
  JournalWriter,
  parseJournal,
  type JournalHeader,
  type JournalRecord,
} from "../../src/core/journal.js";
import type { JsonObject } from "../../src/core/json.js";
import { emptyLock, parseLock, renderLock, type Lock } from "../../src/core/lock.js";
import { hash } from "../plan/world.js";

const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }));
const body = fc
  .dictionary(text, fc.jsonValue({ depthSize: "small", stringUnit: "binary" }))
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);
const references = fc.dictionary(text, fc.oneof(text, fc.array(text)));
const id = fc.string({ minLength: 1 });
const address = fc.stringMatching(/^(policy|toolset|credential|agent):[a-z0-9]([a-z0-9._-]{0,12}[a-z0-9])?$/);

const entry = fc.record(
  {
    id,
    ids: fc.array(id),
    tools: fc.dictionary(text, id),
    body,
    references,
    digest: text,
    file: text,
    protect: fc.boolean(),
    adopted: fc.oneof(id, fc.array(id)),
    moved_from: fc.array(text),
    uncertain: fc.boolean(),
    attempted: body,
  },
  { requiredKeys: ["body", "digest"] },
);

const lock: fc.Arbitrary<Lock> = fc
  .record({
    serial: fc.nat(),
    resources: fc.dictionary(address, entry),
    retired: fc.dictionary(
      text,
      fc.record({ address, reason: fc.constantFrom("replaced" as const, "forgotten" as const), body }),
    ),
    unknown: fc.dictionary(
      address,
      fc.record({
        operation: fc.constantFrom("create" as const, "replace" as const),
        since: text,
        method: text,
        path: text,
        body,
        digest: text,
      }),
    ),
  })
  .map((members) => ({ ...emptyLock({ workspace: "test", environment: null }, "lineage"), ...members }));

test("a lock that was rendered is parsed as itself", () => {
  fc.assert(
    fc.property(lock, (made) => {
      const rendered = renderLock(made);
      const parsed = parseLock(rendered, "agentform.lock", { workspace: "test", environment: null });
      expect(parsed).toEqual(made);
      expect(renderLock(parsed as Lock)).toBe(rendered);
    }),
    { numRuns: 100 },
  );
});

test("a lock that is cut off anywhere is refused", () => {
  fc.assert(
    fc.property(lock, fc.nat(), (made, choice) => {
      const rendered = renderLock(made).trimEnd();
      const parsed = parseLock(rendered.slice(0, choice % rendered.length), "agentform.lock", {
        workspace: "test",
        environment: null,
      });
      expect(parsed).toMatchObject([{ severity: "error" }]);
    }),
    { numRuns: 100 },
  );
});

const header: JournalHeader = {
  type: "header",
  format: "agentform/journal/v1",
  workspace: "test",
  environment: null,
  lineage: "lineage",
  serial: 3,
  service: { base_url: "https://agents.example.com" },
};

const record: fc.Arbitrary<JournalRecord> = fc.oneof(
  fc.record({
    type: fc.constant("begin" as const),
    n: fc.nat(),
    address,
    operation: fc.constantFrom("create" as const, "replace" as const, "update" as const),
    time: text,
    method: text,
    path: text,
    body,
    digest: text,
  }),
  fc.record({ type: fc.constant("done" as const), n: fc.nat(), id }),
  fc.record({ type: fc.constant("rejected" as const), n: fc.nat(), message: text, answer: text }),
  fc.record({ type: fc.constant("forget" as const), address }),
  fc.record({ type: fc.constant("entry" as const), address, entry }),
  fc.record({ type: fc.constant("resolved" as const), address }),
);

function render(records: readonly JournalRecord[]): string {
  const writer = new JournalWriter(hash);
  return [header, ...records].map((each) => writer.render(each)).join("");
}

test("a journal is read as it was written, and cut off anywhere it gives the records before the cut", () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 6 }), fc.nat(), (records, choice) => {
      const written = render(records);
      expect(parseJournal(written, "journal", hash)).toEqual({ header, records });
      const cut = choice % (written.length + 1);
      const whole = written.slice(0, cut).split("\n").length - 1;
      const expected = whole === 0 ? { records: [] } : { header, records: records.slice(0, whole - 1) };
      expect(parseJournal(written.slice(0, cut), "journal", hash)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test("a byte that flipped before the last line is found, wherever it is", () => {
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      fc.nat(6),
      (records, choice, bit) => {
        const written = Buffer.from(render(records));
        const lastLine = written.lastIndexOf(10, written.length - 2) + 1;
        const at = choice % lastLine;
        written[at] = (written[at] ?? 0) ^ (1 << bit);
        expect(parseJournal(written.toString("utf8"), "journal", hash)).toMatchObject([
          { code: "journal-damaged" },
        ]);
      },
    ),
    { numRuns: 400 },
  );
});

test("the line end before the last line is no exception", () => {
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 1, maxLength: 3 }),
      fc.constantFrom("", " ", "\u000b", "J"),
      (records, end) => {
        const written = render(records);
        const at = written.lastIndexOf("\n", written.length - 2);
        const joined = written.slice(0, at) + end + written.slice(at + 1);
        expect(parseJournal(joined, "journal", hash)).toMatchObject([{ code: "journal-damaged" }]);
      },
    ),
    { numRuns: 100 },
  );
});
