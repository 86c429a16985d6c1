import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished, vi } from "vitest";

const { hash } = crypto;

/**
 * Counts the characters that are hashed until the test ends. The function of Node is watched and no module is mocked:
 * files of one worker share the source, and one that is loaded already would not see the mock.
 */
export function countHashed(): { characters: number } {
  const hashed = { characters: 0 };
  const spy = vi.spyOn(crypto, "hash").mockImplementation((algorithm, data) => {
    hashed.characters += typeof data === "string" ? data.length : data.byteLength;
    return hash(algorithm, data);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return hashed;
}
