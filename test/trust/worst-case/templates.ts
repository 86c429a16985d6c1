import { agent, fill, type WorstCase } from "./worst-case.js";

/** Templates that each include the next `width` times, the last of this many bytes. */
function nested(name: string, width: number, depth: number, ending = "md"): WorstCase {
  return {
    name,
    files: (bytes) => ({
      "agents/a.yaml": agent([`system_prompt: \${template:t0.${ending}}`]),
      ...Object.fromEntries(
        Array.from({ length: depth }, (_, level) => [
          `agents/t${level}.${ending}`,
          wrap(
            ending,
            Array.from({ length: width }, () => `\${template:t${level + 1}.${ending}}`),
          ),
        ]),
      ),
      [`agents/t${depth}.${ending}`]: wrap(ending, ["a".repeat(Math.max(1, bytes - depth * width * 20))]),
    }),
  };
}

function wrap(ending: string, texts: readonly string[]): string {
  return ending === "json" ? JSON.stringify(texts) : texts.join("");
}

function listing(bytes: number, item: string): string {
  return `x: [${fill(bytes, () => `"${item}",`)}1]`;
}

/** What expands: templates, files and variables that are used again and again. */
export const templateCases: readonly WorstCase[] = [
  nested("templates: each includes the next twice", 2, 30),
  nested("templates: each includes the next 100 times", 100, 4),
  nested("templates: data that includes the next twice", 2, 30, "json"),
  nested("templates: a chain", 1, 3000),
  nested("templates: a chain of data", 1, 3000, "json"),
  {
    name: "templates: many small ones in one text",
    files: (bytes) => ({
      "agents/a.yaml": agent(["system_prompt: ${template:t.md}"]),
      "agents/t.md": fill(bytes, () => "${template:e.md}"),
      "agents/e.md": "a",
    }),
  },
  {
    name: "templates: one file in a long list",
    files: (bytes) => ({
      "agents/a.yaml": agent([listing(bytes, "${file:b.md}")]),
      "agents/b.md": "a".repeat(2000),
    }),
  },
  {
    name: "templates: one data file in a long list",
    files: (bytes) => ({
      "agents/a.yaml": agent([listing(bytes, "${file:b.json}")]),
      "agents/b.json": JSON.stringify(Array.from({ length: 1000 }, () => "${")),
    }),
  },
  {
    name: "templates: one large data file in many documents",
    files: (bytes) => ({
      "agents/a.yaml": fill(bytes / 2, (index) => {
        return `---\n${agent(["x: ${file:b.json}"], `a${index}`)}`;
      }),
      "agents/b.json": `[${fill(bytes / 2, () => "1,")}1]`,
    }),
  },
  {
    name: "templates: one large text in many files",
    files: (bytes) => ({
      ...Object.fromEntries(
        Array.from({ length: Math.floor(bytes / 2 / 200) }, (_, index) => [
          `agents/a${index}.yaml`,
          agent(["x: ${file:b.md}"], `a${index}`),
        ]),
      ),
      "agents/b.md": "a".repeat(bytes / 2),
    }),
  },
  {
    name: "templates: aliases of a list of files",
    files: (bytes) => ({
      "agents/a.yaml": agent([
        `x0: &x0 ["\${file:b.json}", "\${file:b.json}", "\${file:b.json}"]`,
        `x1: &x1 [${"*x0 ,".repeat(30)}1]`,
      ]),
      "agents/b.json": `[${fill(bytes, () => "1,")}1]`,
    }),
  },
  {
    name: "templates: one large variable in a long list",
    files: (bytes) => ({
      "agentform.yaml": `apiVersion: agentform/v1
kind: Workspace
metadata: {name: test}
spec:
  service: {base_url: "http://127.0.0.1:1", rai_base_url: "http://127.0.0.1:1", api_key: "\${env:K}"}
  variables: {v: "${"a".repeat(bytes / 2)}"}
`,
      "agents/a.yaml": agent([listing(bytes / 2, "${var:v}${var:v}")]),
    }),
  },
  {
    name: "templates: a circle in one file",
    files: (bytes) => ({
      "agents/a.yaml": agent(["system_prompt: ${template:t.md}"]),
      "agents/t.md": fill(bytes, () => "${template:t.md}"),
    }),
  },
  {
    name: "templates: files that are missing",
    files: (bytes) => ({ "agents/a.yaml": agent([listing(bytes, "${file:missing.md}")]) }),
  },
];
