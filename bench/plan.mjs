/**
 * Measures start and plans of the built command line against floors in the same run.
 * `npm run build && node bench/plan.mjs`; the large OpenAPI document needs `npm install` in `bench/documents`.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeWorkspace } from "./make-workspace.mjs";
import { compare, ratio } from "./measure.mjs";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const node = process.execPath;
const cli = join(home, "dist/cli.js");
const scratch = mkdtempSync(join(tmpdir(), "agentform-bench-"));
const plan = (directory) => [node, cli, "plan", "--emulator", "-C", directory];
const apply = (directory) =>
  execFileSync(node, [cli, "apply", "--emulator", "--yes", "-C", directory], { stdio: "ignore" });
const rows = [];
const row = (work, figure, target) => rows.push({ work, figure, target });
const ms = (value) => `${value.toFixed(0)} ms`;

try {
  start();
  unchanged();
  oneChange();
  unlikeTexts();
  largeDocument();
  console.table(rows);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function start() {
  const { version, floor } = compare({ version: [node, cli, "--version"], floor: [node, "-e", "0"] }, 15);
  row("--version", `${ms(version.wall)}, node -e 0: ${ms(floor.wall)}`, "1.5 × node -e 0 + 30 ms");
}

function unchanged() {
  const directory = join(scratch, "w1000");
  makeWorkspace(directory, 1000);
  apply(directory);
  const { planned } = compare({ planned: plan(directory) });
  row(
    "1,000 resources in 1,000 files, no change",
    `${ms(planned.wall)}, ${planned.peak.toFixed(0)} MiB`,
    "1 s, 200 MB",
  );
}

function oneChange() {
  const [none, one] = [join(scratch, "w10k"), join(scratch, "w10k-changed")];
  makeWorkspace(none, 10_000);
  apply(none);
  cpSync(none, one, { recursive: true });
  const file = join(one, "documents/9/9999.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("temperature: 0.2", "temperature: 0.3"));
  const measured = compare({ one: plan(one), none: plan(none) }, 5);
  const { wall, peak } = measured.none;
  row("10,000 resources, no change", `${ms(wall)}, ${peak.toFixed(0)} MiB`, "");
  row("10,000 resources, one change / none", ratio(measured.one, measured.none).toFixed(3), "1.10");
}

function small(name, files) {
  const directory = join(scratch, name);
  const manifest = `apiVersion: agentform/v1
kind: Workspace
metadata: {name: bench}
spec:
  service: {base_url: "http://127.0.0.1:1", api_key: "\${env:KEY}", tool_ids: document_order}
`;
  for (const [file, text] of Object.entries({ "agentform.yaml": manifest, ...files })) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), text);
  }
  return directory;
}

function unlikeTexts() {
  const text = (seed) => {
    let state = seed;
    const word = () => ((state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % 100_000).toString(36);
    return Array.from({ length: 20_000 }, () => Array.from({ length: 8 }, word).join(" ")).join("\n");
  };
  const document = (at) => `apiVersion: agentform/v1
kind: Agent
metadata: {name: a}
spec: {name: a, system_prompt: "\${file:${at}}"}
`;
  const files = { "a.md": text(1), "b.md": text(2), "agents/a.yaml": document("../a.md") };
  const same = small("texts", files);
  apply(same);
  const other = join(scratch, "texts-changed");
  cpSync(same, other, { recursive: true });
  writeFileSync(join(other, "agents/a.yaml"), document("../b.md"));
  const measured = compare({ other: plan(other), same: plan(same) });
  row("two unlike texts of 20,000 lines", `${ms(measured.other.wall - measured.same.wall)} more`, "300 ms");
}

function largeDocument() {
  const source = join(home, "bench/documents/node_modules/@octokit/openapi/generated/api.github.com.json");
  if (!existsSync(source))
    return row("GitHub's REST description", "left out: npm install in bench/documents", "2 s");
  const text = readFileSync(source, "utf8");
  const directory = small("document", {
    "api.json": text,
    "toolsets/t.yaml": `apiVersion: agentform/v1
kind: ToolSet
metadata: {name: t}
spec: {tool_set_name: t, openapi_schema: "\${file:../api.json}"}
`,
  });
  apply(directory);
  const document = JSON.parse(text);
  const parameter = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => operation.parameters ?? [])
    .find((each) => each.schema);
  parameter.schema.maxLength = 77;
  writeFileSync(join(directory, "api.json"), JSON.stringify(document));
  const { planned } = compare({ planned: plan(directory) });
  row("GitHub's REST description, one changed parameter", ms(planned.wall), "2 s");
}
