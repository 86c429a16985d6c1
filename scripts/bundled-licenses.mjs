/**
 * Collects the licences of the bundled packages, as their terms require of anyone who redistributes them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundledPackages } from "./bundled-packages.mjs";

/** The files with the terms: the licence itself, and the notices that Apache's requires to be included. */
const termsFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/**
 * Renders the licences of all bundled packages, sorted by name; the same bundle gives the same text.
 * @param home the folder of `node_modules`
 * @param metafiles esbuild's, of all parts of the bundle
 * @throws if a package has neither a licence nor a licence text
 */
export function renderLicenses(home, metafiles) {
  const packages = bundledPackages(home, metafiles).map((each) => withTerms(home, each));
  const sections = packages.map((each) => renderPackage(withTermsOfScope(each, packages)));
  return `agentform's own licence is in the file LICENSE. Beside its own code, dist/ holds code of the ${sections.length} packages below.\n${sections.join("")}`;
}

function withTerms(home, { name, version, license, folder }) {
  const read = (file) => readFileSync(join(home, folder, file), "utf8").replaceAll("\r\n", "\n");
  const files = readdirSync(join(home, folder)).toSorted();
  const found = files.filter((file) => termsFile.test(file)).map((file) => read(file).trim());
  const texts =
    found.length > 0
      ? found
      : files.filter((file) => /^readme/i.test(file)).flatMap((file) => ofReadme(read(file)));
  if (license === undefined && texts.length === 0) throw new Error(`${name} is bundled but has no licence`);
  return { name, version, license, texts };
}

// A publisher may leave the text out of one of many packages that are under the same licence.
function withTermsOfScope(each, packages) {
  const [scope, rest] = each.name.split("/");
  if (each.texts.length > 0 || rest === undefined) return each;
  const isAlike = ({ name, license, texts }) =>
    name.startsWith(`${scope}/`) && license === each.license && texts.length > 0;
  return { ...each, texts: packages.find(isAlike)?.texts ?? [] };
}

// Some packages have their terms only at the end of their description.
function ofReadme(text) {
  const [, terms = ""] = /^#+ *licen[cs]e\s*\n([^]*)$/im.exec(text) ?? [];
  return /copyright/i.test(terms) ? [terms.trim()] : [];
}

function renderPackage({ name, version, license, texts }) {
  const terms = texts.length > 0 ? texts : ["The package holds no text of its licence."];
  return `\n${"-".repeat(80)}\n\n${name} ${version}\nLicence: ${license ?? "as its text says"}\n\n${terms.join("\n\n")}\n`;
}
