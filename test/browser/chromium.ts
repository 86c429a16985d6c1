import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { parseTar } from "nanotar";
import { chromium, type BrowserServer, type LaunchOptions } from "playwright-core";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the Chromium of all tests can be reached, or null where none could be started. */
    chromium: string | null;
  }
}

/** How long a browser may take for one step, in milliseconds: a slow machine breaks no test. */
export const slowest = 1_800_000;

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

/** Starts one Chromium for all tests: what `CHROMIUM` names, else the system's, else Chrome, else the one from npm. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "agentform-chromium-"));
  const server = await start(folder);
  project.provide("chromium", server?.wsEndpoint() ?? null);
  return async () => {
    await server?.close();
    rmSync(folder, { recursive: true });
  };
}

async function start(folder: string): Promise<BrowserServer | null> {
  const { CHROMIUM } = process.env;
  if (CHROMIUM !== undefined)
    return await chromium.launchServer({ args, executablePath: CHROMIUM, timeout: slowest });
  const installed = ["chromium", "chromium-browser"].flatMap(pathsOf);
  const ways = [
    ...installed.map((executablePath) => ({ args, executablePath })),
    { args, channel: "chrome" },
  ];
  for (const options of ways) {
    const server = await tryStart(options);
    if (server) return server;
  }
  return await tryStart(unpack(folder));
}

async function tryStart(options: LaunchOptions): Promise<BrowserServer | null> {
  try {
    return await chromium.launchServer({ ...options, timeout: slowest });
  } catch {
    return null;
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
