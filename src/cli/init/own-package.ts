import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { createTar } from "nanotar";

/** This package as a tarball that npm installs. */
export interface OwnPackage {
  readonly version: string;
  readonly tarball: Uint8Array;
  /** The checksum that npm compares the tarball with, `sha512-…`. */
  readonly integrity: string;
}

const name = "agentform";
const longestName = 99;

let packed: Promise<OwnPackage | undefined> | undefined;

/** Packs this package's files that run, once in a process; undefined if it was never built. */
export function packOwnPackage(): Promise<OwnPackage | undefined> {
  return (packed ??= pack());
}

async function pack(): Promise<OwnPackage | undefined> {
  const root = packageRoot();
  if (root === undefined || !existsSync(join(root, "dist/cli.js"))) return undefined;
  const { version, license, type, bin, engines } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  ) as Readonly<Record<string, unknown>> & { readonly version: string };
  // Npm changes the file when it packs it, and no job needs the rest.
  const fields = Buffer.from(`${JSON.stringify({ name, version, license, type, bin, engines }, null, 2)}\n`);
  const files = ["LICENSE", ...filesIn(root, "ci"), ...filesIn(root, "dist")];
  const tar = createTar(
    [
      { name: entryName("package.json"), data: fields, attrs: { mode: "644" } },
      ...files.filter(runs).map((file) => ({
        name: entryName(file),
        data: readFileSync(join(root, file)),
        attrs: { mode: file === "dist/cli.js" || file.endsWith(".sh") ? "755" : "644" },
      })),
    ],
    // The same files give the same tarball, on any machine and at any time.
    { attrs: { mtime: 0, uid: 0, gid: 0 } },
  );
  const tarball = await promisify(gzip)(tar, { level: 9 });
  const digest = createHash("sha512").update(tarball).digest("base64");
  return { version, tarball, integrity: `sha512-${digest}` };
}

function packageRoot(): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (existsSync(file) && (JSON.parse(readFileSync(file, "utf8")) as { name?: string }).name === name) {
      return folder;
    }
    if (dirname(folder) === folder) return undefined;
  }
}

// Folder by folder: Yarn's files in archives have no `parentPath`.
function filesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesIn(root, path) : entry.isFile() ? [path] : [];
    })
    .toSorted();
}

function runs(file: string): boolean {
  return !file.startsWith("dist/types/") && !file.endsWith(".map");
}

function entryName(file: string): string {
  const entry = `package/${file}`;
  if (Buffer.byteLength(entry) > longestName) throw new Error(`${file} has a name too long for a tarball`);
  return entry;
}

const tarball = "agentform.tgz";

/** The files from which a job installs agentform, by their names in the folder. */
export const installedFiles = ["package.json", "package-lock.json", tarball] as const;

/** Gives a folder's files with agentform, so that CI asks no registry; npm refuses a tarball other than the lock's. */
export function packageFiles(folder: string, own: OwnPackage): Readonly<Record<string, string | Uint8Array>> {
  return {
    [`${folder}/package.json`]: json(manifest),
    [`${folder}/package-lock.json`]: json(lockOf(own)),
    [`${folder}/${tarball}`]: own.tarball,
    // Git must not change a byte of them, whatever the repository sets for line ends and large files.
    [`${folder}/.gitattributes`]: "* -text -filter -ident\n",
    // A repository often ignores tarballs.
    [`${folder}/.gitignore`]: "!*\n",
  };
}

const manifest = {
  name: "agentform-in-ci",
  version: "0.0.0",
  private: true,
  dependencies: { agentform: `file:${tarball}` },
};

function lockOf({ version, integrity }: OwnPackage): object {
  const { name, version: own, dependencies } = manifest;
  const agentform = {
    version,
    resolved: `file:${tarball}`,
    integrity,
    license: "MIT",
    bin: { agentform: "dist/cli.js" },
    engines: { node: "^20.19 || >=22.3" },
  };
  return {
    name,
    version: own,
    lockfileVersion: 3,
    requires: true,
    packages: { "": { name, version: own, dependencies }, "node_modules/agentform": agentform },
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
