import { fill, type WorstCase } from "./worst-case.js";

/** A document with `for_each` and as many keys as fit into these bytes. */
function repeated(bytes: number, spec: readonly string[], parameters = "{}", name = "a-${each:key}"): string {
  const keys = fill(bytes, (index) => `  k${index}: ${parameters}\n`);
  const count = keys.split("\n").length - 1;
  const kept = count > 10_000 ? keys.split("\n").slice(0, 10_000).join("\n") : keys;
  return [
    "apiVersion: agentform/v1",
    "kind: Agent",
    `metadata: {name: "${name}"}`,
    "for_each:",
    kept.trimEnd(),
    "spec:",
    "  name: A",
    ...spec.map((line) => `  ${line}`),
    "",
  ].join("\n");
}

function listing(bytes: number, item: string): string {
  return `x: [${fill(bytes, () => `"${item}",`)}1]`;
}

/** What `for_each` multiplies: documents, templates, parameters, and their problems. */
export const forEachCases: readonly WorstCase[] = [
  {
    name: "for_each: a large document for many keys",
    files: (bytes) => ({ "agents/a.yaml": repeated(bytes / 2, [listing(bytes / 2, "a")]) }),
  },
  {
    name: "for_each: a large template for many keys",
    files: (bytes) => ({
      "agents/a.yaml": repeated(bytes / 2, ["system_prompt: ${template:t.md}"]),
      "agents/t.md": fill(bytes / 2, () => "${each:key} "),
    }),
  },
  {
    name: "for_each: a large file for many keys",
    files: (bytes) => ({
      "agents/a.yaml": repeated(bytes / 2, ["x: ${file:b.json}"]),
      "agents/b.json": `[${fill(bytes / 2, () => "1,")}1]`,
    }),
  },
  {
    name: "for_each: a large parameter in a long list",
    files: (bytes) => ({
      "agents/a.yaml": repeated(100, [listing(bytes / 2, "${each:p}")], `{p: "\${file:b.json}"}`),
      "agents/b.json": `[${fill(bytes / 2, () => "1,")}1]`,
    }),
  },
  {
    name: "for_each: a large parameter in many names",
    files: (bytes) => ({
      "agents/a.yaml": repeated(
        100,
        [listing(bytes / 2, "${policy:${each:p}${each:p}}")],
        `{p: "\${file:b.md}"}`,
      ),
      "agents/b.md": "a".repeat(bytes / 2),
    }),
  },
  {
    name: "for_each: a large parameter in many labels",
    files: (bytes) => {
      const labels = fill(bytes / 2, (index) => `l${index}: "\${each:p}\${each:p}", `);
      const text = repeated(100, [], `{p: "\${file:b.md}"}`);
      return {
        "agents/a.yaml": text.replace("metadata: {", `metadata: {labels: {${labels}}, `),
        "agents/b.md": "a".repeat(bytes / 2),
      };
    },
  },
  {
    name: "for_each: unknown parameters for many keys",
    files: (bytes) => ({
      "agents/a.yaml": repeated(bytes / 2, [`x: [${fill(bytes / 2, (index) => `"\${each:u${index}}",`)}1]`]),
    }),
  },
  {
    name: "for_each: unknown parameters beside many known ones",
    files: (bytes) => ({
      "agents/a.yaml": repeated(
        500,
        [`x: [${fill(bytes / 2, (index) => `"\${each:name-${index}}",`)}1]`],
        `{${fill(bytes / 40, (index) => `nane_${index}: 1, `)}}`,
      ),
    }),
  },
  {
    name: "for_each: problems that differ for many keys",
    files: (bytes) => ({
      "agents/a.yaml": repeated(bytes / 2, [
        `features: [${fill(bytes / 2, () => `{priority: "\${each:key}"},`)}]`,
      ]),
    }),
  },
  {
    name: "for_each: labels that differ for many keys and are not there",
    files: (bytes) => {
      const labels = fill(bytes / 2, (index) => `l${index}: "\${each:u${index}}", `);
      const text = repeated(bytes / 2, []);
      return { "agents/a.yaml": text.replace("metadata: {", `metadata: {labels: {${labels}}, `) };
    },
  },
  {
    name: "for_each: names that are not valid",
    files: (bytes) => ({ "agents/a.yaml": repeated(bytes, [], "{}", "A ${each:key}") }),
  },
  {
    name: "for_each: a name for all keys",
    files: (bytes) => ({ "agents/a.yaml": repeated(bytes, [], "{p: a}", "${each:p}") }),
  },
  {
    name: "for_each: literals for many keys",
    files: (bytes) => ({
      "agents/a.yaml": repeated(bytes / 2, [`tools: [${fill(bytes / 2, () => `"agent:a-k1",`)}]`]),
    }),
  },
  {
    name: "for_each: many lost documents that any name may be of",
    files: (bytes) => ({
      "agents/a.yaml": fill(bytes / 2, (index) => {
        return `---\n{apiVersion: agentform/v1, kind: Agent, metadata: {name: "n${index}-\${each:key}"}, for_each: 1}\n`;
      }),
      "agents/b.yaml": repeated(100, [`x: [${fill(bytes / 2, (index) => `"\${agent:x${index}}",`)}1]`]),
    }),
  },
  {
    name: "for_each: a missing variable for many keys",
    files: (bytes) => ({
      "agents/a.yaml": repeated(bytes / 2, [listing(bytes / 2, "${var:missing}")]),
    }),
  },
];
