/**
 * A plugin of the linter: `house/rooms` refuses an import that the table of rooms does not allow, and what is not for
 * core; `house/sentences` refuses what reads a sentence of ours as if it were data.
 */
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { roomOf, rooms } from "./rooms.mjs";

const source = join(dirname(dirname(fileURLToPath(import.meta.url))), "src");

/** The packages that core may use: these know nothing of files, network and time. */
const pureLibraries = /^(?:ajv|diff|re2js|yaml)(?:\/|$)/;

const order = {
  create(context) {
    const path = relative(source, context.filename).split(sep).join("/");
    if (path.startsWith("../")) return {};
    const from = roomOf(path.replace(/\.\w+$/, ""));
    const isPure = /^(?:core|json)\//.test(path);
    const check = (node) => {
      const name = node?.value;
      if (typeof name !== "string") return;
      if (!name.startsWith(".")) {
        if (isPure && !pureLibraries.test(name))
          context.report({ node, message: "core is pure: no modules of Node, no terminal, no network" });
        return;
      }
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
      NewExpression(node) {
        if (isPure && node.callee.name === "Date" && node.arguments.length === 0)
          context.report({ node, message: "core is pure: no clock" });
      },
    };
  },
};

const sentences = new Set(["message", "hint", "reason", "sentence", "because"]);
const readers = new Set(
  "test exec match matchAll search includes startsWith endsWith replace replaceAll indexOf lastIndexOf split slice substring at".split(
    " ",
  ),
);

/** The files that may read sentences, because these are not ours: of a library that has nothing else to tell, or a user's. */
const readOfLibraries = new Map([
  ["core/document/yaml-problem.ts", "`yaml` has one code for an unclosed quote and an unclosed bracket"],
  ["cli/help/explain-usage.ts", "commander puts a word before every message"],
  ["store/postgres/postgres-line.ts", "`pg` has no codes for its own faults"],
  ["store/git/git-remote.ts", "git tells in words alone why a push is refused"],
  ["core/guardrails/rule-verdicts.ts", "the author of a rule may have ended its message with a full stop"],
]);

/** The names by which a value is read: that of a variable or a member, also where another text is made of it. */
function namesOf(node) {
  switch (node?.type) {
    case "Identifier":
      return [node.name];
    case "MemberExpression":
      if (!node.computed) return [node.property.name];
      return typeof node.property.value === "string" ? [node.property.value] : namesOf(node.object);
    case "CallExpression":
      return namesOf(node.callee.type === "MemberExpression" ? node.callee.object : node.arguments[0]);
    case "TemplateLiteral":
      return node.expressions.flatMap(namesOf);
    case "ChainExpression":
    case "TSAsExpression":
    case "TSNonNullExpression":
    case "ParenthesizedExpression":
      return namesOf(node.expression);
    case "LogicalExpression":
      return namesOf(node.left);
    default:
      return [];
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
    const refuse = (node, name) =>
      context.report({
        node,
        message: `\`${name}\` is a sentence, and is not read: give what is needed of it as data`,
      });
    return {
      ObjectPattern({ properties }) {
        for (const { key, value } of properties) {
          if (!sentences.has(key?.name)) continue;
          const name = value.type === "AssignmentPattern" ? value.left.name : value.name;
          if (name !== undefined && name !== key.name) others.add(name);
        }
      },
      VariableDeclarator({ id, init }) {
        if (init?.type === "MemberExpression" && sentences.has(namesOf(init)[0])) others.add(id.name);
      },
      BinaryExpression(node) {
        const sides = [node.left, node.right];
        if (!/^[!=]==$/.test(node.operator) || !sides.some(({ value }) => / /.test(value))) return;
        const name = sides.flatMap(namesOf).find((each) => isSentence(each, "is"));
        if (name !== undefined) refuse(node, name);
      },
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== "MemberExpression" || callee.computed) return;
        const method = callee.property.name;
        if (!readers.has(method)) return;
        const read = [callee.object, ...(["test", "exec"].includes(method) ? [node.arguments[0]] : [])];
        const name = read.flatMap(namesOf).find((each) => isSentence(each, method));
        if (name !== undefined) refuse(node, name);
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
