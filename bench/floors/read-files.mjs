/** Reads all files of a folder as text, and does nothing else. `node read-files.mjs DIR` */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const [folder] = process.argv.slice(2);
let characters = 0;
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (entry.isFile()) characters += readFileSync(join(entry.parentPath, entry.name), "utf8").length;
}
console.log(characters);
