import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyToEmulator } from "./agentform.mjs";
import { compare, median, ratio } from "./measure.mjs";
import { writeSmallWorkspace } from "./small-workspace.mjs";
import { row, wordsRow } from "./table.mjs";

const work = "plan, GitHub's REST description, one changed parameter";

/** Measures a plan of a tool set with a very large OpenAPI document in which one parameter changed. */
export async function measureDescription({ agentform, home, scratch, node, rounds = 7 }) {
  const source = join(home, "bench/documents/node_modules/@octokit/openapi/generated/api.github.com.json");
  if (!existsSync(source))
    return [wordsRow(work, "not installed: npm ci --prefix bench/documents", "≤ 2.00 s")];
  const text = readFileSync(source, "utf8");
  const directory = join(scratch, "description");
  writeSmallWorkspace(directory, { "api.json": text, "toolsets/t.yaml": toolset });
  await applyToEmulator(agentform, directory);
  writeFileSync(join(directory, "api.json"), changed(text));
  const measured = await compare({ planned: agentform.plan(directory), node }, rounds);
  const picked = await applyPicked(agentform, join(scratch, "picked"), text);
  const small = await applyPicked(agentform, join(scratch, "picked-small"), smallDocument);
  const warm = await compare({ picked: agentform.plan(picked), small: agentform.plan(small) }, rounds);
  return [
    row({
      work,
      seconds: median(measured.planned),
      memory: median(measured.planned, "memory"),
      floor: { name: "node -e 0", seconds: median(measured.node) },
      ratio: ratio(measured.planned, measured.node),
      target: { seconds: 2 },
    }),
    row({
      work: "plan, six operations of GitHub's REST description, unchanged",
      seconds: median(warm.picked),
      memory: median(warm.picked, "memory"),
      floor: { name: "a document of six operations", seconds: median(warm.small) },
      ratio: ratio(warm.picked, warm.small),
      target: { ratio: 1.2 },
    }),
  ];
}

const toolset = `apiVersion: agentform/v1
kind: ToolSet
metadata: {name: t}
spec: {tool_set_name: t, openapi_schema: "\${file:../api.json}"}
`;

const routes = ["/repos/{owner}/{repo}", "/user", "/gists", "/emojis", "/meta", "/zen"];

const smallDocument = JSON.stringify({
  openapi: "3.0.3",
  paths: Object.fromEntries(routes.map((path) => [path, { get: { description: "fine" } }])),
});

/** Applies a tool set of six operations of a document, and plans it once, so that the cache knows it. */
async function applyPicked(agentform, directory, text) {
  const operations = `operations: ${JSON.stringify(routes.map((path) => `GET ${path}`))}\n`;
  writeSmallWorkspace(directory, { "api.json": text, "toolsets/t.yaml": operations + toolset });
  await applyToEmulator(agentform, directory);
  return directory;
}

function changed(text) {
  const document = JSON.parse(text);
  const parameter = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => operation.parameters ?? [])
    .find((each) => each.schema);
  parameter.schema.maxLength = 77;
  return JSON.stringify(document);
}
