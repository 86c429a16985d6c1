import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { renderLicenses } from "../../scripts/bundled-licenses.mjs";

const packageFolder = (): string => join(inject("installed"), "node_modules/agentform");
const licenses = (): string => readFileSync(join(packageFolder(), "dist/THIRD-PARTY-LICENSES.txt"), "utf8");

/** The packages that the licences are of, each with all that stands under its name. */
function sections(): Map<string, string> {
  const parts = licenses()
    .split(/^-{80}\n\n/m)
    .slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf(" ")), part]));
}

/** The packages that the source maps name; they are beside the build, and not in the package. */
function mappedPackages(): Set<string> {
  const dist = "dist";
  const maps = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".js.map"),
  );
  const sources = maps.flatMap(
    (file) => (JSON.parse(readFileSync(join(dist, file), "utf8")) as { sources: string[] }).sources,
  );
  const names = sources.map((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1]);
  return new Set(names.filter((name) => name !== undefined));
}

test("all packages that the source maps name have their licences, and no tool has one", () => {
  const named = [...sections().keys()];
  const mapped = mappedPackages();
  expect(mapped.size).toBeGreaterThan(named.length / 2);
  expect([...mapped].filter((name) => !named.includes(name))).toEqual([]);
  for (const name of [
    "yaml",
    "got",
    "commander",
    "diff",
    "picocolors",
    "log-update",
    "@octokit/core",
    "@aws-sdk/core",
  ]) {
    expect(named).toContain(name);
  }
  const tools = ["esbuild", "vitest", "typescript", "fast-check", "playwright-core", "micromark"];
  expect(tools.filter((tool) => named.includes(tool))).toEqual([]);
});

test("each has its version, its licence, and the terms in full", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { version: string; license?: string }>;
  };
  for (const [name, section] of sections()) {
    const heads = Object.entries(packages)
      .filter(([path]) => path.endsWith(`node_modules/${name}`))
      .map(([, { version, license }]) => `${name} ${version}\nLicence: ${license}`);
    expect(heads).toContain(section.split("\n", 2).join("\n"));
    expect(section, name).toMatch(/copyright|public domain/i);
    expect(section.length, name).toBeGreaterThan(500);
  }
});

/** A folder of packages, and what esbuild would say of a bundle with a file of each. */
function bundleOf(packages: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const home = mkdtempSync(join(tmpdir(), "agentform-licenses-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const [name, files] of Object.entries(packages)) {
    const folder = join(home, "node_modules", name);
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  }
  const inputs = Object.keys(packages).map((name) => [`node_modules/${name}/index.js`, { bytesInOutput: 9 }]);
  return { home, metafile: { outputs: { "dist/cli.js": { inputs: Object.fromEntries(inputs) } } } };
}

test("a package without a licence cannot be bundled, and one whose code is left out needs none", () => {
  const free = { "package.json": '{"name": "free", "version": "1.0.0"}' };
  const { home, metafile } = bundleOf({ free });
  expect(() => renderLicenses(home, [metafile])).toThrow("free is bundled but has no licence");
  const unused = { "node_modules/free/index.js": { bytesInOutput: 0 } };
  expect(renderLicenses(home, [{ outputs: { "dist/cli.js": { inputs: unused } } }])).toContain("0 packages");
});

test("a licence is taken with its notice, and where a package has no text its field is", () => {
  const { home, metafile } = bundleOf({
    texts: {
      "package.json": '{"name": "texts", "version": "1.0.0", "license": "Apache-2.0"}',
      "LICENSE-APACHE": "The terms.\r\n",
      "NOTICE.md": "The notice.\n",
      "licensed.js": "no terms",
    },
    named: { "package.json": '{"name": "named", "version": "2.0.0", "license": "MIT"}' },
  });
  const text = renderLicenses(home, [metafile]);
  expect(text).toContain("texts 1.0.0\nLicence: Apache-2.0\n\nThe terms.\n\nThe notice.\n");
  expect(text).toContain("named 2.0.0\nLicence: MIT\n\nThe package holds no text of its licence.\n");
  expect(text).not.toContain("no terms");
});

test("the package is one small archive without dependencies", () => {
  const packed = inject("packed");
  expect(packed.size).toBeLessThanOrEqual(1_750_000);
  expect(packed.paths).toContain("dist/THIRD-PARTY-LICENSES.txt");
  const { man } = JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8")) as {
    man: string[];
  };
  expect(man).toContain("./man/agentform-plan.1");
  expect(man.toSorted()).toEqual(
    packed.paths
      .filter((path) => path.startsWith("man/"))
      .map((path) => `./${path}`)
      .toSorted(),
  );
  const installed = readdirSync(join(inject("installed"), "node_modules"));
  expect(installed.filter((name) => !name.startsWith("."))).toEqual(["agentform"]);
  const fields = JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8")) as {
    scripts: object;
  };
  // Npm warns of those that run when a package is installed.
  expect(Object.keys(fields.scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual(
    [],
  );
  expect(Object.keys(fields).filter((name) => /^(peer|optional|bundled?)?dependencies$/i.test(name))).toEqual(
    [],
  );
});
