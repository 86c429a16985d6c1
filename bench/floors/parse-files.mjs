/**
 * Reads all files of a folder and parses each document with `parse` of npm's `yaml`; keeps nothing. Prints only
 * the seconds that parsing took. `node parse-files.mjs DIR`
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

const [folder] = process.argv.slice(2);
let milliseconds = 0;
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const texts = readFileSync(join(entry.parentPath, entry.name), "utf8").split("\n---\n");
  const begun = performance.now();
  for (const text of texts) parse(text);
  milliseconds += performance.now() - begun;
}
console.log(milliseconds / 1000);
