import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../disk/make-folder.js";
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
