import { isUtf8 } from "node:buffer";
import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Code } from "../core/diagnostic.js";

const sizeLimit = 32 * 1024 * 1024;

/** Why a file gives no text. */
export interface ReadProblem {
  readonly code: Code;
  readonly message: string;
  readonly hint?: string;
}

/** Reads files of one workspace and of nothing else. */
export class WorkspaceFolder {
  /** The folder's real path. */
  readonly root: string;

  constructor(directory: string) {
    this.root = realpathSync(resolve(directory));
  }

  /** Gives the path from the workspace, with `/`; undefined if an absolute path leads elsewhere. */
  nameOf(absolute: string): string | undefined {
    const name = relative(this.root, absolute);
    if (name === ".." || name.startsWith(`..${sep}`) || isAbsolute(name)) return undefined;
    return sep === "/" ? name : name.replaceAll(sep, "/");
  }

  /** Gives the name of the file that a path in another file leads to. */
  resolve(from: string, path: string): { readonly file: string } | ReadProblem {
    const file = isAbsolute(path) ? undefined : this.nameOf(join(this.root, dirname(from), path));
    return file === undefined ? outside(path) : { file };
  }

  /** Reads a text file: regular, inside the workspace, UTF-8 without NUL, at most 32 MB; a BOM is dropped. */
  read(file: string): { readonly text: string } | ReadProblem {
    const absolute = join(this.root, file);
    try {
      const problem = this.#refuse(file, absolute);
      if (problem) return problem;
      const bytes = readFileSync(absolute);
      if (bytes.includes(0) || !isUtf8(bytes)) {
        return { code: "file-encoding", message: `\`${file}\` is not UTF-8 text`, hint: "save it as UTF-8" };
      }
      const text = bytes.toString("utf8");
      return { text: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text };
    } catch (cause) {
      return unreadable(file, cause);
    }
  }

  #refuse(file: string, absolute: string): ReadProblem | undefined {
    const real = lstatSync(absolute).isSymbolicLink() || hasLink(this.root, absolute) ? realpathSync(absolute) : absolute;
    if (this.nameOf(real) === undefined) return outside(file);
    const stat = statSync(real);
    if (!stat.isFile()) {
      const message = `\`${file}\` is ${stat.isDirectory() ? "a folder" : "no regular file"}`;
      return { code: "file-not-regular", message };
    }
    if (stat.size > sizeLimit) {
      return { code: "file-too-large", message: `\`${file}\` is larger than 32 MB`, hint: "split it" };
    }
    return undefined;
  }
}

// A link among the folders on the way leads out as well as one at the end does.
function hasLink(root: string, absolute: string): boolean {
  for (let folder = dirname(absolute); folder.length > root.length; folder = dirname(folder)) {
    if (lstatSync(folder).isSymbolicLink()) return true;
  }
  return false;
}

function outside(path: string): ReadProblem {
  return {
    code: "file-outside-workspace",
    message: `\`${path}\` leads out of the workspace`,
    hint: "keep what is included below the folder of agentform.yaml",
  };
}

/** Says in own words why a file could not be read. */
export function unreadable(file: string, cause: unknown): ReadProblem {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ENOTDIR") return { code: "file-missing", message: `\`${file}\` does not exist` };
  return { code: "file-unreadable", message: `\`${file}\` cannot be read (${code ?? "unknown error"})` };
}
