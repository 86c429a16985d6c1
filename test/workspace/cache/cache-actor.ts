// A process of its own that works on a cache as it is told to.
import { openCache } from "../../../src/workspace/cache/cache.js";

const [work = "", folder = "", milliseconds = ""] = process.argv.slice(2);
const count = 2000;
const valueOf = (mark: string) => Array.from({ length: count }, (_, index) => `${mark} ${index}`);

/** Reads over and over, and until it has found something some times; what is there must be whole. */
function read(end: number): void {
  for (let found = 0; Date.now() < end || found <= 5;) {
    const { value } = openCache("name", { cacheFolder: folder, directory: "" });
    if (value === undefined) continue;
    const all = value as string[];
    const [mark = ""] = all[0]?.split(" ") ?? [];
    if (JSON.stringify(all) !== JSON.stringify(valueOf(mark))) throw new Error("it is not whole");
    found++;
  }
}

process.stdout.write("begun\n");
const end = Date.now() + Number(milliseconds);
if (work === "read") read(end);
else
  do openCache("name", { cacheFolder: folder, directory: "" }).save(valueOf(String(process.pid)));
  while (Date.now() < end);
