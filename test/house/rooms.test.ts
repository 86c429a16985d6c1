import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { core, render, rooms } from "../../scripts/rooms.mjs";
import { sample } from "../harness/tier.js";

const home = fileURLToPath(new URL("../../", import.meta.url));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rooms-"));
  cpSync(join(home, "scripts"), join(folder, "scripts"), { recursive: true });
  cpSync(join(home, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function lint(): { readonly status: number | null; readonly output: string } {
  const linter = join(home, "node_modules/oxlint/bin/oxlint");
  // Without a named format the linter chooses one by the environment.
  const { status, stdout } = spawnSync(process.execPath, [linter, "--format=unix", "src"], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, output: stdout };
}

function importing(path: string, from: string): void {
  write(path, `import { there } from "${from}";\n\n/** Uses it. */\nexport const here: number = there;\n`);
}

const pairs = [core, render].flatMap((order) =>
  order.flatMap((room, at) => order.slice(at + 1).map((later) => [room, later] as const)),
);

test("an import from an earlier room to a later one is an error, for every pair of them", () => {
  for (const [room, later] of pairs) {
    const to = later.replace("/", "-");
    importing(`src/${room}/uses-${to}.ts`, `../../${later}/there.js`);
    write(`src/${later}/there.ts`, "/** A number. */\nexport const there = 1;\n");
  }
  const { status, output } = lint();
  const told = [...output.matchAll(/`([\w/-]+)` may not import from `([\w/-]+)`/g)].map((found) =>
    found.slice(1),
  );
  expect(told.toSorted()).toEqual(pairs.map((pair) => [...pair]).toSorted());
  expect(status).toBe(1);
});

test("a later room may import from an earlier one", () => {
  importing("src/core/plan/here.ts", "../state/there.js");
  write("src/core/state/there.ts", "/** A number. */\nexport const there = 1;\n");
  expect(lint()).toMatchObject({ status: 0 });
});

test("core has no modules of Node, no other packages than a few, no clock and no chance", () => {
  const lines = [
    'export { readFileSync } from "node:fs";',
    'export { sep } from "path";',
    'export { Client } from "pg";',
    "export const at = Date.now();",
    "export const today = new Date();",
    "export const odds = Math.random();",
    "export const { exit } = globalThis.process;",
  ];
  write("src/core/plan/here.ts", ['export { parse } from "yaml";', ...lines].join("\n"));
  const refused = [...lint().output.matchAll(/here\.ts:(\d+):/gu)].map(([, line]) => Number(line));
  expect(refused.toSorted((one, other) => one - other)).toEqual([2, 3, 4, 5, 6, 7, 8]);
});

// The settings of one folder take the place of those of all.
test("no room but `disk` asks the system for a real path", () => {
  const folders = ["cli", "disk", "service", "store/git", "workspace"];
  for (const folder of folders) write(`src/${folder}/here.ts`, 'export { realpathSync } from "node:fs";\n');
  write("src/disk/real-path.ts", 'export { realpathSync } from "node:fs";\n');
  const refused = lint().output.match(/(?<=src\/)[\w/]+(?=\.ts:\d)/gu);
  expect(refused?.toSorted()).toEqual(folders.map((folder) => `${folder}/here`));
});

const forms = [
  "export * from",
  "export { there } from",
  "import type { There } from",
  "export const late = () => import(",
];
test.each(sample("forms of an import", forms, 1))("`%s` counts as an import", (form) => {
  const end = form.endsWith("(") ? ")" : "";
  write("src/json/here.ts", `${form} ${end ? "" : " "}"../core/plan/there.js"${end};\n`);
  expect(lint().output).toContain("`json` may not import from `core/plan`");
});

test("every room is a folder or a file of the source, and is named in ARCHITECTURE.md", () => {
  const text = readFileSync(join(home, "ARCHITECTURE.md"), "utf8");
  for (const room of rooms.keys()) {
    const [top = room] = room.split("/");
    expect(existsSync(join(home, "src", room)) || existsSync(join(home, "src", `${room}.ts`)), room).toBe(
      true,
    );
    expect(text, room).toContain(
      ["core", "render"].includes(top) ? `\`${room.slice(top.length + 1)}\`` : `src/${top}`,
    );
  }
});
