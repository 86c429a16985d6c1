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
  return [
    row({
      work,
      seconds: median(measured.planned),
      memory: median(measured.planned, "memory"),
      floor: { name: "node -e 0", seconds: median(measured.node) },
      ratio: ratio(measured.planned, measured.node),
      target: { seconds: 2 },
    }),
  ];
}

const toolset = `apiVersion: agentform/v1
kind: ToolSet
metadata: {name: t}
spec: {tool_set_name: t, openapi_schema: "\${file:../api.json}"}
`;

function changed(text) {
  const document = JSON.parse(text);
  const parameter = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => operation.parameters ?? [])
    .find((each) => each.schema);
  parameter.schema.maxLength = 77;
  return JSON.stringify(document);
}
