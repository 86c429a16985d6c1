/**
 * Writes the bill of materials of a bundle in CycloneDX 1.6.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundledPackages } from "./bundled-packages.mjs";

/**
 * Renders the bill of materials of a bundle: agentform, and every bundled package with the digest of its
 * tarball; the same bundle gives the same text.
 * @param home the folder of `node_modules`, `package.json` and `package-lock.json`
 * @param metafiles esbuild's, of all parts of the bundle
 */
export function renderSbom(home, metafiles) {
  const read = (file) => JSON.parse(readFileSync(join(home, file), "utf8"));
  const { packages: locked } = read("package-lock.json");
  const { name, version, license } = read("package.json");
  const own = component("application", { name, version, license });
  const components = bundledPackages(home, metafiles).map((each) => {
    return { ...component("library", each), ...hashesOf(locked[each.folder]) };
  });
  const contents = components.map((each) => each["bom-ref"]);
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: own },
    components,
    dependencies: [{ ref: own["bom-ref"], dependsOn: contents }, ...contents.map((ref) => ({ ref }))],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

function component(type, { name, version, license }) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const licenses = license === undefined ? [] : [licenceOf(license)];
  return { type, name, version, "bom-ref": purl, purl, ...(licenses.length > 0 && { licenses }) };
}

function licenceOf(text) {
  return /^[\w.-]+$/.test(text) ? { license: { id: text } } : { expression: text };
}

// The lock file has the digest of the tarball that npm unpacked.
function hashesOf({ integrity = "" } = {}) {
  const [algorithm, digest = ""] = integrity.split("-");
  if (algorithm !== "sha512") return {};
  return { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] };
}
