import { bare, say, type Sentence } from "../finding/said.js";
import { parseAdoption, type Adoption } from "../plan/adoption.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { countKeys, depthLimit, isObject, type Json } from "../../json/json.js";
import { notCreated } from "./told-identity.js";
import { repeatsKey } from "../../json/json-text.js";
import { parseJson } from "../../json/parse-json.js";

/** An address with its value in a file: an ID, the `operation=ID` pairs of a tool set, or a word. */
export interface FileEntry {
  readonly address: string;
  readonly value: Adoption;
}

/** The content of a file, with all its problems. */
export interface EditFile {
  readonly entries: readonly FileEntry[];
  readonly findings: readonly Finding[];
}

/** Parses IDs by address: a JSON object, or CSV with `address` and `id`; a tool set has `operation=ID,…` in either. */
export function parseEditFile(text: string, file: string): EditFile {
  const plain = text.replace(/^\uFEFF/, "");
  const offset = text.length - plain.length;
  return /^\s*[{[]/.test(plain) ? parseEntries(plain, file, offset) : parseCsv(plain, file, offset);
}

function parseEntries(text: string, file: string, offset: number): EditFile {
  const fail = (message: Sentence, at = 0) => error("file-syntax", { file, offset: offset + at }, message);
  const { value, offset: end } = parseJson(text);
  if (value === undefined) return nothing(fail("the file is not valid JSON", end));
  if (!isObject(value)) return nothing(fail("the file must be an object with addresses as keys"));
  const keys = countKeys(value, depthLimit);
  if (Number.isNaN(keys)) return nothing(fail("the file is nested too deeply"));
  if (repeatsKey(text, keys)) return nothing(fail("the file has a duplicate key"));
  const entries: FileEntry[] = [];
  const findings: Finding[] = [];
  for (const [address, member] of Object.entries(value)) {
    const read = readMember(address, member);
    if (read === undefined)
      findings.push(fail(say`${bare({ address })} must have an ID, or IDs of operations`));
    else entries.push({ address, value: read });
  }
  return { entries, findings };
}

function readMember(address: string, member: Json): Adoption | undefined {
  if (isObject(member)) {
    const pairs = Object.entries(member).map(([operation, id]) => [operation, idOf(id)] as const);
    return pairs.some(([, id]) => id === undefined) ? undefined : pairs.map((pair) => pair.join("="));
  }
  if (!Array.isArray(member)) {
    const text = idOf(member);
    return text === undefined ? undefined : readText(address, text);
  }
  const pairs = member.filter((each) => typeof each === "string");
  return pairs.length === member.length ? pairs : undefined;
}

function readText(address: string, text: string): Adoption {
  return text === notCreated ? text : parseAdoption(address, text);
}

function idOf(value: Json): string | undefined {
  return Number.isSafeInteger(value) ? String(value) : typeof value === "string" ? value : undefined;
}

function nothing(finding: Finding): EditFile {
  return { entries: [], findings: [finding] };
}

interface CsvRow {
  readonly cells: readonly string[];
  readonly offset: number;
}

function parseCsv(text: string, file: string, offset: number): EditFile {
  const fail = (message: Sentence, at: number) =>
    error("file-syntax", { file, offset: offset + at }, message);
  const rows = parseRows(text);
  if (typeof rows === "number") return nothing(fail("invalid CSV: unclosed quote", rows));
  const [header, ...lines] = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  const names = header?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const [addressColumn, idColumn] = [names.indexOf("address"), names.indexOf("id")];
  if (addressColumn < 0 || idColumn < 0) {
    return nothing(fail("the first line must name the columns `address` and `id`", 0));
  }
  const values = new Map<string, Adoption>();
  const whole = new Set<string>();
  const findings: Finding[] = [];
  for (const { cells, offset: at } of lines) {
    const [name, id] = [(cells[addressColumn] ?? "").trim(), (cells[idColumn] ?? "").trim()];
    const slash = name.indexOf("/");
    const address = slash < 0 ? name : name.slice(0, slash);
    const pairs = values.get(address);
    if (name === "" || id === "") findings.push(fail("the line must have an address and an ID", at));
    else if (/^\d(\.\d+)?E\+\d+$/.test(id))
      findings.push(fail("the ID is a number that a spreadsheet has rounded: write all of its digits", at));
    else if (cells.length > names.length) {
      findings.push(
        fail("the line has more cells than the first: put cells that contain commas in quotes", at),
      );
    } else if (slash < 0 ? pairs !== undefined : whole.has(address)) {
      findings.push(fail(say`duplicate address ${bare({ address })}`, at));
    } else if (slash < 0) {
      values.set(address, readText(address, id));
      whole.add(address);
    } else {
      const pair = `${name.slice(slash + 1)}=${id}`;
      // A copy for each line would be work that grows with the square of the file.
      if (Array.isArray(pairs)) pairs.push(pair);
      else values.set(address, [pair]);
    }
  }
  return { entries: Array.from(values, ([address, value]) => ({ address, value })), findings };
}

// RFC 4180: quoted cells may contain commas, line ends and doubled quotes. Gives the offset of the first mistake.
function parseRows(text: string): CsvRow[] | number {
  const rest = /([^",\r\n]*)(,|\r?\n|$)/y;
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let start = 0;
  for (;;) {
    const at = rest.lastIndex;
    const close = text[at] === '"' ? closingQuote(text, at + 1) : undefined;
    if (close !== undefined) rest.lastIndex = close + 1;
    const match = rest.exec(text);
    if (!match || close === -1) return at;
    const [, plain = "", end] = match;
    if (close !== undefined && plain !== "") return at;
    cells.push(close === undefined ? plain : text.slice(at + 1, close).replaceAll('""', '"'));
    if (end === ",") continue;
    rows.push({ cells, offset: start });
    if (end === "") return rows;
    cells = [];
    start = rest.lastIndex;
  }
}

// A pattern with a repeat for each doubled quote would need a place of the stack for each.
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}
