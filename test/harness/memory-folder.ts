import { readFileSync, statfsSync } from "node:fs";

const folder = "/dev/shm";
const room = 2_000_000_000;

/** Gives a folder of a file system in memory that has room, and in which programs can be started; undefined without. */
export function memoryFolder(): string | undefined {
  try {
    const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
    const options =
      mounts
        .find((line) => line.split(" ")[1] === folder)
        ?.split(" ")[3]
        ?.split(",") ?? [];
    const { bavail, bsize } = statfsSync(folder);
    return options.includes("rw") && !options.includes("noexec") && bavail * bsize > room
      ? folder
      : undefined;
  } catch {
    return undefined;
  }
}
