/**
 * Watches what this process changes below a folder, so that a kill can be made into a power cut: what was not
 * synced is lost. The size of a file counts once that file is synced, a name once its folder is.
 */
import fs from "node:fs";
import { dirname } from "node:path";
import { syncBuiltinESMExports } from "node:module";

const { openSync, closeSync, fstatSync, readFileSync, readlinkSync, writeFileSync } = fs;
const { renameSync, linkSync, unlinkSync, rmSync, truncateSync, fsyncSync, fdatasync } = fs;

/** Begins to watch; gives what loses the `data` of files, or `all`: their names too, there or in a copy of the folder. */
export function watchUnsynced(below, what) {
  const durable = new Map();
  const names = [];
  const pathOf = (fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return "";
    }
  };
  const contentOf = (file) => {
    try {
      return readFileSync(file);
    } catch {
      return undefined;
    }
  };
  const change = (file, undo) => file.startsWith(below) && names.push({ folder: dirname(file), undo });
  const restore = (file, content) => {
    if (content === undefined) rmSync(file, { force: true });
    else writeFileSync(file, content);
  };
  const sync = (fd) => {
    const path = pathOf(fd);
    if (!path.startsWith(below)) return;
    if (fstatSync(fd).isFile()) durable.set(fstatSync(fd).ino, fstatSync(fd).size);
    for (const name of names.filter(({ folder }) => folder === path)) names.splice(names.indexOf(name), 1);
  };

  const { O_RDWR, O_WRONLY } = fs.constants;
  const writes = (flags) =>
    typeof flags === "number" ? (flags & (O_WRONLY | O_RDWR)) !== 0 : /[wa]/.test(String(flags));
  fs.openSync = (file, flags, ...rest) => {
    const isNew = writes(flags) && contentOf(file) === undefined;
    const fd = openSync(file, flags, ...rest);
    if (isNew) change(String(file), (at) => rmSync(at(String(file)), { force: true }));
    if (writes(flags) && String(file).startsWith(below)) {
      const { ino, size } = fstatSync(fd);
      if (!durable.has(ino)) durable.set(ino, isNew ? 0 : size);
    }
    return fd;
  };
  fs.renameSync = (from, to) => {
    const [moved, replaced] = [contentOf(from), contentOf(to)];
    renameSync(from, to);
    change(to, (at) => [restore(at(to), replaced), restore(at(from), moved)]);
  };
  fs.linkSync = (from, to) => {
    linkSync(from, to);
    change(to, (at) => rmSync(at(to), { force: true }));
  };
  for (const [name, original] of Object.entries({ unlinkSync, rmSync })) {
    fs[name] = (file, ...rest) => {
      const content = contentOf(file);
      original(file, ...rest);
      if (content !== undefined) change(file, (at) => restore(at(file), content));
    };
  }
  fs.fsyncSync = (fd) => {
    fsyncSync(fd);
    sync(fd);
  };
  fs.fdatasync = (fd, done) => {
    const { size, ino } = fstatSync(fd);
    fdatasync(fd, (fault) => {
      if (!fault && pathOf(fd).startsWith(below)) durable.set(ino, size);
      done(fault);
    });
  };
  syncBuiltinESMExports();

  return (copy) => {
    const at = (file) => copy + file.slice(below.length);
    for (const file of filesBelow(below)) shorten(file, at(file), durable);
    if (what === "all") for (const { undo } of names.toReversed()) undo(at);
  };
}

function filesBelow(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`);
}

function shorten(file, copy, durable) {
  const fd = openSync(file, "r");
  const { ino, size } = fstatSync(fd);
  closeSync(fd);
  const kept = durable.get(ino) ?? size;
  if (kept < size) truncateSync(copy, kept);
}
