import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { contentDigest } from "../../digest.js";
import { makeFolder } from "../../disk/make-folder.js";
import { unlessFailing } from "../../disk/unless-failing.js";

declare const AGENTFORM_BUILD: string | undefined;
/** Changes whenever the code or a schema does that makes what the cache keeps. */
const build = typeof AGENTFORM_BUILD === "string" ? AGENTFORM_BUILD : process.pid;

/** What the last run kept under a name, undefined if nothing or damaged; nothing here throws what a file system does. */
export interface Cached {
  readonly value: unknown;
  save(value: unknown): void;
}

/** What is cached belongs to a workspace and an environment; without a folder nothing is. */
export interface CacheOwner {
  /** The folder of the manifest. */
  readonly directory: string;
  readonly environment?: string | null;
  readonly cacheFolder?: string;
}

/** Reads what is kept of a workspace in one environment under a name. */
export function openCache(name: unknown, owner: CacheOwner): Cached {
  const { cacheFolder: folder, directory, environment = null } = owner;
  if (folder === undefined) return { value: undefined, save() {} };
  const key = contentDigest(JSON.stringify([build, name, directory, environment]));
  return {
    value: unlessFailing(() => read(folder, key)),
    save: (value) => unlessFailing(() => write(folder, key, value)),
  };
}

function read(folder: string, key: string): unknown {
  const bytes = readOwn(join(folder, `${key}.json`));
  if (!bytes) return undefined;
  const json = bytes.subarray(key.length);
  const isWhole = bytes.toString("latin1", 0, key.length) === seal(key, json);
  return isWhole ? JSON.parse(json.toString()) : undefined;
}

// A pipe would keep us waiting. Who may write above could swap the folder, but bring no file of this user's there.
function readOwn(path: string): Buffer | undefined {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    const isOwn = !process.getuid || stat.uid === process.getuid();
    return stat.isFile() && isOwn ? readFileSync(fd) : undefined;
  } finally {
    closeSync(fd);
  }
}

// What is damaged, or was kept under another name, has another seal.
function seal(key: string, json: string | Uint8Array): string {
  return contentDigest(key + contentDigest(json));
}

/** Writes beside the place, and puts the file there when it is whole; a link is replaced and never followed. */
function write(folder: string, key: string, value: unknown): void {
  makeFolder(folder, 0o700);
  const draft = join(folder, `${key}.${randomBytes(8).toString("hex")}.tmp`);
  try {
    const json = JSON.stringify(value);
    writeFileSync(draft, seal(key, json) + json, { flag: "wx", mode: 0o600 });
    renameSync(draft, join(folder, `${key}.json`));
  } finally {
    rmSync(draft, { force: true });
  }
  if (!bounded.has(folder)) boundFolder(folder);
  bounded.add(folder);
}

// In this process, for a look at each file after each write would grow with the square.
const bounded = new Set<string>();

/** Removes what was written more than 30 days ago, or before the last gigabyte, and with it what killed writers left. */
function boundFolder(folder: string): void {
  // Only names that this cache gives: the folder may have been chosen badly, and hold other things.
  const own = readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.(json|[0-9a-f]{16}\.tmp)$/.test(name));
  const files = own.map((name) => join(folder, name)).map((path) => ({ path, stat: lstatSync(path) }));
  let bytes = 0;
  for (const { path, stat } of files.toSorted((a, b) => b.stat.mtimeMs - a.stat.mtimeMs)) {
    bytes += stat.size;
    const isOld = Date.now() - stat.mtimeMs > 30 * 24 * 3_600_000;
    if (bytes > 1_000_000_000 || isOld) unlessFailing(() => rmSync(path));
  }
}
