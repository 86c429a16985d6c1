import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyLock, parseLock, renderLock, type Lock } from "../../src/core/lock.js";
import { ByteText } from "../../src/store/byte-text.js";
import { LockFile } from "../../src/store/lock-file.js";
import { makeCacheFolder } from "../harness/cache-folder.js";
import { fc } from "../harness/property.js";

const owner = { workspace: "test", environment: null };

test("what is found in the bytes is what is given, whatever the characters", () => {
  const texts = fc.array(fc.constantFrom("a", '"', "\n    }", "ü", "🤖", "\n"), { maxLength: 30 });
  fc.assert(
    fc.property(texts, fc.constantFrom('"', "\n    }", "ü"), (parts, sought) => {
      const text = parts.join("");
      const bytes = new ByteText(Buffer.from(text));
      expect(bytes.slice(0, bytes.length)).toBe(text);
      const at = bytes.indexOf(sought, 0);
      expect(at === -1).toBe(!text.includes(sought));
      if (at === -1) return;
      expect(bytes.startsWith(sought, at)).toBe(true);
      expect(bytes.startsWith(`${sought}!`, at)).toBe(false);
      expect(bytes.slice(0, at)).toBe(text.slice(0, text.indexOf(sought)));
    }),
  );
});

test("a lock of many bytes reads as a small one does", () => {
  const prompt = "Sprich höflich. 🤖 ".repeat(40_000);
  const entries = ["agent:a", "agent:b"].map((address) => {
    return [address, { id: "1", digest: "sha256:0", body: { name: "Ünal", prompt } }] as const;
  });
  const lock: Lock = { ...emptyLock(owner, "lineage"), resources: Object.fromEntries(entries) };
  const file = join(makeCacheFolder(), "agentform.lock");
  writeFileSync(file, renderLock(lock));
  const { text, version } = new LockFile(file, "agentform.lock").read();
  expect(text).toBeInstanceOf(ByteText);
  expect(version).toMatch(/^[0-9a-f]{64}$/);
  if (text !== null) expect(parseLock(text, "agentform.lock", owner)).toEqual(lock);
  writeFileSync(file, renderLock(lock).replace('"serial": 0', '"serial": zero'));
  const broken = new LockFile(file, "agentform.lock").read().text;
  if (broken !== null)
    expect(parseLock(broken, "agentform.lock", owner)).toMatchObject([{ code: "lock-damaged" }]);
});
