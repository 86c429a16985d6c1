import { readFileSync } from "node:fs";
import { join } from "node:path";
import { kindNames } from "../../src/core/kind/kinds.js";
import type { KindName } from "../../src/generated/kinds.js";

/** The part of a JSON Schema that the tables use. */
interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly readOnly?: boolean;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly definitions?: Readonly<Record<string, Schema>>;
}

interface Key {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

/** Renders what the schemas say of every key of the manifest and of documents, as a part of docs/reference/documents.md. */
export function renderKeyReference(): string {
  const manifest = keysOf(readSchema("workspace"));
  const kinds = kindNames.map((name) => ({ name, keys: keysOf(readSchema(name)) }));
  const [first, ...others] = kinds.map(({ keys }) => keys);
  const shared = (first ?? []).filter((key) =>
    others.every((keys) => keys.some((each) => key.path !== "kind" && sameKey(each, key))),
  );
  const sections = [
    "### Keys of the manifest",
    renderTable(manifest),
    "### Keys of every document",
    renderTable(shared),
  ];
  for (const { name, keys } of kinds) {
    const own = keys.filter((key) => !shared.some((each) => sameKey(each, key)));
    sections.push(`### Keys of ${titles[name]}`, renderTable(own));
  }
  return sections.join("\n\n");
}

const titles: Readonly<Record<KindName, string>> = {
  policy: "a policy",
  toolset: "a tool set",
  credential: "a credential",
  agent: "an agent",
};

function sameKey(one: Key, other: Key): boolean {
  return one.path === other.path && one.type === other.type && one.text === other.text;
}

function readSchema(name: string): Schema {
  return JSON.parse(readFileSync(join("schemas", `${name}.schema.json`), "utf8")) as Schema;
}

function renderTable(keys: readonly Key[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const rows = keys.map(({ path, type, text }) => `| \`${cell(path)}\` | ${cell(type)} | ${cell(text)} |`);
  return ["| key | value | meaning |", "|---|---|---|", ...rows].join("\n");
}

function keysOf(root: Schema): Key[] {
  const keys: Key[] = [];
  const firsts = new Map<Schema, string>();
  const add = (path: string, member: Schema, isRequired: boolean) => {
    const [text] = variantsOf(member, root, true).flatMap(({ description }) => description ?? []);
    if (text === undefined) throw new Error(`${path} has no description`);
    const first = variantsOf(member, root)
      .map((each) => firsts.get(each))
      .find((each) => each !== undefined);
    const more = first === undefined ? "" : ` Its keys are those of \`${first}\`.`;
    keys.push({ path, type: typeOf(member, root, isRequired), text: `${text}${more}` });
    if (first === undefined) visit(member, path);
  };
  const visit = (schema: Schema, path: string) => {
    for (const each of variantsOf(schema, root)) {
      const members = Object.entries(each.properties ?? {});
      if (members.length > 0) firsts.set(each, path);
      for (const [name, member] of members) {
        add(path === "" ? name : `${path}.${name}`, member, each.required?.includes(name) === true);
      }
      if (each.items) visit(each.items, `${path}[]`);
      const { additionalProperties: named } = each;
      if (typeof named !== "object") continue;
      if (variantsOf(named, root).some(({ description }) => description !== undefined))
        add(`${path}.NAME`, named, false);
      else visit(named, `${path}.NAME`);
    }
  };
  visit(root, "");
  return keys;
}

/** The schemas that a value may have to match: what `$ref`, `allOf` and `anyOf` lead to, but for references as texts. */
function variantsOf(schema: Schema, root: Schema, withItself = false): Schema[] {
  const { $ref, anyOf = [], allOf = [] } = schema;
  if ($ref !== undefined) {
    const name = $ref.replace("#/definitions/", "");
    const target = root.definitions?.[name];
    if (!target) throw new Error(`there is no definition ${name}`);
    return name === "expression" && !withItself ? [] : variantsOf(target, root, withItself);
  }
  return [schema, ...[...allOf, ...anyOf].flatMap((each) => variantsOf(each, root, withItself))];
}

function typeOf(schema: Schema, root: Schema, isRequired: boolean): string {
  const variants = variantsOf(schema, root);
  const words = variants.flatMap((each) => {
    if (each.const !== undefined) return [`\`${String(each.const)}\``];
    if (each.enum) return each.enum.map((choice) => `\`${String(choice)}\``);
    return [each.type ?? []].flat().map((type) => typeWords[type] ?? type);
  });
  const [standard] = variants.flatMap(({ default: value }) => (value === undefined ? [] : [value]));
  const shown = standard === undefined ? "" : `; \`${unquoted(standard)}\` unless given`;
  const any = words.length > 0 ? [...new Set(words)].join(" or ") : "anything";
  const mark = isRequired ? "; required" : variants.some(({ readOnly }) => readOnly) ? "; read-only" : "";
  return `${any}${shown}${mark}`;
}

const typeWords: Readonly<Record<string, string>> = {
  object: "mapping",
  array: "list",
  string: "text",
  boolean: "true or false",
  null: "empty",
};

function unquoted(value: unknown): string {
  return Array.isArray(value) ? `[${value.join(", ")}]` : String(value);
}
