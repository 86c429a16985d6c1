import type { ParsedFile } from "../core/resources/parsed-file.js";

/**
 * Gives a parsed file with the equal parts of a file with the same content in the place of its own, so that what does
 * not depend on the environment is in memory once.
 */
export function sharingParts({ summary, details }: ParsedFile, like: ParsedFile): ParsedFile {
  return { summary: shared(summary, like.summary), details };
}

// Plain data, of which nothing is changed after it was made.
function shared<Value>(value: Value, like: unknown): Value;
function shared(value: unknown, like: unknown): unknown {
  if (value === like) return like;
  if (typeof value !== "object" || typeof like !== "object" || value === null || like === null) return value;
  if (Array.isArray(value)) return Array.isArray(like) ? sharedItems(value, like) : value;
  return Array.isArray(like) ? value : sharedMembers(value, like);
}

function sharedItems(value: readonly unknown[], like: readonly unknown[]): readonly unknown[] {
  const items = value.map((item, index) => shared(item, like[index]));
  return items.length === like.length && items.every((item, index) => item === like[index]) ? like : items;
}

function sharedMembers(value: object, like: object): object {
  const before = new Map(Object.entries(like));
  const members = Object.entries(value).map(
    ([name, each]) => [name, shared(each, before.get(name))] as const,
  );
  // An object that has less, or in a different order, is a different one.
  const names = [...before.keys()];
  const isSame =
    members.length === names.length &&
    members.every(([name, each], index) => name === names[index] && each === before.get(name));
  return isSame ? like : Object.fromEntries(members);
}
