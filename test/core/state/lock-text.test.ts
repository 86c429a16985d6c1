import { expect, test } from "vitest";
import { isObject, type Json, type JsonObject } from "../../../src/json/json.js";
import { isId } from "../../../src/core/kind/id.js";
import { emptyLock, parseLock, type Lock } from "../../../src/core/state/lock.js";
import { lockText } from "../../harness/lock-text.js";
import { withBodies, withoutBodies, type BareLock } from "../../../src/workspace/lock-cache.js";
import { examples, fc } from "../../harness/property.js";

const owner = { workspace: "test", environment: null };

const body = fc.jsonValue({ maxDepth: 3 }).map((value) => ({ name: "x", value }) as JsonObject);
const resources = fc
  .array(
    fc.record({
      address: fc.constantFrom(
        "policy:p",
        "agent:a",
        "agent:b-2",
        "agent:resources",
        "credential:c",
        ...Array.from({ length: 12 }, (_, index) => `toolset:t-${index}`),
      ),
      body,
      id: fc.string({ minLength: 1 }).filter(isId),
    }),
  )
  .map((entries): Lock["resources"] => {
    const resources = entries.map(({ address, ...entry }) => [address, { ...entry, digest: "sha256:0" }]);
    return Object.fromEntries(resources) as Lock["resources"];
  });
const retired = fc.dictionary(
  fc.constantFrom("agent#1", "66f1c0", "retired", "unknown"),
  body.map((value) => ({ address: "agent:a", reason: "replaced" as const, body: value })),
);
const unknown = fc.dictionary(
  fc.constantFrom("agent:a", "policy:unknown"),
  body.map((value) => ({
    operation: "create" as const,
    since: "2026-03-02T23:41:08.120Z",
    method: "POST",
    path: "/v3/agents/",
    body: value,
    digest: "sha256:0",
  })),
);
const locks = fc
  .record({ resources, retired, unknown })
  .map((tables): Lock => ({ ...emptyLock(owner, "lineage"), writes: "w1", ...tables }));

test("a lock says what its text says", () => {
  fc.assert(
    fc.property(locks, (lock) => {
      const text = lockText(lock);
      const parsed = parseLock(text, "agentform.lock", owner);
      expect(parsed).toEqual({ ok: true, lock: JSON.parse(text) as Lock });
      expect(parsed.ok && lockText(parsed.lock)).toBe(text);
    }),
  );
});

test("a lock is rendered as JSON is, with its keys sorted", () => {
  const sorted = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(sorted);
    if (!isObject(value)) return value;
    const keys = Object.keys(value).toSorted();
    return Object.fromEntries(keys.map((key) => [key, sorted(value[key] ?? null)]));
  };
  fc.assert(
    fc.property(locks, (lock) => {
      const plain = JSON.parse(JSON.stringify(lock)) as Json;
      expect(lockText(lock)).toBe(`${JSON.stringify(sorted(plain), null, 2)}\n`);
    }),
  );
});

test("a lock that was kept without its bodies is the same lock, however its text is indented", () => {
  const indents = fc.constantFrom(undefined, "", " ", 4, "\t");
  fc.assert(
    fc.property(locks, indents, (lock, indent) => {
      const text =
        indent === undefined ? lockText(lock) : JSON.stringify(JSON.parse(lockText(lock)), null, indent);
      const bare = withoutBodies(JSON.parse(text) as Lock);
      expect(Object.values(bare.resources).filter((entry) => "body" in entry)).toEqual([]);
      const kept = JSON.stringify(bare);
      const again = withBodies(JSON.parse(kept) as BareLock, text);
      expect(again).toEqual(JSON.parse(text));
      expect(lockText(again)).toBe(lockText(lock));
    }),
  );
});

test("the first and the last of many bodies are found in a text", () => {
  const entry = (index: number) => [
    `agent:a-${index}`,
    { id: `${index}`, digest: `sha256:${index}`, body: { name: `a-${index}`, nested: { "agent:a-1": {} } } },
  ];
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => entry(index)));
  const text = lockText({ ...emptyLock(owner, "l"), writes: "w1", resources: many as Lock["resources"] });
  for (const reading of [["agent:a-0"], ["agent:a-39", "agent:a-1"], Object.keys(many)]) {
    const kept = JSON.stringify(withoutBodies(JSON.parse(text) as Lock));
    const { resources: read } = withBodies(JSON.parse(kept) as BareLock, text);
    for (const address of reading) expect(read[address]?.body).toEqual(many[address].body);
  }
});

test("whatever is broken in it, a lock gives what it gives as a whole, or is refused", () => {
  const text = lockText({
    ...emptyLock(owner, "lineage"),
    writes: "w1",
    resources: {
      "agent:a": { id: "1", digest: "sha256:0", body: { name: "a\n    }", tools: ["}"] } },
      "policy:p": { id: "2", digest: "sha256:1", body: { name: '"resources": {' } },
    },
    retired: {
      "policy#65": { address: "policy:p", reason: "forgotten", body: { name: "}" } },
      "agent#66": { address: "agent:b", reason: "replaced" },
    },
    unknown: {
      "agent:c": {
        operation: "create",
        since: "then",
        method: "POST",
        path: "/",
        body: { name: '"retired": {' },
        digest: "sha256:2",
      },
    },
  });
  const pieces = fc.constantFrom(
    "",
    '"',
    "{",
    "}",
    ",",
    "\n",
    "    ",
    "1",
    ' "x": {},',
    '\n    "agent:a": {\n',
    "\n    }",
  );
  fc.assert(
    fc.property(fc.nat(text.length), fc.nat(12), pieces, (at, length, piece) => {
      const broken = text.slice(0, at) + piece + text.slice(at + length);
      const parsed = parseLock(broken, "agentform.lock", owner);
      if (parsed.ok) expect(parsed.lock).toEqual(JSON.parse(broken));
      else expect(parsed.problems[0]?.severity).toBe("error");
    }),
    { numRuns: examples(3000) },
  );
});

test("of an entry that stands twice neither is taken", () => {
  const entry = '    "agent:a": {\n      "body": {},\n      "digest": "sha256:0"\n    }';
  const head = '"environment": null,\n  "format": "agentform/lock/v1",\n  "lineage": "l"';
  const tail = '"retired": {},\n  "serial": 1,\n  "unknown": {},\n  "workspace": "test",\n  "writes": "w1"';
  const text = (entries: string) => `{\n  ${head},\n  "resources": {\n${entries}\n  },\n  ${tail}\n}\n`;
  expect(parseLock(text(entry), "agentform.lock", owner)).toMatchObject({ ok: true, lock: { serial: 1 } });
  expect(parseLock(text(`${entry},\n${entry}`), "agentform.lock", owner)).toMatchObject({
    problems: [{ code: "lock-damaged" }],
  });
});

test("entries on one line are not taken for an empty table", () => {
  const entry = '{"body": {}, "digest": "sha256:0"}';
  const gone = '{"address": "agent:a", "reason": "replaced"}';
  const odd = '{"address": "agent:a", "reason": "whatever"}';
  const text = (table: string, old: string) =>
    `{\n  "environment": null,\n  "format": "agentform/lock/v1",\n  "lineage": "l",\n  "resources": ${table},\n  "retired": ${old},\n  "serial": 1,\n  "unknown": {},\n  "workspace": "test",\n  "writes": "w1"\n}\n`;
  expect(
    parseLock(text(`{"agent:a": ${entry}}`, `{"agent#1": ${gone}}`), "agentform.lock", owner),
  ).toMatchObject({
    ok: true,
    lock: {
      resources: { "agent:a": { digest: "sha256:0" } },
      retired: { "agent#1": { reason: "replaced" } },
    },
  });
  expect(parseLock(text("{}", `{"agent#1": ${odd}}`), "agentform.lock", owner)).toMatchObject({
    problems: [{ code: "lock-damaged" }],
  });
  expect(parseLock(text("{}", '"none"'), "agentform.lock", owner)).toMatchObject({
    problems: [{ code: "lock-damaged" }],
  });
});

test("an entry copies and spreads with its body", () => {
  const lock = {
    ...emptyLock(owner, "l"),
    writes: "w1",
    resources: { "agent:a": { id: "1", digest: "d", body: { name: "a" } } },
  };
  const parsed = parseLock(lockText(lock), "agentform.lock", owner);
  const entry = parsed.ok ? parsed.lock.resources["agent:a"] : undefined;
  expect({ ...entry, id: "2" }).toEqual({ id: "2", digest: "d", body: { name: "a" } });
  expect(entry?.body).toBe(entry?.body);
});
