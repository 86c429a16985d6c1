import type { Finding, KeyPlace } from "./diagnostic.js";

const shownKeys = 8;
const most = 1000;

interface KeyedGroup {
  readonly finding: Finding;
  readonly keys: KeyPlace[];
  count: number;
  last?: string;
}

/** Findings of documents with `for_each`: what several keys share is one finding that names them. */
export class KeyedFindings {
  readonly #groups: KeyedGroup[] = [];
  readonly #byIdentity = new Map<string, KeyedGroup>();

  /** Whether there are so many that more would not be shown. */
  get isFull(): boolean {
    return this.#groups.length > most;
  }

  /** Adds a finding; those of one key follow each other. */
  add(finding: Finding): void {
    const { each, ...place } = finding.place ?? { file: "" };
    if (!each) return void this.#groups.push({ finding, keys: [], count: 0 });
    const group = this.#groupOf({ ...finding, place }, each);
    if (each.key === group.last) return;
    group.last = each.key;
    group.count++;
    if (group.keys.length < shownKeys) group.keys.push(each);
  }

  #groupOf(finding: Finding, each: KeyPlace): KeyedGroup {
    const identity = JSON.stringify([finding, each.place.file, each.of]);
    const known = this.#byIdentity.get(identity);
    if (known) return known;
    const group = { finding, keys: [], count: 0 };
    this.#byIdentity.set(identity, group);
    this.#groups.push(group);
    return group;
  }

  /** Gives the findings in the order in which they were first added; what every key has, names none. */
  *list(): Generator<Finding> {
    for (const { finding, keys, count } of this.#groups) {
      const [first] = keys;
      if (!first || (count === first.of && first.of > 1)) yield finding;
      else {
        // A key says which document it is.
        const { document: _, ...rest } = finding;
        yield { ...rest, related: [...(finding.related ?? []), ...explainKeys(keys, count)] };
      }
    }
  }
}

/** Merges what several keys of a `for_each` share into one finding that names them. */
export function mergeKeys(findings: readonly Finding[]): readonly Finding[] {
  if (!findings.some(({ place }) => place?.each)) return findings;
  const keyed = new KeyedFindings();
  for (const finding of findings) keyed.add(finding);
  return [...keyed.list()];
}

function explainKeys(keys: readonly KeyPlace[], count: number) {
  const shown = keys.map(({ key, place }) => ({ message: `for the key \`${key}\``, place }));
  const more = count - keys.length;
  return more > 0 ? [...shown, { message: `for ${more.toLocaleString("en-US")} more keys` }] : shown;
}
