/**
 * Asks the registry for advisories on the packages in `dist`, as listed in its bill of materials. Development tools
 * are not in it, because their vulnerabilities do not affect users of agentform.
 *
 * Exit codes: 0 no known advisories, 1 some advisories, 2 the registry could not be asked.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const billOfMaterials = join(home, "dist/sbom.cdx.json");

process.exitCode = main();

function main() {
  if (!existsSync(billOfMaterials)) return fail("dist/sbom.cdx.json is missing: run `npm run build` first");
  const { components } = readJson(billOfMaterials);
  const bundled = new Set(components.map(({ name, version }) => `${name} ${version}`));
  const { stdout } = spawnSync("npm", ["audit", "--json"], { cwd: home, encoding: "utf8" });
  const report = parse(stdout);
  if (typeof report?.vulnerabilities !== "object") {
    return fail(`the registry could not be asked${report?.message ? ` (${report.message})` : ""}`);
  }
  const found = advisoriesOn(bundled, report.vulnerabilities);
  for (const { name, version, severity, text } of found) {
    console.error(`${severity}: ${name} ${version}: ${text}`);
  }
  console.log(`${bundled.size} bundled packages, ${found.length} with advisories`);
  return found.length === 0 ? 0 : 1;
}

function advisoriesOn(bundled, vulnerabilities) {
  const { packages: locked } = readJson(join(home, "package-lock.json"));
  return Object.values(vulnerabilities).flatMap(({ name, severity, via, nodes }) => {
    const versions = new Set(nodes.map((node) => locked[node]?.version));
    const texts = via.map((cause) =>
      typeof cause === "string" ? `by ${cause}` : `${cause.title} ${cause.url}`,
    );
    return [...versions]
      .filter((version) => bundled.has(`${name} ${version}`))
      .map((version) => ({ name, version, severity, text: texts.join("; ") }));
  });
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fail(reason) {
  console.error(`error: ${reason}`);
  return 2;
}
