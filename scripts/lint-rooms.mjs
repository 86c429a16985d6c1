/** A plugin of the linter: `house/rooms` refuses an import that the table of rooms does not allow. */
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

// The linter takes a plugin as a default export.
// oxlint-disable-next-line import/no-default-export
export default { meta: { name: "house" }, rules: { rooms: order } };
