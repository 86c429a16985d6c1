import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { parseTar } from "nanotar";
import { chromium, type LaunchOptions } from "playwright-core";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** How Chromium is started, or null where none could be. */
    chromium: LaunchOptions | null;
  }
}

const require = createRequire(import.meta.url);
const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Chooses the Chromium of all tests: what `CHROMIUM` names, else the system's, else Chrome, else the one from npm. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "agentform-chromium-"));
  project.provide("chromium", await choose(folder));
  return () => rmSync(folder, { recursive: true });
}

async function choose(folder: string): Promise<LaunchOptions | null> {
  const { CHROMIUM } = process.env;
  if (CHROMIUM !== undefined) return { args, executablePath: CHROMIUM };
  const installed = ["chromium", "chromium-browser"].flatMap(pathsOf);
  for (const executablePath of installed)
    if (await starts({ args, executablePath })) return { args, executablePath };
  if (await starts({ args, channel: "chrome" })) return { args, channel: "chrome" };
  const unpacked = unpack(folder);
  return (await starts(unpacked)) ? unpacked : null;
}

async function starts(options: LaunchOptions): Promise<boolean> {
  try {
    await (await chromium.launch(options)).close();
    return true;
  } catch {
    return false;
  }
}

function pathsOf(program: string): string[] {
  const folders = process.env.PATH?.split(delimiter) ?? [];
  return folders.map((folder) => join(folder, program)).filter((path) => existsSync(path));
}

/** Unpacks Chromium from npm with the libraries and fonts that it brings, as the machine may have none. */
function unpack(folder: string): LaunchOptions {
  const packs = join(dirname(require.resolve("@sparticuz/chromium")), "../../bin");
  const read = (name: string) => brotliDecompressSync(readFileSync(join(packs, name)));
  const executablePath = join(folder, "chromium");
  writeFileSync(executablePath, read("chromium.br"), { mode: 0o700 });
  for (const { name, data } of ["al2023.tar.br", "fonts.tar.br"].flatMap((pack) => parseTar(read(pack)))) {
    if (data === undefined) continue;
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), data);
  }
  const fonts = join(folder, "fonts.conf");
  writeFileSync(fonts, `<fontconfig><dir>${folder}</dir><cachedir>${folder}/cache</cachedir></fontconfig>`);
  const { LD_LIBRARY_PATH, ...env } = process.env;
  const libraries = [join(folder, "lib"), ...(LD_LIBRARY_PATH?.split(delimiter) ?? [])].join(delimiter);
  return { args, executablePath, env: { ...env, LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: fonts } };
}
