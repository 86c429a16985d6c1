/**
 * Gathers the licences of the packages whose code is in a bundle, as their terms ask of who passes them on.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The files that the terms stand in: the licence itself, and what Apache's asks to be passed on with it. */
const termsFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/** Packages that other packages hold in their own builds, where no bundler can see them. */
const inside = { "@dagrejs/dagre": ["@dagrejs/graphlib"] };

/**
 * Renders the licences of all packages that gave code to a bundle, sorted by name; the same bundle gives the same text.
 * @param home the folder of `node_modules`
 * @param metafiles esbuild's, of everything that the bundle is made of
 * @throws where a package has neither a licence nor a text of one
 */
export function renderLicenses(home, metafiles) {
  const files = new Set(metafiles.flatMap(bundledFiles));
  const folders = new Set([...files].flatMap((file) => foldersOf(home, file)));
  const packages = [...folders].map((folder) => readPackage(home, folder));
  const unique = new Map(packages.map((each) => [`${each.name} ${each.version}`, each]));
  const sections = [...unique]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => renderPackage(each));
  return `agentform's own licence is in the file LICENSE. Beside its own code, dist/ holds code of the ${sections.length} packages below.\n${sections.join("")}`;
}

function bundledFiles({ outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
}

// A validator is compiled ahead of the build, and holds what it needs of the packages that it names.
function foldersOf(home, file) {
  const [folder, modules, name] = /^((?:.*\/)?node_modules)\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  if (folder) return [folder, ...(inside[name] ?? []).map((other) => `${modules}/${other}`)];
  if (!/^src\/generated\/.*\.js$/.test(file)) return [];
  const named = readFileSync(join(home, file), "utf8").matchAll(
    /__commonJS\(\{\s*"((?:@[^/"]+\/)?[^/"]+)\//g,
  );
  return [...named].map(([, name]) => `node_modules/${name}`);
}

function readPackage(home, folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(home, folder, "package.json"), "utf8"));
  const texts = readdirSync(join(home, folder))
    .filter((file) => termsFile.test(file))
    .toSorted()
    .map((file) =>
      readFileSync(join(home, folder, file), "utf8")
        .replaceAll("\r\n", "\n")
        .trim(),
    );
  if (license === undefined && texts.length === 0) throw new Error(`${name} is bundled, and has no licence`);
  return { name, version, license, texts };
}

function renderPackage({ name, version, license, texts }) {
  const terms = texts.length > 0 ? texts : ["The package holds no text of its licence."];
  return `\n${"-".repeat(80)}\n\n${name} ${version}\nLicence: ${license ?? "as its text says"}\n\n${terms.join("\n\n")}\n`;
}
