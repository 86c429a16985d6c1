import { createHash } from "node:crypto";
import { readSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyLock, parseLock, type Lock } from "../../src/core/state/lock.js";
import { lockText } from "../harness/lock-text.js";
import { FileText } from "../../src/store/local/file-text.js";
import { LockFile } from "../../src/store/local/lock-file.js";
import { makeCacheFolder } from "../harness/cache-folder.js";
import { fc } from "../harness/property.js";

const owner = { workspace: "test", environment: null };

function textIn(text: string): FileText {
  const file = join(makeCacheFolder(), "text");
  writeFileSync(file, text);
  return FileText.open(file);
}

test("what is found in the file is what is given, whatever the characters", () => {
  const texts = fc.array(fc.constantFrom("a", '"', "\n    }", "ü", "🤖", "\n"), { maxLength: 30 });
  fc.assert(
    fc.property(texts, fc.constantFrom('"', "\n    }", "ü"), (parts, sought) => {
      const text = parts.join("");
      const read = textIn(text);
      expect(read.slice(0, read.length)).toBe(text);
      const at = read.indexOf(sought, 0);
      expect(at === -1).toBe(!text.includes(sought));
      if (at === -1) return;
      expect(read.startsWith(sought, at)).toBe(true);
      expect(read.startsWith(`${sought}!`, at)).toBe(false);
      expect(read.slice(0, at)).toBe(text.slice(0, text.indexOf(sought)));
    }),
  );
});

test("a file of many windows is read as a whole, and what lies across two of them is found", () => {
  const window = 1024 * 1024;
  for (const before of [window - 3, window - 1, window, 2 * window - 2, 3 * window - 1]) {
    const text = `${"x".repeat(before)}needle${"y".repeat(window)}`;
    const read = textIn(text);
    expect(read.digest()).toBe(createHash("sha256").update(text).digest("hex"));
    expect(read.indexOf("needle", 0)).toBe(before);
    expect(read.indexOf("needle", before)).toBe(before);
    expect(read.indexOf("needle", before + 1)).toBe(-1);
    expect(read.startsWith("needle", before)).toBe(true);
    expect(read.slice(before - 1, before + 7)).toBe("xneedley");
    expect(read.slice(0, read.length)).toBe(text);
    expect(read.slice(read.length - 2, read.length + 5)).toBe("yy");
  }
});

/** Opens a text, and counts the bytes that are read of it. */
function counted(text: string): { readonly text: FileText; readonly bytes: () => number } {
  const file = join(makeCacheFolder(), "text");
  writeFileSync(file, text);
  let bytes = 0;
  const read = FileText.open(file, (fd, target, position) => {
    const count = readSync(fd, target, 0, target.length, position);
    bytes += count;
    return count;
  });
  return { text: read, bytes: () => bytes };
}

test("of a text of which parts are asked for, little more than these is read", () => {
  const size = 50_000_000;
  const { text, bytes } = counted("x".repeat(size));
  let [asked, at] = [0, 1];
  for (let jump = 0; jump < 2000; jump++) {
    at = (at * 48_271) % (size - 10_000);
    const length = 500 + ((at * 7) % 3000);
    expect(text.slice(at, at + length)).toHaveLength(length);
    asked += length;
  }
  expect(bytes()).toBeLessThan(asked + 2000 * 8192);
});

test("what is read from beginning to end is read once", () => {
  const line = `${"y".repeat(1799)}\n`;
  const { text, bytes } = counted(line.repeat(10_000));
  for (let at = 0; at < text.length; at = text.indexOf("\n", at) + 1) {
    expect(text.slice(at, at + 1799)).toHaveLength(1799);
  }
  expect(bytes()).toBe(text.length);
  text.digest();
  expect(bytes()).toBe(2 * text.length);
});

test("whatever the order in which parts are read, they are those of the text", () => {
  const whole = Array.from({ length: 300_000 }, (_, index) => `${index},`).join("");
  const { text } = counted(whole);
  const place = fc.tuple(fc.nat(whole.length + 10), fc.oneof(fc.nat(20), fc.nat(9000), fc.nat(3_000_000)));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), place), { maxLength: 12 }), (asked) => {
      let end = 0;
      for (const [goesOn, [jump, length]] of asked) {
        const at = goesOn ? end : jump;
        expect(text.slice(at, at + length) === whole.slice(at, at + length)).toBe(true);
        expect(text.indexOf("99,1", at)).toBe(whole.indexOf("99,1", at));
        end = Math.min(at + length, whole.length);
      }
    }),
  );
});

test("it stays what it was though another file is put in its place", () => {
  const file = join(makeCacheFolder(), "text");
  writeFileSync(file, "before");
  const read = FileText.open(file);
  writeFileSync(`${file}.new`, "after!");
  renameSync(`${file}.new`, file);
  expect(read.slice(0, 6)).toBe("before");
});

test("a lock of many bytes reads as a small one does", () => {
  const prompt = "Sprich höflich. 🤖 ".repeat(40_000);
  const entries = ["agent:a", "agent:b"].map((address) => {
    return [address, { id: "1", digest: "sha256:0", body: { name: "Ünal", prompt } }] as const;
  });
  const lock: Lock = { ...emptyLock(owner, "lineage"), resources: Object.fromEntries(entries) };
  const file = join(makeCacheFolder(), "agentform.lock");
  writeFileSync(file, lockText(lock));
  const { text, version } = new LockFile(file, "agentform.lock").read();
  expect(text).toBeInstanceOf(FileText);
  expect(version).toMatch(/^[0-9a-f]{64}$/);
  if (text !== null) expect(parseLock(text, "agentform.lock", owner)).toEqual(lock);
  writeFileSync(file, lockText(lock).replace('"serial": 0', '"serial": zero'));
  const broken = new LockFile(file, "agentform.lock").read().text;
  if (broken !== null)
    expect(parseLock(broken, "agentform.lock", owner)).toMatchObject([{ code: "lock-damaged" }]);
});
