import { randomBytes } from "node:crypto";
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { contentDigest } from "../../digest.js";
import { version } from "../../version.js";
import { unlessFailing } from "./unless-failing.js";

declare const AGENTFORM_BUILD: string | undefined;

/** Changes whenever the code or a schema does that makes what the cache keeps. */
const fingerprint =
  typeof AGENTFORM_BUILD === "string" ? `${version} ${AGENTFORM_BUILD}` : `${version} ${process.pid}`;

/** What the last run kept under a name; nothing here throws what a file system does. */
export interface Cached {
  /** Undefined where nothing is kept, or it is damaged. */
  readonly value: unknown;
  /** Keeps plain data for later runs in its place. */
  save(value: unknown): void;
}

/** How many bytes all files of the cache together may have, and how many one of them. */
const limits = { all: 1_000_000_000, one: 250_000_000 };

const hour = 3_600_000;
const day = 24 * hour;
const lifetime = 30 * day;

/** What is cached belongs to a workspace and an environment; without a folder nothing is. */
export interface CacheOwner {
  readonly directory: string;
  readonly environment?: string | null;
  readonly cacheFolder?: string;
}

/** Reads what is kept of a workspace in one environment under a name. */
export function openCache(
  name: unknown,
  { cacheFolder: folder, directory, environment = null }: CacheOwner,
): Cached {
  if (folder === undefined) return { value: undefined, save() {} };
  const [version, file] = [fingerprint, JSON.stringify([name, directory, environment])].map((text) =>
    contentDigest(text).slice(0, 32),
  );
  const path = join(folder, version ?? "", `${file}.json`);
  return {
    value: unlessFailing(() => read(folder, path)),
    save: (value) => unlessFailing(() => write(folder, path, value)),
  };
}

// The first line is a digest of the rest and of the file's name, so what was kept under another name is damaged here.
const headBytes = 65;

function headOf(path: string, bytes: Buffer): string {
  return `${contentDigest(`${basename(path)} ${contentDigest(bytes)}`)}\n`;
}

function read(folder: string, path: string): unknown {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  // A pipe would keep the process waiting for ever once it is opened.
  if (!stat?.isFile() || stat.size > limits.one) return undefined;
  const bytes = readFileSync(path);
  if (bytes.toString("latin1", 0, headBytes) !== headOf(path, bytes.subarray(headBytes))) return undefined;
  const value: unknown = JSON.parse(bytes.toString("utf8", headBytes));
  if (Date.now() - stat.mtimeMs > day) unlessFailing(() => touch(folder, path));
  return value;
}

// Once a day, so that the time of the file says when it was last used.
function touch(folder: string, path: string): void {
  utimesSync(path, new Date(), new Date());
  boundFolder(folder);
}

/** Writes beside the place, and puts the file there when it is whole; a link is replaced and never followed. */
function write(folder: string, path: string, value: unknown): void {
  const bytes = Buffer.from(JSON.stringify(value), "utf8");
  if (headBytes + bytes.length > limits.one) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = path.replace(/json$/, `${randomBytes(8).toString("hex")}.tmp`);
  try {
    const fd = openSync(draft, "wx", 0o600);
    try {
      writeSync(fd, headOf(path, bytes));
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, path);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw cause;
  }
  boundFolder(folder);
}

interface Found {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Removes what nobody used for 30 days, the least recently used above the limit, and what killed writers left; what cannot be removed stays. */
function boundFolder(folder: string): void {
  const now = Date.now();
  const inner = namesIn(folder, /^[0-9a-f]{32}$/).map((name) => join(folder, name));
  const isOld = ({ path, mtimeMs }: Found) => now - mtimeMs > (path.endsWith(".tmp") ? hour : lifetime);
  const kept: Found[] = [];
  for (const file of inner.flatMap(filesIn)) {
    if (isOld(file)) remove(file);
    else if (file.path.endsWith(".json")) kept.push(file);
  }
  let total = kept.reduce((sum, { size }) => sum + size, 0);
  for (const file of kept.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (total <= limits.all) break;
    remove(file);
    total -= file.size;
  }
  for (const each of inner) unlessFailing(() => rmdirSync(each));
}

// Only names that this cache gives: the folder may have been chosen badly, and hold other things.
function namesIn(folder: string, pattern: RegExp): string[] {
  return (unlessFailing(() => readdirSync(folder)) ?? []).filter((name) => pattern.test(name));
}

function filesIn(folder: string): Found[] {
  return namesIn(folder, /^[0-9a-f]{32}\.(json|[0-9a-f]{16}\.tmp)$/).flatMap((name) => {
    const path = join(folder, name);
    const stat = unlessFailing(() => lstatSync(path));
    return stat?.isFile() ? [{ path, size: stat.size, mtimeMs: stat.mtimeMs }] : [];
  });
}

function remove({ path }: Found): void {
  unlessFailing(() => rmSync(path, { force: true }));
}
