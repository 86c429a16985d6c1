/** The objects of a workspace as plain JSON, for the comparisons that do not read YAML. */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/** Writes `[{kind, name, spec}]` for all documents of a workspace made by makeWorkspace with one per file. */
export function writeObjects(workspace, file) {
  const documents = join(workspace, "documents");
  const paths = readdirSync(documents, { recursive: true }).filter((path) => path.endsWith(".yaml"));
  const objects = paths.map((path) => {
    const { kind, metadata, spec } = parse(readFileSync(join(documents, path), "utf8"));
    return { kind, name: metadata.name, spec };
  });
  writeFileSync(file, JSON.stringify(objects));
}
