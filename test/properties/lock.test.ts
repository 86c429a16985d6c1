import { idKey } from "../../src/core/kind/id.js";
import { anyCharacter, examples, fc } from "../harness/property.js";
import { expect, test } from "vitest";
import type { JournalHeader } from "../../src/generated/journal.js";
import { JournalWriter, parseJournal, type JournalRecord } from "../../src/core/state/journal.js";
import { isId } from "../../src/core/kind/id.js";
import { equal, isObject, type Json, type JsonObject } from "../../src/json/json.js";
import { lockChanges, layEditsOver, type StateChange } from "../../src/core/plan/lock-changes.js";
import { emptyLock, parseLock, type Lock } from "../../src/core/state/lock.js";
import { lockText } from "../harness/lock-text.js";

const text = fc.oneof(fc.string(), fc.string({ unit: anyCharacter }));
const body = fc
  .dictionary(text, fc.jsonValue({ depthSize: "small", stringUnit: anyCharacter }))
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);
const reference = text.map((each) => `toolset:helpdesk/${each}`);
const references = fc.dictionary(reference, fc.oneof(text, fc.array(text)));
const id = fc.string({ minLength: 1 }).filter(isId);
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
    attempted: fc.array(fc.record({ body })),
  },
  { requiredKeys: ["body", "digest"] },
);

const lock: fc.Arbitrary<Lock> = fc
  .record({
    serial: fc.nat(),
    resources: fc.dictionary(address, entry),
    retired: fc
      .dictionary(
        id,
        fc.record({ address, reason: fc.constantFrom("replaced" as const, "forgotten" as const), body }),
      )
      .map((objects) =>
        Object.fromEntries(
          Object.entries(objects).map(([each, object]) => [idKey(object.address, each), object]),
        ),
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
  .map((members) => ({
    ...emptyLock({ workspace: "test", environment: null }, "lineage"),
    writes: "w1",
    ...members,
  }));

test("a lock that was rendered is parsed as itself", () => {
  fc.assert(
    fc.property(lock, (made) => {
      const rendered = lockText(made);
      const parsed = parseLock(rendered, "agentform.lock", { workspace: "test", environment: null });
      expect(parsed).toEqual({ ok: true, lock: made });
      expect(parsed.ok && lockText(parsed.lock)).toBe(rendered);
    }),
    { numRuns: examples(100) },
  );
});

test("a lock that is cut off anywhere is refused", () => {
  fc.assert(
    fc.property(lock, fc.nat(), (made, choice) => {
      const rendered = lockText(made).trimEnd();
      const parsed = parseLock(rendered.slice(0, choice % rendered.length), "agentform.lock", {
        workspace: "test",
        environment: null,
      });
      expect(parsed).toMatchObject({ problems: [{ severity: "error" }] });
    }),
    { numRuns: examples(100) },
  );
});

const header: JournalHeader = {
  type: "header",
  format: "agentform/journal/v1",
  workspace: "test",
  environment: null,
  lineage: "lineage",
  serial: 3,
  write: "w1",
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
  const writer = new JournalWriter();
  return [header, ...records].map((each) => writer.render(each)).join("");
}

test("a journal is read as it was written, and cut off anywhere it gives the records before the cut", () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 6 }), fc.nat(), (records, choice) => {
      const written = render(records);
      expect(parseJournal(written, "journal")).toEqual({ ok: true, header, records });
      const cut = choice % (written.length + 1);
      // A record counts without the end of its line.
      const whole = `${written.slice(0, cut)}${written[cut] === "\n" ? "\n" : ""}`.split("\n").length - 1;
      const expected = whole === 0 ? { records: [] } : { header, records: records.slice(0, whole - 1) };
      expect(parseJournal(written.slice(0, cut), "journal")).toEqual({ ok: true, ...expected });
    }),
    { numRuns: examples(300) },
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
        expect(parseJournal(written.toString("utf8"), "journal")).toMatchObject({
          problems: [{ code: "journal-damaged" }],
        });
      },
    ),
    { numRuns: examples(400) },
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
        expect(parseJournal(joined, "journal")).toMatchObject({ problems: [{ code: "journal-damaged" }] });
      },
    ),
    { numRuns: examples(100) },
  );
});

/** Replaces, removes or adds one value, wherever the choices lead. */
function edited(value: Json, choices: readonly number[], given: Json): Json {
  const [choice = 0, ...more] = choices;
  const isList = Array.isArray(value);
  if (more.length === 0 || (!isList && !isObject(value))) return given;
  const keys = [...Object.keys(value), isList ? String(value.length) : "another"];
  const key = keys[choice % keys.length] ?? "";
  const pairs: [string, Json][] = Object.entries(value);
  const at = pairs.findIndex(([name]) => name === key);
  const isGone = more.length === 1 && at !== -1 && (more[0] ?? 0) % 3 === 0;
  const next = isGone ? [] : [[key, edited(pairs[at]?.[1] ?? null, more, given)] as [string, Json]];
  pairs.splice(at === -1 ? pairs.length : at, 1, ...next);
  return isList ? pairs.map(([, item]) => item) : Object.fromEntries(pairs);
}

const edit = fc.tuple(
  fc.array(fc.nat(), { minLength: 2, maxLength: 7 }),
  fc.oneof(
    fc.jsonValue({ depthSize: "small", stringUnit: anyCharacter }).map((value) => value as Json),
    text,
    fc.constantFrom("[1]", "${policy:strict}"),
  ),
);

// As a file has it: `undefined` and minus zero are nothing that JSON tells apart.
const plain = (value: unknown): Lock => JSON.parse(JSON.stringify(value)) as Lock;
const isLock = (value: unknown): boolean =>
  isObject(value) && ["resources", "retired", "unknown"].every((table) => isObject(value[table]));
const withoutSerial = ({ serial: _serial, ...rest }: Lock): Json => rest as unknown as Json;

test("no edit of a lock goes unseen, and what is not edited gives no change", () => {
  fc.assert(
    fc.property(lock, edit, (made, [choices, given]) => {
      const before = plain(made);
      const after = plain(edited(before as unknown as Json, choices, given));
      if (!isLock(after)) return;
      const isSame = equal(withoutSerial(before), withoutSerial(after));
      const changes = lockChanges(before, after);
      expect(changes.length === 0).toBe(isSame);
      for (const change of changes) expect(change.changes.length).toBeGreaterThan(0);
      expect(lockChanges(before, plain(renderedAgain(before)))).toEqual([]);
    }),
    { numRuns: examples(300) },
  );
});

function renderedAgain(made: Lock): unknown {
  return JSON.parse(lockText(made));
}

test("a merge has the edits of both sides, or says where they clash", () => {
  fc.assert(
    fc.property(lock, edit, edit, (made, [choices, given], [others, other]) => {
      const fork = plain(made);
      const own = plain(edited(fork as unknown as Json, choices, given));
      const base = plain(edited(fork as unknown as Json, others, other));
      if (!isLock(own) || !isLock(base)) return;
      const merged = layEditsOver(base, fork, own);
      const [mine, theirs] = [lockChanges(fork, own), lockChanges(fork, base)];
      const both = mine.filter(({ part, key, after }) =>
        theirs.some((each) => each.part === part && each.key === key && each.after !== after),
      );
      expect(merged.ok ? 0 : merged.clashes.length).toBe(both.length);
      if (!merged.ok) return;
      const isTheirs = (change: StateChange) =>
        theirs.some(({ part, key }) => part === change.part && key === change.key);
      expect(lockChanges(base, merged.lock)).toEqual(mine.filter((change) => !isTheirs(change)));
      expect(layEditsOver(fork, fork, own)).toEqual({
        ok: true,
        lock: { ...own, serial: Math.max(own.serial, fork.serial) },
      });
    }),
    { numRuns: examples(150) },
  );
});
