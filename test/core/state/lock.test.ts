import { describe, expect, test } from "vitest";
import {
  bodyDigest,
  dependentsIn,
  emptyLock,
  entryDigest,
  parseLock,
  type Lock,
} from "../../../src/core/state/lock.js";
import { isId } from "../../../src/core/kind/id.js";
import { lockText } from "../../harness/lock-text.js";

const owner = { workspace: "desk", environment: null };
const entry = { id: "1", body: { name: "A" }, digest: "d" };
const lock: Lock = {
  ...emptyLock(owner, "lineage"),
  writes: "w1",
  resources: { "agent:b": entry, "agent:a": entry },
};

test("a lock is rendered with sorted keys and a newline at the end", () => {
  const text = lockText(lock);
  expect(text.endsWith("}\n")).toBe(true);
  expect(text.indexOf('"agent:a"')).toBeLessThan(text.indexOf('"agent:b"'));
  expect(parseLock(text, "agentform.lock", owner)).toEqual({ ok: true, lock });
});

test("an ID with a space at its end is given by nobody, but is read where a lock has it", () => {
  const text = lockText({ ...lock, resources: { "agent:a": { ...entry, id: "1 " } } });
  expect({ isGiven: isId("1 "), isRead: parseLock(text, "agentform.lock", owner).ok }).toEqual({
    isGiven: false,
    isRead: true,
  });
});

describe("a lock is refused", () => {
  const text = lockText(lock);
  test.each([
    ["half merged", text.replace("{", "<<<<<<< HEAD\n{"), "lock-conflict"],
    ["cut off", text.slice(0, 60), "lock-damaged"],
    ["empty", "", "lock-damaged"],
    ["a list", "[]", "lock-damaged"],
    ["with a key twice", text.replace('"agent:b"', '"agent:a"'), "lock-damaged"],
    ["with a key that it does not know", text.replace('"serial"', '"extra": 1, "serial"'), "lock-damaged"],
    ["with a digest that is no text", text.replace('"digest": "d"', '"digest": 1'), "lock-damaged"],
    [
      "with a tool's ID that cannot be one",
      lockText({ ...lock, resources: { "toolset:t": { ...entry, ids: ["1"], tools: { read: "a\nb" } } } }),
      "lock-damaged",
    ],
    [
      "with an object left behind under the key of another kind",
      lockText({ ...lock, retired: { "policy#1": { address: "agent:a", reason: "replaced" } } }),
      "lock-damaged",
    ],
    [
      "with an object left behind that is there twice",
      lockText({
        ...lock,
        retired: {
          main: { address: "policy:a", reason: "replaced" },
          "policy#main": { address: "policy:b", id: "main", reason: "replaced" },
        },
      }),
      "lock-damaged",
    ],
    ["of a newer format", text.replace("lock/v1", "lock/v2"), "lock-format"],
    ["with a resource of a newer kind", text.replace('"agent:b"', '"memory:b"'), "lock-format"],
    [
      "with an object left behind of a newer kind",
      lockText({ ...lock, retired: { x1: { address: "memory:a", reason: "replaced" } } }),
      "lock-format",
    ],
    ["of another workspace", text.replace('"desk"', '"other"'), "lock-foreign"],
    [
      "of another environment",
      text.replace('"environment": null', '"environment": "production"'),
      "lock-foreign",
    ],
  ])("that is %s", (_, damaged, code) => {
    expect(parseLock(damaged, "agentform.lock", owner)).toMatchObject({
      problems: [{ code, severity: "error" }],
    });
  });
});

test("no message about a lock quotes what is in it", () => {
  const secret = lockText(lock).replace('"A"', 'swordfish"');
  expect(JSON.stringify(parseLock(secret, "agentform.lock", owner))).not.toContain("swordfish");
});

test("equal bodies have equal digests, however their keys are ordered", () => {
  expect(bodyDigest({ a: 1, b: [1, 2] })).toBe(bodyDigest({ b: [1, 2], a: 1.0 }));
  expect(bodyDigest({ b: [1, 2] })).not.toBe(bodyDigest({ b: [2, 1] }));
});

test("an address of which nothing is known has no digest", () => {
  expect(entryDigest(lock, "agent:c")).toBeNull();
  expect(entryDigest(lock, "agent:a")).toBe(entryDigest(lock, "agent:b"));
});

test("who refers to whom is read from what references were resolved to", () => {
  const references = { "toolset:t/read": "1", "toolset:t": ["1"], "policy:p": "2" };
  const used = {
    ...lock,
    resources: { "agent:a": { ...entry, references }, "agent:b": { ...entry, references } },
  };
  expect([...dependentsIn(used)]).toEqual([
    ["toolset:t", ["agent:a", "agent:b"]],
    ["policy:p", ["agent:a", "agent:b"]],
  ]);
});

test.each([":b", "b", "agent:", "agent:B", "Agent:b", "constructor:b", " agent:b", ""])(
  "a lock is refused that has %j in the place of an address",
  (name) => {
    const text = lockText(lock).replace('"agent:b"', JSON.stringify(name));
    const parsed = parseLock(text, "agentform.lock", owner);
    const code = name === "constructor:b" ? "lock-format" : "lock-damaged";
    expect(parsed).toMatchObject({ problems: [{ code, place: { path: ["resources", name] } }] });
  },
);
