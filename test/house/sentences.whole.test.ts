import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { wholeTest } from "../harness/tier.js";

const home = fileURLToPath(new URL("../../", import.meta.url));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sentences-"));
  cpSync(join(home, "scripts"), join(folder, "scripts"), { recursive: true });
  cpSync(join(home, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Gives the lines of a file that the linter says read a sentence. */
function refusedIn(path: string, lines: readonly string[]): string[] {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.join("\n"));
  const linter = join(home, "node_modules/oxlint/bin/oxlint");
  const { stdout } = spawnSync(process.execPath, [linter, "--format", "unix", "src"], {
    cwd: folder,
    encoding: "utf8",
  });
  rmSync(file);
  const told = stdout.split("\n").filter((line) => line.includes("is a sentence, and is not read"));
  return told.map((line) => lines[Number(line.split(":")[1]) - 1] ?? line);
}

const reading = [
  "export const a = (message) => message.includes('RAI');",
  "export const b = ({ hint }) => /did you mean `([^`]+)`/.exec(hint)?.[1];",
  "export const c = (finding) => finding.message.split(' ');",
  "export const d = (reasons) => reasons.map((reason) => reason.replace('x', ''));",
  "export const e = (action) => action.reasons[0].startsWith('agent:');",
  "export const f = (note) => note.message?.slice(3);",
  "export const g = ({ hint }) => (hint ?? '').match(/x/);",
  "export const h = ({ message: said }) => said.startsWith('x');",
  "export const i = (message) => message.trim().toLowerCase().includes('x');",
  "export const j = (note) => textOf(note.message).includes('x');",
  "export const k = (finding) => /x/.test(`${finding.file}: ${finding.message}`);",
  "export const l = (finding) => finding['hint'].endsWith('.');",
  "export const m = ({ hint }) => hint === 'write it';",
  "export const n = (finding) => { const advice = finding.hint; return advice.split(' '); };",
];

test("what reads a sentence of ours is an error wherever it is decided, shown or stored", () => {
  for (const room of ["core/plan", "render/words", "editor", "sync", "cli", "store"])
    expect(refusedIn(`src/${room}/here.ts`, reading), room).toEqual(reading);
});

wholeTest("elsewhere, for what a library says, and for lists and other texts it is none", () => {
  expect(refusedIn("src/service/here.ts", reading)).toEqual([]);
  expect(refusedIn("src/core/document/yaml-problem.ts", reading)).toEqual([]);
  const others = [
    "export const a = ({ reasons }) => reasons.slice(0, 1);",
    "export const b = (text) => text.includes('message');",
    "export const c = (message) => message.length;",
    "export const d = (path) => path.split('/');",
    "export const e = ({ reason }) => reason === 'forgotten';",
  ];
  expect(refusedIn("src/core/plan/here.ts", others)).toEqual([]);
});
