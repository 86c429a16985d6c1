import { parseData } from "../document/document.js";
import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { say, bare, type Sentence } from "../finding/said.js";
import type { Includes } from "../expression/included-data.js";
import { isObject, type Json } from "../../json/json.js";
import { atPointer, pathOfPointer } from "../../json/json-pointer.js";
import type { Path } from "../../json/path.js";
import { mapSubschemas, keywords, otherKeywords, severalSchemas } from "./keywords.js";
import { didYouMean } from "../finding/nearest.js";

/** What a reference may lead to: the schema of the rule itself, or a file. */
interface Source {
  /** Empty for the rule itself. */
  readonly file: string;
  readonly root: Json;
  readonly place: (path: Path) => Place;
}

/** Checks a schema and what its `$ref`s lead to in it or in files; nothing is fetched, whatever an address says. */
export function linkSchema(
  root: Json,
  { file, place }: { readonly file: string; readonly place: (path: Path) => Place },
  includes: Includes,
) {
  const linking = new Linking(file, includes);
  const schema = linking.link(root, { file: "", root, place }, []);
  if (linking.isTooLarge) linking.findings.push(tooManySchemas(place([])));
  const { targets, findings } = linking;
  return { schema, targets, findings, files: linking.files };
}

class Linking {
  readonly targets: Record<string, Json> = {};
  readonly findings: Finding[] = [];
  /** The files that were read, undefined for those that are no data. */
  readonly #sources = new Map<string, Source | undefined>();
  #count = 0;

  constructor(
    /** The file of the rule. */
    private readonly file: string,
    private readonly includes: Includes,
  ) {}

  get files(): string[] {
    return [...this.#sources.keys()];
  }

  get isTooLarge(): boolean {
    return this.#count > mostSchemas;
  }

  /** Checks a schema of a source, and gives it with the names of its targets for references. */
  link(schema: Json, from: Source, base: Path): Json {
    const checked = checkSchemaOf(schema, (path) => from.place([...base, ...path]));
    this.#count += checked.count;
    this.findings.push(...checked.findings.map((each) => (from.file === "" ? each : withoutQuote(each))));
    if (checked.findings.length > 0 || this.isTooLarge) return true;
    const renamed = new Map<string, string>();
    for (const { text, path } of checked.references) {
      const target = this.#targetOf(text, from, from.place([...base, ...path]));
      if (target !== undefined) renamed.set(text, target);
    }
    return withReferences(schema, renamed);
  }

  #targetOf(text: string, from: Source, at: Place): string | undefined {
    const [path = "", pointer = ""] = text.split("#", 2);
    const source = path === "" ? from : this.#sourceAt(path, from, at);
    if (!source) return undefined;
    const name = `${source.file}#${pointer}`;
    if (Object.hasOwn(this.targets, name)) return name;
    const found = pointer === "" || pointer.startsWith("/") ? atPointer(source.root, pointer) : undefined;
    if (found === undefined) {
      const message = say`${{ source: text }} leads to nothing`;
      const hint =
        "a reference is written as `#/$defs/NAME`, or as `FILE#/PATH` with a file of the workspace";
      this.findings.push(error("rule-invalid", at, message, hint));
      return undefined;
    }
    // What it refers to may lead back to it.
    this.targets[name] = true;
    this.targets[name] = this.link(found, source, pathOfPointer(source.root, pointer));
    return name;
  }

  #sourceAt(path: string, from: Source, at: Place): Source | undefined {
    if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith("//")) {
      const hint = "copy the schema into a file of the workspace";
      this.findings.push(error("rule-invalid", at, say`${{ source: path }} is not in the workspace`, hint));
      return undefined;
    }
    const read = this.includes.read(from.file === "" ? this.file : from.file, path);
    if (!read.ok) {
      this.findings.push(error(read.code, at, read.message, read.hint));
      return undefined;
    }
    const { file, text } = read;
    if (this.#sources.has(file)) return this.#sources.get(file);
    const { value: root, findings } = parseData(file, text);
    this.findings.push(...findings);
    const place = (inside: Path) => ({ file, path: inside });
    const source = findings.length > 0 ? undefined : { file, root, place };
    this.#sources.set(file, source);
    return source;
  }
}

// No message quotes a file that a document includes.
function withoutQuote({ hint: _hint, parts: _parts, fixes: _fixes, ...finding }: Finding): Finding {
  const hint = "correct it: what a rule refers to is JSON Schema 2020-12, with the keywords that rules have";
  return { ...finding, message: "this is not a schema that a rule can refer to", hint };
}

function withReferences(schema: Json, renamed: ReadonlyMap<string, string>): Json {
  const own = mapSubschemas(schema, (each) => withReferences(each, renamed));
  if (!isObject(own) || typeof own.$ref !== "string") return own;
  return { ...own, $ref: renamed.get(own.$ref) ?? own.$ref };
}

/** The most schemas that a rule may consist of, those that it refers to among them. */
const mostSchemas = 500;

interface CheckedSchema {
  readonly findings: Finding[];
  /** What its references say, and where. */
  readonly references: { readonly text: string; readonly path: Path }[];
  /** How many schemas it consists of. */
  count: number;
}

/** Checks that a value is a schema with the keywords of a rule, each with a value of its sort. */
function checkSchemaOf(root: Json, place: (path: Path) => Place): CheckedSchema {
  const checked: CheckedSchema = { findings: [], references: [], count: 0 };
  const fail = (path: Path, message: Sentence, hint: Sentence, key = false): void => {
    checked.findings.push(error("rule-invalid", { ...place(path), ...(key && { key }) }, message, hint));
  };
  const visit = (schema: Json, path: Path): void => {
    if (++checked.count > mostSchemas || typeof schema === "boolean") return;
    if (!isObject(schema)) return fail(path, "a schema must be a mapping, `true` or `false`", anySchema);
    for (const [keyword, value] of Object.entries(schema)) {
      const at = [...path, keyword];
      const known = keywords.get(keyword);
      if (known === undefined) {
        const hint = otherKeywords.get(keyword) ?? didYouMean(keyword, keywords.keys()) ?? unknownHint;
        fail(at, say`unknown keyword ${{ field: keyword }}`, hint, true);
        continue;
      }
      const { sort, isRight, text } = known;
      if (!isRight(value)) fail(at, say`${{ field: keyword }} must be ${text}`, shapeHint);
      else if (sort === "schema") visit(value, at);
      else if (severalSchemas.has(sort))
        for (const [step, each] of partsOf(value)) visit(each, [...at, step]);
      else if (sort === "reference") checked.references.push({ text: String(value), path: at });
    }
  };
  visit(root, []);
  return checked;
}

function tooManySchemas(place: Place): Finding {
  const message = say`the rule consists of more than ${bare({ limit: mostSchemas }, mostSchemas.toLocaleString("en-US"))} schemas`;
  return error("rule-invalid", place, message, "split it into several rules");
}

const anySchema = "such as `{type: string}`";
const shapeHint = "rules are in JSON Schema 2020-12: https://json-schema.org/understanding-json-schema";
const unknownHint = "`agentform explain rule` and docs/how-to/rules.md have the keywords";

function partsOf(value: Json): [string | number, Json][] {
  if (Array.isArray(value)) return [...value.entries()];
  return isObject(value) ? Object.entries(value) : [];
}
