/**
 * Does what a plan has to do before it can tell that nothing has changed, and nothing with what it finds: digests all
 * files of a folder and the lock, and parses what a plan has left in its cache.
 * `node look-again.mjs DIR LOCK CACHE`
 */
import { hash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync, readdirSync } from "node:fs";
import { join } from "node:path";

const [folder, lock, cache] = process.argv.slice(2);
const bytes = Buffer.allocUnsafeSlow(1_000_000);
const digests = [hash("sha256", readFileSync(lock)), ...digestsIn(folder)];
// A file of the cache begins with a digest.
const kept = readdirSync(cache, { recursive: true })
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(join(cache, name), "utf8").slice(64)));
console.log(digests.length, kept.length);

function digestsIn(parent) {
  return readdirSync(parent, { withFileTypes: true }).flatMap((entry) => {
    const path = `${parent}/${entry.name}`;
    return entry.isDirectory() ? digestsIn(path) : [digestOf(path)];
  });
}

function digestOf(path) {
  const file = openSync(path, "r");
  let filled = 0;
  for (let count = 1; count > 0; filled += count) {
    count = readSync(file, bytes, filled, bytes.length - filled, null);
  }
  closeSync(file);
  return hash("sha256", bytes.subarray(0, filled));
}
