import { canonical, equal, isObject, type Json, type JsonObject, member } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { normal } from "../observation/sameness.js";
import { differingRuns, type Run } from "../review/differing-runs.js";
import type { ValueEdit } from "./value-edit.js";

/** The three forms of one value; undefined where it is not there. */
export interface ThreeForms<Value = Json | undefined> {
  /** What the service was last sent. */
  readonly sent: Value;
  /** What the service has. */
  readonly found: Value;
  /** What the documents say. */
  readonly desired: Value;
}

/** How somebody's edits in the service meet the documents: the smallest edits that make a document say what was found. */
export class Meeting {
  /** What the documents still say as it was sent: the edits that make them say what was found. */
  readonly edits: ValueEdit[] = [];
  /** What the documents say already: the same for what was sent. */
  readonly agreed: ValueEdit[] = [];
  /** The paths of what the documents have changed in another way since it was sent. */
  readonly conflicts: Path[] = [];

  constructor(forms: ThreeForms<JsonObject>) {
    this.#visit([], forms);
  }

  #visit(path: Path, forms: ThreeForms): void {
    const { sent, found, desired } = forms;
    if (same(sent, found)) return;
    if (isObject(sent) && isObject(found) && isObject(desired)) {
      this.#members(path, { sent, found, desired });
    } else if (same(found, desired)) this.agreed.push(...editsOf(path, sent, desired));
    else if (!equal(sent, desired)) this.conflicts.push(path);
    else if (Array.isArray(sent) && Array.isArray(found)) this.#items(path, sent, found);
    else this.edits.push(...editsOf(path, sent, keptValue(sent, found)));
  }

  #members(path: Path, { sent, found, desired }: ThreeForms<JsonObject>): void {
    const added: [string, Json][] = [];
    for (const key of new Set([...Object.keys(sent), ...Object.keys(found)])) {
      const forms = { sent: member(sent, key), found: member(found, key), desired: member(desired, key) };
      const isNew = forms.sent === undefined && forms.desired === undefined;
      if (isNew && forms.found !== undefined) added.push([key, forms.found]);
      else this.#visit([...path, key], forms);
    }
    // The last edit is made first.
    for (const [key, value] of added.toReversed())
      this.edits.push({ type: "add", path: [...path, key], value });
  }

  // A list is one value of its document: what is not as it was sent is compared as a whole.
  #items(path: Path, sent: readonly Json[], found: readonly Json[]): void {
    const runs = differingRuns(sent.map(canonical), found.map(canonical));
    if (!runs) {
      this.edits.push({ type: "set", path, value: [...found] });
      return;
    }
    for (const run of runs) this.#run(path, sent, found, run);
  }

  #run(path: Path, sent: readonly Json[], found: readonly Json[], { before, after }: Run): void {
    let [at] = after;
    const insert = (index: number, until: number): void => {
      if (until > at) this.edits.push({ type: "insert", path, index, items: found.slice(at, until) });
      at = until;
    };
    const isPaired = before[1] - before[0] === after[1] - after[0];
    for (let index = before[0]; index < before[1]; index++) {
      const item = sent[index] as Json;
      const partner = found.findIndex(
        (each, place) => place >= at && place < after[1] && isSameItem(item, each),
      );
      const alike = isPaired && partner === -1 ? after[0] + index - before[0] : partner;
      const value = alike >= at ? found[alike] : undefined;
      if (value === undefined || (partner === -1 && !isPaired)) {
        this.edits.push({ type: "remove", path: [...path, index] });
        continue;
      }
      insert(index, alike);
      at++;
      this.#visit([...path, index], { sent: item, found: value, desired: item });
    }
    insert(before[1], after[1]);
  }
}

function editsOf(path: Path, sent: Json | undefined, value: Json | undefined): ValueEdit[] {
  if (value === undefined) return [{ type: "remove", path }];
  return [{ type: sent === undefined ? "add" : "set", path, value }];
}

function keptValue(sent: Json | undefined, found: Json | undefined): Json | undefined {
  return typeof sent === "string" && typeof found === "string" ? keptText(sent, found) : found;
}

const composed = (line: string) => line.normalize("NFC");

// What services do to a text by themselves is no difference.
function same(one: Json | undefined, other: Json | undefined): boolean {
  if (typeof one === "string" && typeof other === "string") return normal(one) === normal(other);
  return equal(one, other);
}

// What says of an object in a list which one it is.
const names = ["type", "label", "name", "id", "_id", "key", "url"];

function isSameItem(one: Json, other: Json): boolean {
  if (!isObject(one) || !isObject(other)) return false;
  return names.some((name) => typeof one[name] === "string" && one[name] === other[name]);
}

/** Gives a text as found, but for what services change; white space before a text has meaning in Markdown. */
function keptText(sent: string, found: string): string {
  if (sent.trim() === "" || found.trim() === "") return found;
  const [before = ""] = /^\s*/.exec(found) ?? [];
  const [after = ""] = /\s+$/.exec(found) ?? /\s*$/.exec(sent) ?? [];
  const lineEnd = sent.includes("\r\n") ? "\r\n" : "\n";
  const own = sent.trim().split(/\r?\n/);
  const seen = found.trim().split(/\r?\n/);
  const runs = differingRuns(own.map(composed), seen.map(composed));
  let at = 0;
  const parts = (runs ?? [{ before: [0, own.length], after: [0, seen.length] } as const]).map((run) => {
    const kept = own.slice(at, run.before[0]);
    at = run.before[1];
    return [...kept, ...seen.slice(...run.after)];
  });
  return `${before}${[...parts.flat(), ...own.slice(at)].join(lineEnd)}${after}`;
}
