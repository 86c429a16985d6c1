/**
 * A plugin of the linter: `house/rooms` refuses an import that the table of rooms does not allow, and
 * `house/sentences` what reads a sentence of ours as if it were data.
 */
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { roomOf, rooms } from "./rooms.mjs";

const source = join(dirname(dirname(fileURLToPath(import.meta.url))), "src");

const order = {
  create(context) {
    const path = relative(source, context.filename).split(sep).join("/");
    if (path.startsWith("../")) return {};
    const from = roomOf(path.replace(/\.\w+$/, ""));
    const check = (node) => {
      const name = node?.value;
      if (typeof name !== "string" || !name.startsWith(".")) return;
      const to = roomOf(
        join(dirname(path), name)
          .split(sep)
          .join("/")
          .replace(/\.\w+$/, ""),
      );
      if (from === to || rooms.get(from).includes(to)) return;
      context.report({ node, message: `\`${from}\` may not import from \`${to}\`: see scripts/rooms.mjs` });
    };
    return {
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      TSImportType: (node) => check(node.argument?.literal ?? node.argument),
    };
  },
};

const sentences = new Set(["message", "hint", "reason", "sentence", "because"]);
const readers = new Set(
  "test exec match matchAll search includes startsWith endsWith replace replaceAll indexOf lastIndexOf split slice substring at".split(
    " ",
  ),
);

/** The files that may read sentences, because these are of a library that has nothing else to tell. */
const readOfLibraries = new Map([
  ["core/document/yaml-problem.ts", "`yaml` has one code for an unclosed quote and an unclosed bracket"],
  ["cli/help/explain-usage.ts", "commander puts a word before every message"],
  ["store/postgres/postgres-line.ts", "`pg` has no codes for its own faults"],
  ["store/git/git-remote.ts", "git tells in words alone why a push is refused"],
]);

/** The name by which a value is read: that of a variable, or of a member. */
function nameOf(node) {
  switch (node?.type) {
    case "Identifier":
      return node.name;
    case "MemberExpression":
      return node.computed ? nameOf(node.object) : node.property.name;
    case "ChainExpression":
    case "TSAsExpression":
    case "TSNonNullExpression":
    case "ParenthesizedExpression":
      return nameOf(node.expression);
    case "LogicalExpression":
      return nameOf(node.left);
    default:
      return undefined;
  }
}

const unread = {
  create(context) {
    const path = relative(source, context.filename).split(sep).join("/");
    if (!/^(?:core|render|editor|sync|workspace|store|cli|page)\//.test(path) || readOfLibraries.has(path))
      return {};
    // What a sentence is called where it is taken out of its object under another name.
    const others = new Set();
    const isSentence = (name, method) =>
      others.has(name) || (sentences.has(name?.replace(/s$/, "")) && !isList(name, method));
    return {
      ObjectPattern({ properties }) {
        for (const { key, value } of properties) {
          if (!sentences.has(key?.name)) continue;
          const name = value.type === "AssignmentPattern" ? value.left.name : value.name;
          if (name !== undefined && name !== key.name) others.add(name);
        }
      },
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== "MemberExpression" || callee.computed) return;
        const method = callee.property.name;
        if (!readers.has(method)) return;
        const names = [nameOf(callee.object)];
        if (method === "test" || method === "exec") names.push(nameOf(node.arguments[0]));
        const name = names.find((each) => isSentence(each, method));
        if (name === undefined) return;
        context.report({
          node,
          message: `\`${name}\` is a sentence, and is not read: give what is needed of it as data`,
        });
      },
    };
  },
};

// A list of sentences may be looked through as a list.
function isList(name, method) {
  return name.endsWith("s") && ["slice", "indexOf", "lastIndexOf", "includes", "at"].includes(method);
}

// The linter takes a plugin as a default export.
// oxlint-disable-next-line import/no-default-export
export default { meta: { name: "house" }, rules: { rooms: order, sentences: unread } };
