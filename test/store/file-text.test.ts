import { createHash } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
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
