import { describe, expect, test } from "vitest";
import { createMemoryStore } from "../plan/memory-store.js";
import { JournalWriter, parseJournal, type JournalRecord } from "../../src/core/state/journal.js";
import { emptyLock, parseLock, renderLock, type Lock } from "../../src/core/state/lock.js";
import { renderMove } from "../../src/core/state/lock-move.js";
import { JournalSealer, openState, sealLock, type SealKey } from "../../src/core/state/seal.js";
import { StateSealError, type LockHistory, type LockStore } from "../../src/core/state/lock-store.js";
import { Secret } from "../../src/service/secret.js";
import { readPast } from "../../src/sync/around/newest-state.js";
import { SealedStore } from "../../src/store/seal/sealed-store.js";
import { findSealKey } from "../../src/store/seal/seal-key.js";

const owner = { workspace: "desk", environment: "production" };

function keyOf(text: string): SealKey {
  const { key } = findSealKey("${env:SEAL}", () => new Secret(text));
  if (!key) throw new Error("no key");
  return key;
}

const key = keyOf("k".repeat(32));
const other = keyOf("o".repeat(32));

const lock: Lock = {
  ...emptyLock(owner, "l1"),
  serial: 3,
  writes: "w3 w2 w1",
  resources: { "agent:support": { id: "A1", body: { name: "Support" }, digest: "sha256:0" } },
};
const text = renderLock(lock);
const sealed = sealLock(text, owner, key);

const verdict = (of: string | null, journal: string | null = null, by: SealKey | undefined = key) =>
  openState({ lock: of, journal }, owner, by).seal;

describe("a sealed lock", () => {
  test("is the same lock without its seal, and parsed without it", () => {
    expect(openState({ lock: sealed, journal: null }, owner, key)).toEqual({
      lock: text,
      journal: null,
      seal: "right",
    });
    expect(parseLock(sealed, "agentform.lock", owner)).toEqual({ ok: true, lock });
  });

  test("is told from one without a seal, of another key, and from one that was changed", () => {
    expect(verdict(text)).toBe("missing");
    expect(verdict(sealed, null, other)).toBe("wrong");
    expect(openState({ lock: sealed, journal: null }, owner, undefined).seal).toBe("unverified");
    expect(verdict(sealed.replace('"A1"', '"A2"'))).toBe("wrong");
    expect(verdict(sealed.replace('"serial": 3', '"serial": 4'))).toBe("wrong");
    expect(verdict(sealed.replace('"lineage": "l1"', '"lineage": "l2"'))).toBe("wrong");
    expect(verdict(sealed.replace(/hmac-sha256:[0-9a-f]+/, "hmac-sha256:00"))).toBe("wrong");
    expect(verdict(sealed.replace(/hmac-sha256/, "none"))).toBe("wrong");
  });

  test("is that of one environment of one workspace, also where its text says so", () => {
    const elsewhere = { workspace: "desk", environment: "staging" };
    const moved = sealed.replace('"production"', '"staging"');
    expect(openState({ lock: moved, journal: null }, elsewhere, key).seal).toBe("wrong");
    const foreign = sealed.replace('"desk"', '"other"');
    expect(openState({ lock: foreign, journal: null }, { ...owner, workspace: "other" }, key).seal).toBe(
      "wrong",
    );
  });

  test("keeps its seal through other line ends and another way of writing the same", () => {
    expect(verdict(sealed.replaceAll("\n", "\r\n"))).toBe("right");
    expect(verdict(JSON.stringify(JSON.parse(sealed), null, 4))).toBe("right");
    expect(verdict(JSON.stringify(JSON.parse(sealed.replace('"A1"', '"A2"')), null, 4))).toBe("wrong");
  });

  test("has one seal, and a second changes nothing", () => {
    const twice = sealed.replace('\n  "serial"', `\n  "seal": "hmac-sha256:${"0".repeat(64)}",\n  "serial"`);
    const opened = openState({ lock: twice, journal: null }, owner, key);
    expect(parseLock(twice, "", owner).ok).toBe(false);
    expect([opened.seal, parseLock(opened.lock ?? "", "", owner)]).toEqual(["right", { ok: true, lock }]);
  });

  test("what takes its place while it moves is sealed, too", () => {
    const { lineage, serial, writes } = lock;
    const mark = renderMove({ ...owner, lineage, serial, writes, to: { store: "git" } });
    const sealedMark = sealLock(mark, owner, key);
    expect([verdict(mark), verdict(sealedMark)]).toEqual(["missing", "right"]);
    expect(verdict(sealedMark.replace('"git"', '"s3"'))).toBe("wrong");
  });
});

const header = {
  type: "header",
  format: "agentform/journal/v1",
  ...owner,
  lineage: "l1",
  serial: 3,
  after: "w3",
  write: "w4",
  service: { base_url: "https://agents.example.com" },
} as const;

const begin = (n: number): JournalRecord => ({
  type: "begin",
  n,
  address: `agent:a${n}`,
  operation: "create",
  time: "2026-01-01T00:00:00.000Z",
  method: "POST",
  path: "/v3/agents/",
  body: { name: `a${n}` },
  digest: "sha256:0",
});

function journalOf(lines: number, by: SealKey | null = key): string {
  const writer = new JournalWriter();
  const sealer = by && new JournalSealer(owner, by);
  const records = [header, ...Array.from({ length: lines }, (_, index) => begin(index + 1))];
  return records
    .map((record) => writer.render(record))
    .map((line) => sealer?.seal(line) ?? line)
    .join("");
}

const recordsIn = (journal: string | null): number => {
  const parsed = parseJournal(journal ?? "", "");
  return parsed.ok ? parsed.records.length : -1;
};

describe("a sealed journal", () => {
  const whole = journalOf(3);

  test("is read with its seals as without them", () => {
    expect(verdict(sealed, whole)).toBe("right");
    expect(recordsIn(openState({ lock: sealed, journal: whole }, owner, key).journal)).toBe(3);
    expect(recordsIn(whole)).toBe(3);
    expect(openState({ lock: sealed, journal: whole }, owner, undefined).seal).toBe("unverified");
  });

  test("cut off anywhere is right, as far as its lines are whole", () => {
    let at = 0;
    for (let end = 0; end <= whole.length; end++) {
      const cut = whole.slice(0, end);
      const opened = openState({ lock: sealed, journal: cut }, owner, key);
      expect(opened.seal, String(end)).toBe("right");
      const complete = recordsIn(opened.journal);
      expect(complete).toBeGreaterThanOrEqual(at);
      at = complete;
      // Who has no key, or does not look for seals at all, comes to the same end.
      const without = recordsIn(openState({ lock: sealed, journal: cut }, owner, undefined).journal);
      expect([without, recordsIn(cut)], String(end)).toEqual([complete, complete]);
    }
    expect(at).toBe(3);
  });

  test("is wrong with a line that somebody else wrote, in the middle, at the end, and of another key", () => {
    const lines = whole.split("\n").slice(0, -1);
    const forged = journalOf(3, other).split("\n").slice(0, -1);
    const joined = (all: readonly (string | undefined)[]) => `${all.join("\n")}\n`;
    expect(verdict(sealed, joined([...lines.slice(0, 2), forged[2], lines[3]]))).toBe("wrong");
    expect(verdict(sealed, joined([...lines.slice(0, 3), forged[3]]))).toBe("wrong");
    expect(verdict(sealed, journalOf(3, other))).toBe("wrong");
    expect(verdict(sealed, journalOf(3, null))).toBe("missing");
    // A line of our own journal, and one without a seal behind it.
    const bare = journalOf(3, null).split("\n");
    expect(verdict(sealed, joined([...lines.slice(0, 3), bare[3]]))).toBe("missing");
    // A line that is left out breaks the chain of the checksums, and is refused as damage is.
    const gap = joined([lines[0], lines[1], lines[3]]);
    expect(recordsIn(openState({ lock: sealed, journal: gap }, owner, key).journal)).toBe(1);
  });

  test("a last line without an end and a seal is torn, and read by nobody", () => {
    const unsealed = journalOf(3, null).split("\n")[3] ?? "";
    const journal = `${whole.split("\n").slice(0, 3).join("\n")}\n${unsealed}`;
    const opened = openState({ lock: sealed, journal }, owner, key);
    expect([opened.seal, recordsIn(opened.journal), recordsIn(journal)]).toEqual(["right", 2, 2]);
  });

  test("is read past a line without a seal that others follow, so that no ID is lost", () => {
    const [first, second, ...rest] = journalOf(3, null).split("\n");
    const [ofFirst, ofSecond] = whole.split("\n");
    expect([ofFirst, ofSecond].map((line) => line?.slice(0, -65))).toEqual([first, second]);
    expect(recordsIn([ofFirst, ofSecond, ...rest].join("\n"))).toBe(3);
  });

  test("of another environment is wrong", () => {
    const writer = new JournalWriter();
    const sealer = new JournalSealer({ ...owner, environment: "staging" }, key);
    expect(verdict(sealed, sealer.seal(writer.render(header)))).toBe("wrong");
  });
});

describe("a key", () => {
  test("is refused if it is short, and told if it is missing", () => {
    const texts = [undefined, " \n".repeat(32), "short"];
    const found = texts.map((each) =>
      findSealKey("${env:SEAL}", () => (each === undefined ? each : new Secret(each))),
    );
    expect(found.map(({ key: none }) => none)).toEqual(texts.map(() => undefined));
    expect(found.map((each) => (each.key ? "" : each.why.message))).toEqual([
      "${env:SEAL}, the key of the seal, is not set",
      "${env:SEAL}, the key of the seal, is not set",
      "${env:SEAL}, the key of the seal, has fewer than 32 characters",
    ]);
  });
});

test.each([
  [key, ["right", "missing", "wrong"]],
  [undefined, ["unverified", "missing", "unverified"]],
] as const)("a kept version is given with what its seal says", async (by, verdicts) => {
  const kept = [sealed, text, sealLock(text, owner, other)];
  const at = async (serial: number) => (kept[serial] === undefined ? null : { text: kept[serial] });
  const inner = { lockName: "agentform.lock", history: { at } } as unknown as LockStore;
  const found = by ? { key: by } : { why: new StateSealError("seal-key", "no key", "set it") };
  const store = new SealedStore(inner, owner, { found, check: "if-possible" });
  const given = await Promise.all([0, 1, 2, 3].map(async (serial) => await store.history?.at(serial)));
  expect(given).toEqual([...verdicts.map((seal) => ({ text, seal })), null]);
});

test.each([
  ["right", 1],
  ["unverified", 1],
  ["missing", 0],
  ["wrong", 0],
  [undefined, 1],
] as const)("a kept version of which the seal is %s counts %i times", async (seal, times) => {
  const found = { serial: 3, text, seal };
  const history: LockHistory = {
    at: async () => found,
    versions: async () => [],
    find: async (accepts) => (accepts(text, seal) ? found : undefined),
  };
  expect(await readPast({ history }, { version: null, lock: null, newest: 3 }, owner)).toHaveLength(times);
});

test("a sealed store asks its medium who holds it, and seals a journal behind a new lock from its first line", async () => {
  const medium = createMemoryStore(sealed);
  const asked: boolean[] = [];
  const confirm = async (hasWaited: boolean) => void asked.push(hasWaited);
  const store = new SealedStore({ ...medium, confirm }, owner, { found: { key }, check: "needed" });
  await store.acquire();
  const append = async () => {
    store.append(new JournalWriter().render(header));
    await store.flush();
    return (await store.read()).seal;
  };
  await store.confirm(true);
  expect(asked).toEqual([true]);
  expect(await append()).toBe("right");
  await store.replace(text, (await store.read()).version);
  expect(await append()).toBe("right");
});
