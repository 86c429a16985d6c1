/**
 * Lists the packages whose code is in a bundle.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Packages that other packages include in their own builds, where a bundler cannot see them. */
const inside = { "@dagrejs/dagre": ["@dagrejs/graphlib"] };

/**
 * Gives the packages whose code is in a bundle, sorted by name and version, each with its folder and licence.
 * @param home the folder of `node_modules`
 * @param metafiles esbuild's, of all parts of the bundle
 */
export function bundledPackages(home, metafiles) {
  const files = new Set(metafiles.flatMap(bundledFiles));
  const folders = new Set([...files].flatMap(foldersOf));
  const packages = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(home, folder, "package.json"), "utf8"));
    return { name, version, license, folder };
  });
  const unique = new Map(packages.map((each) => [`${each.name} ${each.version}`, each]));
  return [...unique].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

function bundledFiles({ outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
}

function foldersOf(file) {
  const [folder, modules, name] = /^((?:.*\/)?node_modules)\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  return folder ? [folder, ...(inside[name] ?? []).map((other) => `${modules}/${other}`)] : [];
}
