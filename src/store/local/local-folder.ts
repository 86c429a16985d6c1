import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "./failure.js";

/** Makes a folder for files of this machine, ignored by git; throws the file system's own errors. */
export function makeLocalFolder(folder: string): void {
  makeFolder(folder);
  const file = join(folder, ".gitignore");
  try {
    writeFileSync(file, "*\n", { flag: "wx" });
  } catch (thrown) {
    if (codeOf(thrown) === "EEXIST") return;
    // A full disk leaves it empty, and then it would stay so.
    rmSync(file, { force: true });
    throw thrown;
  }
}

// Node's own recursion reports a read-only disk as a missing folder.
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(folder) === folder) throw thrown;
    makeFolder(dirname(folder));
    mkdirSync(folder);
  }
}
