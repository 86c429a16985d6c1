import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";

interface Extension {
  commandLine(
    settings: { readonly command: readonly string[]; readonly environment: string },
    args: readonly string[],
    shell: boolean,
  ): { readonly command: string; readonly args: readonly string[] };
  folderOf(file: string, manifests: readonly string[]): string | undefined;
}

const { commandLine, folderOf } = createRequire(import.meta.url)(
  "../../editors/vscode/command-line.js",
) as Extension;

test("a file belongs to the innermost workspace above it, and not to one whose name only begins alike", () => {
  const manifests = ["/w/agents/agentform.yaml", "/w/agents/inner/agentform.yaml"];
  expect(folderOf("/w/agents/a.yaml", manifests)).toBe("/w/agents");
  expect(folderOf("/w/agents/inner/a.yaml", manifests)).toBe("/w/agents/inner");
  expect(folderOf("/w/agents-x/a.yaml", manifests)).toBeUndefined();
  expect(folderOf("/w/a.yaml", manifests)).toBeUndefined();
  expect(folderOf(join("/w/agents", "..a.yaml"), manifests)).toBe("/w/agents");
});

test("where a shell reads the command line, each part is quoted", () => {
  const settings = { command: ["C:\\Program Files\\agentform.cmd", "-C", "a&b"], environment: "production" };
  expect(commandLine(settings, ["plan"], true)).toEqual({
    command: '"C:\\Program Files\\agentform.cmd"',
    args: ['"-C"', '"a&b"', '"plan"', '"-e"', '"production"'],
  });
  expect(commandLine(settings, ["plan"], false)).toEqual({
    command: "C:\\Program Files\\agentform.cmd",
    args: ["-C", "a&b", "plan", "-e", "production"],
  });
});

test("what a workspace sets as its environment is a name, or nothing", () => {
  for (const environment of ["", "a b", "x & calc", "-rf", '"']) {
    expect(commandLine({ command: ["agentform"], environment }, ["plan"], true).args).toEqual(['"plan"']);
  }
});
