import { groupBy } from "../../json/groups.js";
import { error, type Finding, type KeyPlace, type Place } from "./diagnostic.js";
import { bare, say } from "./said.js";

const shownPlaces = 8;
const most = 1000;

/** Gives findings as they are shown: what several documents share as one, and of each file the first 1,000. */
export function mergeFindings(findings: readonly Finding[]): readonly Finding[] {
  return limitFindings(mergeShared(mergeKeys(findings)));
}

/** Gives what is at a place without the key of `for_each` for which it is there. */
export function withoutKey<Located extends { readonly place?: Place | undefined }>(placed: Located): Located {
  const { each, ...place } = placed.place ?? { file: "" };
  return each ? { ...placed, place } : placed;
}

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
    if (group.keys.length < shownPlaces) group.keys.push(each);
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
  list(): Finding[] {
    return this.#groups.map(({ finding, keys, count }) => {
      const [first] = keys;
      if (!first || (count === first.of && first.of > 1)) return finding;
      // A key says which document it is.
      const { document: _, ...rest } = finding;
      const shown = keys.map(({ key, place }) => ({ message: `for the key \`${key}\``, place }));
      return withRelated(rest, shown, count, "keys");
    });
  }
}

function mergeKeys(findings: readonly Finding[]): readonly Finding[] {
  if (!findings.some(({ place }) => place?.each)) return findings;
  const keyed = new KeyedFindings();
  for (const finding of findings) keyed.add(finding);
  return keyed.list();
}

/** Documents with the same problem, each once. */
type Documents = Map<string, Place>;

// Makes one finding of those that several documents have with a value or a file that they share.
function mergeShared(findings: readonly Finding[]): readonly Finding[] {
  if (!findings.some(({ document }) => document)) return findings;
  const merged: { readonly finding: Finding; readonly documents: Documents }[] = [];
  const byIdentity = new Map<string, Documents>();
  for (const { document, ...finding } of findings) {
    const identity = document && JSON.stringify(finding);
    const known = identity === undefined ? undefined : byIdentity.get(identity);
    if (known && document) {
      known.set(JSON.stringify(document), document);
      continue;
    }
    const documents: Documents = new Map(document && [[JSON.stringify(document), document]]);
    if (identity !== undefined) byIdentity.set(identity, documents);
    merged.push({ finding, documents });
  }
  return merged.map(({ finding, documents }) => {
    if (documents.size === 0) return finding;
    const shown = [...documents.values()].slice(0, shownPlaces).map((place) => {
      return { message: place.expression === undefined ? "for this document" : "included here", place };
    });
    const more = documents.size - shown.length;
    return withRelated(finding, shown, documents.size, more === 1 ? "document" : "documents");
  });
}

function withRelated(
  finding: Finding,
  shown: NonNullable<Finding["related"]>,
  all: number,
  noun: string,
): Finding {
  const more = all - shown.length;
  const rest = more > 0 ? [{ message: `for ${more.toLocaleString("en-US")} more ${noun}` }] : [];
  return { ...finding, related: [...(finding.related ?? []), ...shown, ...rest] };
}

function limitFindings(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= most) return findings;
  const byFile = groupBy(findings, ({ place }) => place?.file);
  return [...byFile].flatMap(([, found]) => (found.length <= most ? found : limitOne(found)));
}

function limitOne(findings: readonly Finding[]): readonly Finding[] {
  const isError = ({ severity }: Finding) => severity === "error";
  const kept = [...findings.filter(isError), ...findings.filter((each) => !isError(each))];
  const left = kept.splice(most);
  const count = left.length;
  const message = say`${bare({ count }, count.toLocaleString("en-US"))} more problems like these are not listed`;
  const hint = "correct the listed problems, then run this again";
  // The place of the first one, as a starting point.
  const more = error("too-many-findings", left[0]?.place, message, hint);
  return [...kept, left.some(isError) ? more : { ...more, severity: "warning" }];
}
