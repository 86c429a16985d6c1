import type { Json, JsonObject } from "../../json/json.js";
import type { FieldOrigin } from "../../core/resources/field-origin.js";
import type { LockEntry, UnknownCreate } from "../../core/state/lock.js";
import { countText } from "../words/count-text.js";
import type { NamedLock } from "./lock-json.js";
import { stateWords } from "./lock-list-text.js";
import { listRetired, type ShownResource, type RetiredRow, type LockWithUsers } from "./lock-view.js";
import { outlineIn, outlineLines } from "../words/outline-text.js";
import { cutText } from "../words/cut-text.js";
import { indented, tableLines } from "../words/text-lines.js";
import { placeText } from "../words/place-text.js";
import { paletteOf } from "../words/palette.js";
import { safeLine } from "../words/terminal-text.js";
import { blockText } from "../words/value-text.js";

const width = 100;
const mostLines = 60;

/** Renders all that is known of an address, a line end at the end; long texts are cut. */
export function renderLockShowText(
  named: NamedLock & LockWithUsers,
  { address, state, entry, unknown }: ShownResource,
  { color, origins }: { readonly color: boolean; readonly origins: readonly FieldOrigin[] },
): string {
  const palette = paletteOf(color);
  const retired = listRetired(named).filter((object) => object.address === address);
  const word = stateWords[state];
  const sections = [
    [`${safeLine(address)}  ${state === "managed" ? word : palette.grave(word)}`],
    ...(entry ? entrySections(address, entry) : []),
    ...(unknown ? [unknownLines(unknown), titled("What was sent", bodyLines(address, unknown.body))] : []),
    ...(origins.length > 0
      ? [titled("From defaults and patches, as the workspace is now", originLines(origins))]
      : []),
    ...(retired.length > 0 ? [titled("Left behind", retiredLines(retired))] : []),
  ].filter((lines) => lines.length > 0);
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function entrySections(address: string, entry: LockEntry): string[][] {
  const { labels = {}, tools = {}, references = {}, attempted = [] } = entry;
  return [
    facts(entry),
    titled("Labels", pairLines(labels)),
    titled("Tools", pairLines(tools)),
    titled("References", pairLines(references)),
    titled("Last applied", bodyLines(address, entry.body)),
    ...attempted.map(({ body }) => titled("Tried with an uncertain outcome", bodyLines(address, body))),
  ];
}

function facts(entry: LockEntry): string[] {
  const { id, ids, tools, file, protect, on_removal, on_replaced, adopted, assumed } = entry;
  const lines = factLines({
    ID: id,
    IDs: tools ? undefined : ids?.join(", "),
    file,
    protect: protect ? "true" : undefined,
    "on removal": on_removal,
    "on replaced": on_replaced,
    adopted: typeof adopted === "string" ? adopted : adopted?.join(", "),
    assumed: assumed ? "the service never told what it holds" : undefined,
    "moved from": entry.moved_from?.join(", "),
    "merged from": entry.merged_from?.join(", "),
    digest: entry.digest,
  });
  return indented(lines, 2);
}

function unknownLines(create: UnknownCreate): string[] {
  const { operation, since, method, path, status, message, answer, ids = [], tools = {} } = create;
  const doubted = ids.map((id) => operationOf(id, tools)).join(", ");
  const lines = factLines({
    operation,
    since,
    request: `${method} ${path}`,
    status: status?.toString(),
    "request ID": create.request_id,
    message,
    answer,
    "IDs in doubt": ids.length > 0 ? doubted : undefined,
  });
  return titled("Unknown outcome", lines);
}

function operationOf(id: string, tools: Readonly<Record<string, string>>): string {
  const operation = Object.keys(tools).find((name) => tools[name] === id);
  return operation === undefined ? id : `${operation}=${id}`;
}

function originLines(origins: readonly FieldOrigin[]): string[] {
  return tableWithoutHead(
    origins.map((origin) => [safeLine(origin.path), origin.layer, safeLine(placeText(origin) ?? "")]),
  );
}

function retiredLines(rows: readonly RetiredRow[]): string[] {
  return tableWithoutHead(
    rows.map(({ id, operation = "", reason, used_by }) => [
      id ?? "no ID",
      reason,
      operation,
      used_by.join("; "),
    ]),
  );
}

function bodyLines(address: string, body: JsonObject): string[] {
  const lines = blockText(readable(address, body));
  const left = lines.length - mostLines;
  return [
    ...lines.slice(0, mostLines).map((line) => cutText(line, width)),
    ...(left > 0 ? [`… ${countText(left, "more line")}; --format json has all`] : []),
  ];
}

// Of an outline the operations are worth reading, and the digests are not.
function readable(address: string, body: JsonObject): Json {
  const members = Object.entries(body).map(([field, value]) => {
    const outline = outlineIn(address, field, value);
    return [field, outline ? outlineLines(outline) : value];
  });
  return Object.fromEntries(members);
}

function pairLines(pairs: Readonly<Record<string, string | readonly string[]>>): string[] {
  return tableWithoutHead(Object.entries(pairs).map(([name, ids]) => [name, [ids].flat().join(", ")]));
}

// What is not known has no line.
function factLines(facts: Readonly<Record<string, string | undefined>>): string[] {
  return tableWithoutHead(
    Object.entries(facts).flatMap(([name, fact]) => (fact === undefined ? [] : [[name, fact]])),
  );
}

function tableWithoutHead(rows: readonly (readonly string[])[]): string[] {
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 0);
  return tableLines(
    Array.from({ length: columns }, () => ""),
    rows,
  ).slice(1);
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...indented(lines, 2)];
}
