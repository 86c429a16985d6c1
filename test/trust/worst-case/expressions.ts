import { agent, fill, type WorstCase } from "./worst-case.js";

function prompt(name: string, text: (bytes: number) => string): WorstCase {
  return {
    name,
    files: (bytes) => ({
      "agents/a.yaml": agent(["system_prompt: ${template:p.md}"]),
      "agents/p.md": text(bytes),
    }),
  };
}

/** Texts full of what looks like an expression. */
export const expressionCases: readonly WorstCase[] = [
  prompt("expressions: openings", (bytes) => "${".repeat(bytes / 2)),
  prompt("expressions: openings with a scheme", (bytes) => fill(bytes, () => "${file:")),
  prompt("expressions: openings with a scheme, one a line", (bytes) => fill(bytes, () => "${file:\n")),
  prompt("expressions: openings with a long scheme", (bytes) => fill(bytes, () => `\${${"a".repeat(1000)}`)),
  prompt("expressions: one long scheme", (bytes) => `\${${"a".repeat(bytes)}`),
  prompt("expressions: unknown schemes", (bytes) => fill(bytes, (index) => `\${a${index}:b}`)),
  prompt("expressions: unknown references", (bytes) => fill(bytes, (index) => `\${policy:b${index}}`)),
  prompt("expressions: references to one policy", (bytes) => fill(bytes, () => "${policy:b}")),
  prompt("expressions: environment variables", (bytes) => fill(bytes, (index) => `\${env:B${index}}`)),
  prompt("expressions: undeclared variables", (bytes) => fill(bytes, (index) => `\${var:b${index}}`)),
  prompt("expressions: escapes", (bytes) => fill(bytes, () => "$${")),
  prompt("expressions: dollars", (bytes) => "$".repeat(bytes)),
  prompt("expressions: braces", (bytes) => `\${policy:${"{".repeat(bytes)}`),
  prompt("expressions: one long locator", (bytes) => `\${policy:${" ".repeat(bytes)}}`),
  prompt("expressions: one long environment variable", (bytes) => `\${env:${"A".repeat(bytes)}!}`),
  {
    name: "expressions: references in a list",
    files: (bytes) => ({
      "agents/a.yaml": agent([`tools: [${fill(bytes, (i) => `"\${toolset:t${i}}",`)}"a"]`]),
    }),
  },
  {
    name: "expressions: agents that refer to one another",
    files: (bytes) => {
      const count = Math.floor(Math.sqrt(bytes / 20));
      const refs = Array.from({ length: count }, (_, index) => `"\${agent:a${index}}"`).join(",");
      return {
        "agents/a.yaml": Array.from({ length: count }, (_, index) => {
          return `---\n${agent([`managed: [${refs}]`], `a${index}`)}`;
        }).join(""),
      };
    },
  },
  {
    name: "expressions: a chain of agents",
    files: (bytes) => {
      const count = Math.floor(bytes / 140);
      return {
        "agents/a.yaml": Array.from({ length: count }, (_, index) => {
          return `---\n${agent([`m: "\${agent:a${index + 1}}"`], `a${index}`)}`;
        }).join(""),
      };
    },
  },
  {
    name: "expressions: one name for every document",
    files: (bytes) => ({ "agents/a.yaml": fill(bytes, () => `---\n${agent()}`) }),
  },
];
