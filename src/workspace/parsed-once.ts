import type { FieldsByKind } from "../core/kind/extra-fields.js";
import type { FileSummary, ParsedFile } from "../core/resources/parsed-file.js";

/** The files of a workspace as this process has parsed them; what is the same in several environments is there once. */
export class ParsedOnce {
  /** By environment, for settings that no file can do without. */
  readonly #known = new Map<string, Map<string | null, ParsedThere>>();

  /** Opens what is known of the files in one environment, and with its help in the others. */
  in(environment: string | null, kindFields: FieldsByKind): ParsedThere {
    const settings = JSON.stringify(kindFields);
    const alike = this.#known.get(settings) ?? new Map<string | null, ParsedThere>();
    this.#known.set(settings, alike);
    const there = alike.get(environment) ?? new ParsedThere(alike);
    alike.set(environment, there);
    return there;
  }
}

/** The files of a workspace as they were parsed in one environment. */
export class ParsedThere {
  #earlier: ReadonlyMap<string, ParsedFile> = new Map();
  #used = new Map<string, ParsedFile>();

  /** Takes what is known in all environments, itself among them. */
  constructor(private readonly alike: ReadonlyMap<unknown, ParsedThere>) {}

  /** Gives a file with this content that fits, from wherever it was parsed. */
  get(digest: string, fits: (summary: FileSummary) => boolean): ParsedFile | undefined {
    for (const there of [this, ...this.alike.values()]) {
      const parsed = there.#at(digest);
      if (!parsed || !fits(parsed.summary)) continue;
      this.#used.set(digest, parsed);
      return parsed;
    }
    return undefined;
  }

  /** Keeps a file with this content; gives it with the parts that it has in common with what is known of it. */
  keep(digest: string, parsed: ParsedFile): ParsedFile {
    const like = this.#like(digest, parsed);
    const kept = like ? sharingParts(parsed, like) : parsed;
    this.#used.set(digest, kept);
    return kept;
  }

  /** Ends a load: what it did not use is forgotten. */
  settle(): void {
    this.#earlier = this.#used;
    this.#used = new Map();
  }

  #like(digest: string, { summary }: ParsedFile): ParsedFile | undefined {
    for (const there of [this, ...this.alike.values()]) {
      const known = there.#at(digest);
      if (known?.summary.file === summary.file) return known;
    }
    return undefined;
  }

  #at(digest: string): ParsedFile | undefined {
    return this.#used.get(digest) ?? this.#earlier.get(digest);
  }
}

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
