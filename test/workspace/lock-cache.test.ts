import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { emptyLock, type Lock } from "../../src/core/state/lock.js";
import { lockParser } from "../../src/workspace/lock-cache.js";
import { makeCacheFolder } from "../harness/cache-folder.js";
import { lockText } from "../harness/lock-text.js";

const owner = { workspace: "test", environment: null };

function textOf(prompt: string): string {
  const entry = { id: "1", digest: "d", body: { name: "a", prompt: prompt.repeat(400) } };
  const resources = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [`agent:a${index}`, entry]),
  );
  return lockText({ ...emptyLock(owner, "l"), writes: "0123456789abcdef", resources });
}

function scene() {
  const cacheFolder = makeCacheFolder();
  const parse = (text: string, version: string | null, of = owner) =>
    lockParser(version, { directory: "/desk", cacheFolder })(text, "agentform.lock", of);
  return { cacheFolder, parse, kept: () => readdirSync(cacheFolder, { recursive: true }) };
}

test("a large lock that is known by its version is the same lock", () => {
  const { parse } = scene();
  const text = textOf("Help.");
  expect(parse(text, "one")).toEqual({ ok: true, lock: JSON.parse(text) as Lock });
  expect(parse(text, "one")).toEqual({ ok: true, lock: JSON.parse(text) as Lock });
  const known = parse(text, "one");
  expect(known.ok && lockText(known.lock)).toBe(text);
});

test("what is known of a version is not taken for another", () => {
  const { parse } = scene();
  parse(textOf("Help."), "one");
  const text = textOf("Help!");
  expect(parse(text, "two")).toEqual({ ok: true, lock: JSON.parse(text) as Lock });
  expect(parse(text, null)).toEqual({ ok: true, lock: JSON.parse(text) as Lock });
});

test("a lock of a different workspace is refused, known or not", () => {
  const { parse } = scene();
  const other = { ...owner, workspace: "other" };
  const text = textOf("Help.");
  expect(parse(text, "one", other)).toMatchObject({ problems: [{ code: "lock-foreign" }] });
  parse(text, "one");
  expect(parse(text, "one", other)).toMatchObject({ problems: [{ code: "lock-foreign" }] });
});

test("nothing is kept of a damaged lock, nor of a short one", () => {
  const { parse, kept } = scene();
  expect(parse(textOf("Help.").slice(0, -20), "one")).toMatchObject({ problems: [{ code: "lock-damaged" }] });
  parse(lockText(emptyLock(owner, "l")), "one");
  expect(kept()).toEqual([]);
});
