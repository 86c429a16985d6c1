/**
 * Does what a plan has to do before it can tell that nothing has changed, and nothing with what it finds: digests all
 * files of a folder and the lock, and parses the indexes that a plan has left in its cache.
 * `node look-again.mjs DIR LOCK CACHE`
 */
import { hash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync, readdirSync } from "node:fs";
import { join } from "node:path";

const [folder, lock, cache] = process.argv.slice(2);
const bytes = Buffer.allocUnsafeSlow(1_000_000);
const digests = [hash("sha256", readFileSync(lock)), ...digestsIn(folder)];
const indexes = readdirSync(cache, { recursive: true })
  .filter((name) => name.endsWith(".pack"))
  .map((name) => indexIn(join(cache, name)));
console.log(digests.length, indexes.length);

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

/** Gives the index of a pack: its first line tells how many bytes of texts and of index follow. */
function indexIn(path) {
  const pack = openSync(path, "r");
  const head = bytes.toString("latin1", 0, readSync(pack, bytes, 0, 200, 0));
  const [line, texts, length] = /^agentform\/pack\/\S+ +(\d+) +(\d+) .*\n/.exec(head);
  const index = Buffer.allocUnsafeSlow(Number(length));
  readSync(pack, index, 0, index.length, line.length + Number(texts));
  closeSync(pack);
  return JSON.parse(index.toString("utf8"));
}
