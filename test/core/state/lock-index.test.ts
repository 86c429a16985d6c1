import { expect, test } from "vitest";
import { isObject, type Json, type JsonObject } from "../../../src/json/json.js";
import { emptyLock, indexOf, parseLock, type Lock } from "../../../src/core/state/lock.js";
import { lockText } from "../../harness/lock-text.js";
import { indexedLock } from "../../../src/core/state/lock-index.js";
import { examples, fc } from "../../harness/property.js";

const owner = { workspace: "test", environment: null };

const body = fc.jsonValue({ maxDepth: 3 }).map((value) => ({ name: "x", value }) as JsonObject);
const locks = fc
  .array(
    fc.record({
      address: fc.constantFrom("policy:p", "agent:a", "agent:b-2", "agent:resources", "credential:c"),
      body,
      id: fc.string({ minLength: 1 }),
    }),
  )
  .map((entries): Lock => {
    const resources = entries.map(({ address, ...entry }) => [address, { ...entry, digest: "sha256:0" }]);
    return { ...emptyLock(owner, "lineage"), resources: Object.fromEntries(resources) as Lock["resources"] };
  });

test("a lock that is taken apart says what it says when it is parsed as a whole", () => {
  fc.assert(
    fc.property(locks, (lock) => {
      const text = lockText(lock);
      const index = indexOf(text);
      if (Object.keys(lock.resources).length > 0) expect(index).toBeDefined();
      const parsed = parseLock(text, "agentform.lock", owner);
      expect(parsed).toEqual(JSON.parse(text));
      expect(lockText(parsed as Lock)).toBe(text);
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

test("a kept index gives the same lock", () => {
  fc.assert(
    fc.property(locks, (lock) => {
      const text = lockText(lock);
      const index = indexOf(text);
      if (!index) return;
      const kept = JSON.parse(JSON.stringify(index)) as typeof index;
      expect(indexedLock(kept, text)).toEqual(JSON.parse(text));
    }),
  );
});

test("whatever is broken in it, a lock gives what it gives as a whole, or is refused", () => {
  const text = lockText({
    ...emptyLock(owner, "lineage"),
    resources: {
      "agent:a": { id: "1", digest: "sha256:0", body: { name: "a\n    }", tools: ["}"] } },
      "policy:p": { id: "2", digest: "sha256:1", body: { name: '"resources": {' } },
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
      if (!Array.isArray(parsed)) expect(parsed).toEqual(JSON.parse(broken));
      else expect(parsed[0]?.severity).toBe("error");
    }),
    { numRuns: examples(3000) },
  );
});

test("of an entry that stands twice neither is taken", () => {
  const entry = '    "agent:a": {\n      "body": {},\n      "digest": "sha256:0"\n    }';
  const head = '"environment": null,\n  "format": "agentform/lock/v1",\n  "lineage": "l"';
  const tail = '"retired": {},\n  "serial": 1,\n  "unknown": {},\n  "workspace": "test"';
  const text = (entries: string) => `{\n  ${head},\n  "resources": {\n${entries}\n  },\n  ${tail}\n}\n`;
  expect(parseLock(text(entry), "agentform.lock", owner)).toMatchObject({ serial: 1 });
  expect(parseLock(text(`${entry},\n${entry}`), "agentform.lock", owner)).toMatchObject([
    { code: "lock-damaged" },
  ]);
});

test("an entry copies and spreads with its body", () => {
  const lock = {
    ...emptyLock(owner, "l"),
    resources: { "agent:a": { id: "1", digest: "d", body: { name: "a" } } },
  };
  const parsed = parseLock(lockText(lock), "agentform.lock", owner) as Lock;
  const entry = parsed.resources["agent:a"];
  expect({ ...entry, id: "2" }).toEqual({ id: "2", digest: "d", body: { name: "a" } });
  expect(entry?.body).toBe(entry?.body);
});
