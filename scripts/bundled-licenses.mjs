/**
 * Gathers the licences of the packages whose code is in a bundle, as their terms ask of who passes them on.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundledPackages } from "./bundled-packages.mjs";

/** The files that the terms stand in: the licence itself, and what Apache's asks to be passed on with it. */
const termsFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/**
 * Renders the licences of all packages that gave code to a bundle, sorted by name; the same bundle gives the same text.
 * @param home the folder of `node_modules`
 * @param metafiles esbuild's, of everything that the bundle is made of
 * @throws where a package has neither a licence nor a text of one
 */
export function renderLicenses(home, metafiles) {
  const sections = bundledPackages(home, metafiles).map((each) => renderPackage(withTerms(home, each)));
  return `agentform's own licence is in the file LICENSE. Beside its own code, dist/ holds code of the ${sections.length} packages below.\n${sections.join("")}`;
}

function withTerms(home, { name, version, license, folder }) {
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
