import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Gives the real path of a folder; of one that does not exist, that of the folder above with its name. */
export function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    const above = dirname(folder);
    return above === folder ? folder : join(realFolder(above), basename(folder));
  }
}

/** Gives the path of a file with the real path of its folder; the file itself may be a link. */
export function inRealFolder(file: string): string {
  return join(realFolder(dirname(file)), basename(file));
}
