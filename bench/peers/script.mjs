/**
 * A simple script of one's own: reads the YAML of a workspace, creates what is not in a file of IDs, and writes
 * that file at the end. A changed document is an error, because the script cannot update anything.
 * `node script.mjs WORKSPACE URL IDS CONCURRENCY`
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { post } from "./post.mjs";
import { fillIn } from "./references.mjs";

const [workspace, url, file, concurrency] = process.argv.slice(2);
const known = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};

async function ensure({ kind, metadata: { name }, spec }) {
  const digest = createHash("sha256").update(JSON.stringify(spec)).digest("hex");
  if (known[name]?.digest === digest) return;
  if (known[name] !== undefined) throw new Error(`${name} has changed`);
  const ids = await post(
    url,
    kind,
    fillIn(spec, (each) => known[each].ids),
  );
  known[name] = { digest, ids };
}

async function ensureAll(documents) {
  const queue = documents.values();
  async function work() {
    // All senders take from one iterator.
    for (const document of queue) await ensure(document);
  }
  await Promise.all(Array.from({ length: Number(concurrency) }, work));
}

const folder = join(workspace, "documents");
const paths = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(".yaml"));
const documents = paths.map((path) => parse(readFileSync(join(folder, path), "utf8")));
await ensureAll(documents.filter(({ kind }) => kind !== "Agent"));
await ensureAll(documents.filter(({ kind }) => kind === "Agent"));
writeFileSync(file, JSON.stringify(known));
