/**
 * Counts the lines of YAML of this workspace, and those that the same resources take without `for_each`, `defaults`
 * and `operations`: one document for each resource, as `agentform render` gives it, in the same style.
 *
 *   npm run build && node examples/fleet/count.mjs
 *
 * Counted is one key or one list item a line, without comments and empty lines, for both. What an author keeps in
 * files (prompts, formats, OpenAPI documents) is one line in a document, a `${file:…}`, and not counted otherwise.
 * A document that is in both environments is counted once, and the manifest without its `defaults`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const cli = join(folder, "../../dist/cli.js");
const environments = ["staging", "production"];
const documentFolders = ["policies", "toolsets", "credentials", "agents", "environments"];
/** The fields whose values are in files. */
const included = new Set(["system_prompt", "response_format", "openapi_schema"]);

if (!existsSync(cli)) {
  console.error("This needs the built command line: npm run build");
  process.exit(1);
}
const written = ["agentform.yaml", "languages.yaml", ...documentFolders.flatMap(yamlFilesOf)];
const lines = new Map(written.map((file) => [file, linesOf(file)]));
const documents = new Map(environments.flatMap(render).map((document) => [addressOf(document), document]));

const asWritten = sum([...lines.values()].map(({ length }) => length));
const manifest = withoutDefaults(lines.get("agentform.yaml") ?? []).length;
const asDocuments = manifest + sum([...documents.values()].map((document) => size(document)));
const share = asWritten / asDocuments;

for (const kind of ["Agent", "Policy", "ToolSet", "Credential"]) {
  const all = [...documents.values()].filter((document) => document.kind === kind);
  console.log(`${kind.padEnd(12)}${String(all.length).padStart(4)}`);
}
console.log(`
lines of this workspace    ${String(asWritten).padStart(6)}   in ${written.length} files
lines without the forms    ${String(asDocuments).padStart(6)}   in ${documents.size + 1} files
share                      ${(100 * share).toFixed(1).padStart(6)} %`);
process.exitCode = share < 0.25 ? 0 : 1;

function yamlFilesOf(name) {
  if (!existsSync(join(folder, name))) return [];
  const files = readdirSync(join(folder, name), { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(".yaml")).map((file) => join(name, file));
}

// A line that held a whole list or mapping would count for less than those of a rendered document.
function linesOf(file) {
  const all = readFileSync(join(folder, file), "utf8").split("\n");
  const counted = all.filter((line) => /^\s*[^\s#]/.test(line));
  const folded = counted.find((line) => /(?:^|[:-])\s+[[{]/.test(line));
  if (folded !== undefined) throw new Error(`${file} has more than one item in the line ${folded.trim()}`);
  return counted;
}

function withoutDefaults(all) {
  const from = all.indexOf("  defaults:");
  const length = all.slice(from + 1).findIndex((line) => /^ {0,2}\S/.test(line));
  return all.toSpliced(from, length === -1 ? all.length : length + 1);
}

function render(environment) {
  const args = [cli, "render", "-C", folder, "-e", environment, "--format", "json"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`agentform render -e ${environment} failed:\n${stderr}`);
  return JSON.parse(stdout).documents;
}

function addressOf({ kind, metadata }) {
  return `${kind}:${metadata.name}`;
}

/** The number of lines of a value, below the key or beside the dash that it belongs to. */
function size(value) {
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) return sum(value.map((item) => Math.max(1, size(item))));
  return sum(Object.entries(value).map(([key, member]) => 1 + (included.has(key) ? 0 : size(member))));
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
